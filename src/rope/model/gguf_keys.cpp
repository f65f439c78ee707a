#include "rope/model/gguf_keys.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "rope/error.hpp"
#include "rope/io/json.hpp"
#include "rope/io/quote.hpp"
#include "rope/model/fields.hpp"
#include "rope/model/gguf_architectures.hpp"
#include "rope/model/gguf_text.hpp"
#include "rope/model/rotation_signs.hpp"
#include "rope/model/rule_reader.hpp"
#include "rope/model/rules/reading.hpp"
#include "rope/model/sections.hpp"
#include "rope/model/served_length.hpp"
#include "rope/model/window.hpp"
#include "rope/parameters/suggest.hpp"

namespace rope {
namespace {

/// The keys of an architecture that say something of its rotary embedding, without its name and
/// beside those that the rules declare.
constexpr std::array<std::string_view, 21> kRopeKeys = {"rope.dimension_count",
                                                        "rope.dimension_sections",
                                                        "rope.dimension_count_swa",
                                                        "rope.mrope_interleaved",
                                                        "rope.freq_base",
                                                        "rope.freq_base_swa",
                                                        "rope.scale_linear",
                                                        "rope.scaling.type",
                                                        "rope.scaling.attn_factor",
                                                        "rope.scaling.finetuned",
                                                        "rope.scaling.yarn_log_multiplier",
                                                        "rope.scaling.yarn_ext_factor",
                                                        "rope.scaling.yarn_attn_factor",
                                                        "context_length",
                                                        "embedding_length",
                                                        "attention.compress_rope_freq_base",
                                                        "attention.head_count",
                                                        "attention.key_length",
                                                        "attention.sliding_window",
                                                        "attention.head_count_kv",
                                                        "attention.key_length_mla"};

/// Ends of keys that the files of all architectures hold.
constexpr std::array<std::string_view, 4> kOfEveryArchitecture = {
    ".block_count", ".attention.head_count", ".embedding_length", ".rope.freq_base"};

class GgufReader {
 public:
  GgufReader(const GgufDocument& document, const std::string& name, const ReadOptions& options)
      : options_(options),
        document_(document),
        fields_(document.keys, name + ": ", model_.warnings) {
    model_.name = name;
    model_.schema = "GGUF keys";
  }

  ModelRope read() {
    arch_ = architecture();
    model_.model_type = arch_;
    if (const auto why = gguf_reason_without_rotation(fields_, arch_)) {
      const std::string schema = model_.schema;
      ModelRope model = rope::without_rotation(std::move(model_), *why);
      model.schema = schema;
      return model;
    }
    require_sign_of_rotation();
    warn_of_keys();
    if (options_.engine != Engine::hf && options_.engine != Engine::ggml)
      fields_.warn(fields_.path() +
                   "a GGUF file is read as llama.cpp reads it, regardless of --engine");
    LayerFacts facts;
    facts.model_type = "gguf";
    facts.head_dim = head_dim();
    facts.layout = layout();
    model_.context = fields_.positive_integer(key("context_length"));
    facts.context = model_.context;
    if (const auto size = fields_.positive_integer(key("rope.dimension_count")))
      facts.rotary_dim = static_cast<std::size_t>(*size);
    if (facts.rotary_dim > facts.head_dim) facts.head_dim = *facts.rotary_dim;  // MLA
    const std::optional<double> base = fields_.number(key("rope.freq_base"));
    if (!base)
      fields_.warn(fields_.path() + key("rope.freq_base") +
                   " is missing, so 10000, llama.cpp's default, is used: set the base");
    facts.base = base.value_or(10000);
    warn_of_tensors(facts);
    const io::Json scaling = scaling_of(facts);
    const std::optional<GgufUnrotated> without = gguf_unrotated_layers(fields_, arch_);
    if (without) model_.notes.push_back(without->note);
    if (without && without->all_without_window) {
      add_unrotated(facts);
      add(scaling, facts, "sliding_attention");
      model_.layers.back().window = window_under(fields_, key("attention.sliding_window"));
    } else if (const auto compressed = fields_.number(key("attention.compress_rope_freq_base"))) {
      add(io::Json::object(), facts, "main");  // of DeepSeek-V4: its own base, and no scaling
      facts.base = *compressed;
      add(scaling, facts, "compress");
    } else {
      add(scaling, facts, "");
      add_window_layers(facts);
    }
    for (LayerRope& layer : model_.layers) read_sections(layer);
    take_served_length(model_, Engine::hf);
    return std::move(model_);
  }

 private:
  /// The name in the file or, where only a part of its keys was given, what they begin with.
  std::string architecture() {
    if (const auto named = fields_.text("general.architecture")) return *named;
    for (const auto& [name, value] : fields_.object().items())
      for (const std::string_view end : kOfEveryArchitecture)
        if (name.ends_with(end)) {
          std::string arch = name.substr(0, name.size() - end.size());
          fields_.warn(fields_.path() + "general.architecture is missing, so " +
                       io::in_quotes(arch) +
                       ", the prefix of the keys, is used, and keys that are not given are treated "
                       "as absent from the file: give all keys");
          return arch;
        }
    throw Error(ErrorKind::invalid_input,
                fields_.path() +
                    "general.architecture: expected the name of an architecture, "
                    "found nothing",
                "Give all keys, as gguf-dump prints them.");
  }

  /// Pairs of time, height and width; llama.cpp writes a fourth section, of nothing.
  void read_sections(LayerRope& layer) {
    const io::Json* const list = fields_.find(key("rope.dimension_sections"));
    if (list == nullptr || !layer.rotates()) return;
    const io::Json parsed =
        list->is_string() ? io::Json::parse(list->get<std::string>(), nullptr, false) : *list;
    if (!parsed.is_array() || !std::ranges::all_of(parsed, [](const io::Json& value) {
          return value.is_number() && value.get<double>() >= 0 &&
                 value.get<double>() <= static_cast<double>(kMaxRotaryDim);
        })) {
      fields_.warn(fields_.path() + key("rope.dimension_sections") + ": " + shown(*list) +
                   " is not a list of numbers and is ignored");
      return;
    }
    for (const io::Json& section : parsed)
      if (section.get<double>() > 0)
        layer.sections.push_back(static_cast<std::int64_t>(section.get<double>()));
    const bool interleaved = arch_.starts_with("qwen3vl") || arch_.starts_with("qwen35");
    const std::string note = take_sections(layer, {arch_, "", "", interleaved});
    if (!note.empty()) model_.notes.push_back(note);
  }

  std::string key(std::string_view name) const { return arch_ + "." + std::string(name); }

  /// Files of models that rotate hold such keys, but for some of the first architectures.
  void require_sign_of_rotation() {
    if (gguf_layout(arch_, false)) return;
    for (const auto& [name, value] : fields_.object().items())
      if (name.starts_with(key("rope."))) return;
    throw Error(ErrorKind::invalid_input,
                fields_.path() + "expected a key that shows a rotary embedding, such as " +
                    key("rope.freq_base") + ", because general.architecture " +
                    io::in_quotes(arch_) + " is not known to rotate, found no such key",
                "Nothing shows that this model rotates. If it does, give all keys, as gguf-dump "
                "prints them.");
  }

  std::size_t head_dim() {
    auto size = fields_.positive_integer(key("attention.key_length"));
    if (!size) {
      const auto width = fields_.positive_integer(key("embedding_length"));
      const auto heads = fields_.positive_integer(key("attention.head_count"));
      if (!width || !heads || *width % *heads != 0) {
        size = fields_.positive_integer(key("rope.dimension_count"));
        if (!size)
          throw Error(ErrorKind::invalid_input,
                      fields_.path() + "expected " + key("attention.key_length") + ", or " +
                          key("embedding_length") + " and " + key("attention.head_count") +
                          ", found nothing",
                      "Give all keys, as gguf-dump prints them.");
      } else {
        size = *width / *heads;
      }
    }
    if (*size > static_cast<std::int64_t>(kMaxRotaryDim))
      fields_.refuse(key("attention.key_length"), "at most " + std::to_string(kMaxRotaryDim),
                     "This key is the size of one head.");
    return static_cast<std::size_t>(*size);
  }

  PairLayout layout() {
    const bool sections = fields_.find(key("rope.dimension_sections")) != nullptr;
    if (const std::optional<PairLayout> known = gguf_layout(arch_, sections)) return *known;
    if (!options_.layout_stated)
      fields_.warn(
          fields_.path() + "general.architecture " + io::in_quotes(arch_) +
          " is not known, and GGUF files do not record which dimensions form a pair: half is " +
          "assumed" + std::string(options_.layout_remedy));
    return PairLayout::half;
  }

  void warn_of_keys() {
    std::vector<std::string> known;
    known.reserve(kRopeKeys.size());
    for (const std::string_view name : kRopeKeys) known.push_back(key(name));
    for (const ScalingRule& rule : scaling_rules())
      for (const Parameter& parameter : rule.parameters)
        if (!parameter.gguf_key.empty()) known.push_back(key(parameter.gguf_key));
    for (const auto& [name, value] : fields_.object().items()) {
      if (!name.starts_with(arch_ + ".rope.") || std::ranges::find(known, name) != known.end())
        continue;
      const std::string likely = likely_word(name, known);
      fields_.warn(fields_.path() + io::in_quotes(name, 80) + " is not a known key and is ignored" +
                   (likely.empty() ? ": leave it out" : ": did you mean " + likely + "?"));
    }
  }

  /// The divisors of a tensor; nullptr where they are not at hand.
  const std::vector<double>* divisors(std::string_view tensor) const {
    const auto found = document_.divisors.find(tensor);
    return found == document_.divisors.end() ? nullptr : &found->second;
  }

  /// Frequencies divided by lists that stand in tensors: LongRoPE's two, or one for any length.
  /// That one beside another rule is left to a warning.
  std::optional<io::Json> scaling_by_divisors(const LayerFacts& facts, bool other_rule) {
    const auto& [any, up_to, beyond] = kDivisorTensors;
    const std::vector<double>* const one = other_rule ? nullptr : divisors(any);
    const std::vector<double>* const near = one != nullptr ? one : divisors(up_to);
    const std::vector<double>* const far = one != nullptr ? one : divisors(beyond);
    if (near == nullptr || far == nullptr) return std::nullopt;
    if (one != nullptr)
      model_.notes.push_back("each frequency is divided by the matching number in " +
                             std::string(any) +
                             ", which is shown as longrope with one list for all lengths");
    const auto original = fields_.positive_integer(key("rope.scaling.original_context_length"));
    return io::Json{
        {"rope_type", "longrope"},
        {"short_factor", *near},
        {"long_factor", *far},
        {"original_max_position_embeddings", original.value_or(facts.context.value_or(1))},
        {"attention_factor", fields_.number(key("rope.scaling.attn_factor")).value_or(1)}};
  }

  /// The keys as the parameters of a config, which say the same.
  io::Json scaling_of(const LayerFacts& facts) {
    const std::string type = fields_.text(key("rope.scaling.type")).value_or("none");
    std::optional<double> factor = fields_.number(key("rope.scaling.factor"));
    if (const auto older = fields_.number(key("rope.scale_linear")); older && !factor)
      factor = older;
    if (const auto divided = scaling_by_divisors(facts, type != "none" || factor)) return *divided;
    if (document_.factors)
      fields_.warn(fields_.path() + "rope_freqs.weight holds a divisor for every pair (llama3), " +
                   "but its numbers are not available: the frequencies shown are undivided; " +
                   "inspect the config.json that the file was made from");
    // llama.cpp divides by a factor without a type, too, but not where the type says none.
    if (factor && fields_.has(key("rope.scaling.type")) && type == "none") {
      fields_.warn(fields_.path() + key("rope.scaling.factor") +
                   " is ignored: the type is none, so llama.cpp scales nothing");
      factor.reset();
    }
    const RuleReading& reading = find_reading(type == "none" ? "linear" : type);
    if (reading.read_gguf == nullptr)
      fields_.refuse(key("rope.scaling.type"), "none, linear, yarn or longrope",
                     "llama.cpp accepts only these.");
    io::Json config = io::Json::object();
    GgufInput input{fields_, arch_, facts.context, factor, config, model_.notes};
    reading.read_gguf(input);
    return config;
  }

  void add(const io::Json& scaling, const LayerFacts& facts, const std::string& name) {
    LayerFacts layer_facts = facts;
    layer_facts.name = name;
    layer_facts.root_path = fields_.path();
    std::vector<std::string> warnings;
    const Fields fields(scaling, fields_.path(), warnings);
    LayerRope layer = read_rule(fields, layer_facts, {options_.seq_len, Engine::hf});
    layer.warnings = std::move(warnings);
    const auto softmax_factor = find_reading(layer.rope_type).latent_softmax_factor;
    if (softmax_factor != nullptr && gguf_latent_attention(arch_))
      layer.softmax_factor = softmax_factor(layer);
    model_.layers.push_back(std::move(layer));
  }

  void add_unrotated(const LayerFacts& facts) {
    LayerRope layer;
    layer.name = "full_attention";
    layer.rope_type = "none";
    layer.head_dim = facts.head_dim;
    layer.layout = facts.layout;
    model_.layers.push_back(std::move(layer));
  }

  /// Divisors in tensors, where the text is of a kind that lists no tensors.
  void warn_of_tensors(const LayerFacts& facts) {
    constexpr double kBaseOfLlama3 = 500000;
    constexpr std::int64_t kContextOfLlama3 = 8192;
    const bool longer = facts.context && *facts.context > kContextOfLlama3;
    if (arch_ == "llama" && !document_.factors && facts.base == kBaseOfLlama3 && longer)
      fields_.warn(fields_.path() + "files of Llama 3.1 and later hold a divisor for every pair " +
                   "in rope_freqs.weight, but this text lists no such tensor: if the file has " +
                   "it, the frequencies shown are undivided; inspect the model's config.json");
    if (arch_ == "gemma4" && !document_.factors)
      fields_.warn(fields_.path() +
                   "in files of Gemma 4, rope_freqs.weight determines which pairs of " +
                   "full attention turn, but this text lists no such tensor: all are shown as " +
                   "turning; inspect the model's config.json");
    const auto original = fields_.positive_integer(key("rope.scaling.original_context_length"));
    if (arch_ == "phi3" && original && !fields_.has(key("rope.scaling.type")) &&
        document_.divisors.empty())
      fields_.warn(
          fields_.path() + key("rope.scaling.original_context_length") +
          " is given without a rule: a Phi file like this holds LongRoPE's divisors in tensors " +
          "(rope_factors_long, rope_factors_short): the frequencies shown are " +
          "undivided; inspect the model's config.json");
  }

  /// The base of layers with a window, where they turn otherwise than the others.
  ///
  /// Source    ggml-org/llama.cpp, src/models: gemma3.cpp, gemma3n.cpp, gemma-embedding.cpp and
  ///           laguna.cpp (rope_freq_base_train_swa); olmo2.cpp of 8a5c4e03 (OLMo 3: no YaRN).
  std::optional<double> base_of_window_layers(const LayerFacts& facts) {
    if (const auto own = fields_.number(key("rope.freq_base_swa"))) return own;
    const bool has_window = window_under(fields_, key("attention.sliding_window")).has_value();
    if (arch_ == "gemma3" || arch_ == "gemma3n" ||
        (has_window && (arch_ == "gemma-embedding" || arch_ == "laguna"))) {
      model_.notes.push_back("layers with a window: base 10000, which llama.cpp uses for " + arch_ +
                             " if the file gives none");
      return 10000;
    }
    if (arch_ != "olmo2" || !has_window || model_.layers.front().spec.rule != "yarn")
      return std::nullopt;
    model_.notes.emplace_back("layers with a window: no scaling, as in llama.cpp's code for olmo2");
    return facts.base;
  }

  void add_window_layers(const LayerFacts& facts) {
    const std::optional<double> base = base_of_window_layers(facts);
    if (!base) return;
    model_.layers.front().name = "full_attention";
    LayerFacts window = facts;
    window.base = *base;
    if (const auto size = fields_.positive_integer(key("attention.key_length_swa"))) {
      window.head_dim = static_cast<std::size_t>(*size);
      window.rotary_dim.reset();
    }
    if (const auto size = fields_.positive_integer(key("rope.dimension_count_swa")))
      window.rotary_dim = static_cast<std::size_t>(*size);
    add(io::Json::object(), window, "sliding_attention");
    model_.layers.back().window = window_under(fields_, key("attention.sliding_window"));
  }

  const ReadOptions& options_;
  ModelRope model_;
  const GgufDocument& document_;
  Fields fields_;
  std::string arch_;
};

}  // namespace

bool is_gguf_dump(std::string_view text) {
  const auto holds = [&](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  };
  return holds(" = ") &&
         (holds("general.architecture") || std::ranges::any_of(kOfEveryArchitecture, holds));
}

std::optional<GgufDocument> gguf_keys_in(const io::Json& document) {
  constexpr const char* kArchitecture = "general.architecture";
  if (!document.is_object()) return std::nullopt;
  if (document.contains(kArchitecture)) return GgufDocument{document, false};
  const auto inner = [&](const char* key) -> const io::Json* {
    const auto found = document.find(key);
    const bool holds =
        found != document.end() && found->is_object() && found->contains(kArchitecture);
    return holds ? &*found : nullptr;
  };
  if (const io::Json* const info = inner("model_info")) return GgufDocument{*info, false};
  const io::Json* const typed = inner("metadata");
  if (typed == nullptr) return std::nullopt;
  GgufDocument found{io::Json::object(), false};
  for (const auto& [key, member] : typed->items())
    if (member.is_object() && member.contains("value")) found.keys[key] = member.at("value");
  const auto tensors = document.find("tensors");
  found.factors =
      tensors != document.end() && tensors->is_object() && tensors->contains("rope_freqs.weight");
  return found;
}

ModelRope read_gguf_keys(const GgufDocument& document, const std::string& name,
                         const ReadOptions& options) {
  return GgufReader(document, name, options).read();
}

ModelRope read_gguf_dump(std::string_view text, const std::string& name,
                         const ReadOptions& options) {
  const bool factors = text.find(kDivisorTensors.front()) != std::string_view::npos;
  return read_gguf_keys({io::printable_document(gguf_keys_of(text)), factors}, name, options);
}

}  // namespace rope
