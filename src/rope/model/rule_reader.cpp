#include "rope/model/rule_reader.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "rope/model/rope_keys.hpp"
#include "rope/parameters/suggest.hpp"

namespace rope {
namespace {

constexpr std::string_view kOriginal = "original_max_position_embeddings";

bool is_phi(std::string_view model_type) { return model_type.starts_with("phi"); }

/// A key of the file and the parameter of the rule that it is.
struct Name {
  std::string_view key;
  std::string_view parameter;
};

class RuleReader {
 public:
  RuleReader(const Fields& fields, const LayerFacts& facts, const ReadOptions& options)
      : fields_(fields), facts_(facts), options_(options), seq_len_(options.seq_len) {}

  LayerRope read() {
    layer_.name = facts_.name;
    layer_.head_dim = facts_.head_dim;
    layer_.layout = facts_.layout;
    layer_.rope_type = read_type();
    layer_.spec.rule = layer_.rope_type;
    warn_of_rule_keys(fields_, layer_.rope_type);
    layer_.base = read_base();
    read_rotary_dim();
    read_sections();
    if (layer_.rope_type != "default") read_parameters();
    apply();
    return std::move(layer_);
  }

 private:
  void warn(const std::string& text) { fields_.warn(text); }
  /// A key as messages name it: of these parameters, or of the file's root.
  std::string key(std::string_view name, bool own = true) const {
    return (own ? fields_.path() : facts_.root_path) + std::string(name);
  }
  std::string context_text() const {
    return facts_.context ? std::to_string(*facts_.context) : "unknown";
  }

  /// rope_type, else type, else default, with the names that single models gave to rules.
  std::string read_type() {
    const std::optional<std::string> newer = fields_.text("rope_type");
    const std::optional<std::string> older = fields_.text("type");
    if (newer && older && *newer != *older)
      warn(key("rope_type") + ": " + io::in_quotes(*newer) + " counts, and type " +
           io::in_quotes(*older) + " beside it is ignored: leave type out");
    const std::string_view named = newer ? "rope_type" : "type";
    std::string type = newer ? *newer : older.value_or("default");
    if (!newer && !older) warn_of_missing_type();
    if (type == "mrope") return "default";  // the sections say the rest
    if (type == "su" || (type == "yarn" && is_phi(facts_.model_type))) {
      if (is_phi(facts_.model_type)) return "longrope";
      if (facts_.model_type.empty()) {
        warn(key(named) + ": 'su' is read as longrope, as Phi-3's own code does; others refuse " +
             "it: write longrope");
        return "longrope";
      }
    }
    const auto types = rope_types();
    if (std::ranges::find(types, type) == types.end()) refuse_type(named, type);
    return type;
  }

  void warn_of_missing_type() {
    std::string ignored;
    for (const std::string& word : all_rule_keys()) {
      const auto common = common_rule_keys();
      if (std::ranges::find(common, word) == common.end() && fields_.find(word) != nullptr)
        ignored += (ignored.empty() ? "" : ", ") + word;
    }
    if (!ignored.empty())
      warn(key("rope_type") + " is missing, so the type is default, and what belongs to a rule (" +
           ignored + ") is ignored: write rope_type" + near_key(fields_, "rope_type"));
  }

  [[noreturn]] void refuse_type(std::string_view named, const std::string& type) {
    std::vector<std::string> known;
    std::string list;
    for (const std::string_view word : rope_types()) {
      known.emplace_back(word);
      list += (list.empty() ? "" : ", ") + std::string(word);
    }
    const std::string likely = likely_word(type, known);
    std::string remedy =
        likely.empty() ? "transformers refuses it too: KeyError." : "Did you mean " + likely + "?";
    if (type == "su") remedy = "Only Phi-3's code knows it: write longrope.";
    throw Error(ErrorKind::invalid_input,
                key(named) + ": expected one of " + list + ", found " + io::in_quotes(type),
                std::move(remedy));
  }

  double read_base() {
    const std::optional<double> own = fields_.number("rope_theta");
    if (own && facts_.root_base && *own != *facts_.root_base)
      warn(key("rope_theta") + ": " + shown(*own) + " counts in transformers v5, and " +
           "rope_theta " + shown(*facts_.root_base) +
           " beside it does in v4 and most engines: write one number in both places");
    const double base = own.value_or(facts_.base);
    if (!(base > 0))
      throw Error(
          ErrorKind::invalid_input,
          key("rope_theta", own.has_value()) + ": expected a number above 0, found " + shown(base),
          "Most models use 10000 or 500000.");
    if (base == 1)
      warn(key("rope_theta", own.has_value()) + " is 1, so all pairs turn alike: write the base");
    if (base < 1)
      warn(key("rope_theta", own.has_value()) + " " + shown(base) +
           " is below 1, so later pairs turn faster: write the base, 10000 for example");
    return base;
  }

  /// int(head_dim·factor), in double and cut off, as transformers has it.
  void read_rotary_dim() {
    const std::optional<double> own = fields_.number("partial_rotary_factor");
    if (own && facts_.partial && *own != *facts_.partial)
      warn(key("partial_rotary_factor") + ": " + shown(*own) + " counts, and the factor " +
           shown(*facts_.partial) + " at the root is ignored: leave one of them");
    const std::optional<double> partial = own ? own : facts_.partial;
    layer_.rotary_dim = facts_.head_dim;
    if (layer_.rope_type == "proportional") {
      read_proportional(partial);
      return;
    }
    if (facts_.rotary_dim && !own) layer_.rotary_dim = *facts_.rotary_dim;
    if (partial && (own || !facts_.rotary_dim)) {
      const double rotated = static_cast<double>(facts_.head_dim) * *partial;
      if (!(*partial > 0) || *partial > 1 || rotated < 1)
        throw Error(ErrorKind::invalid_input,
                    key("partial_rotary_factor", own.has_value()) +
                        ": expected a number above 0, at most 1, that " +
                        "rotates at least one dimension of " + std::to_string(facts_.head_dim) +
                        ", found " + shown(*partial),
                    "It is the fraction of each head that is rotated; most often 1, 0.5 or 0.25.");
      layer_.rotary_dim = static_cast<std::size_t>(rotated);
      warn_of_llama(*partial, own.has_value());
    }
    if (layer_.rotary_dim % 2 != 0) warn_of_odd_size(partial, own.has_value());
  }

  void warn_of_llama(double partial, bool own) {
    if (partial == 1 || layer_.rope_type != "default" ||
        (facts_.model_type != "llama" && facts_.model_type != "mistral"))
      return;
    warn(key("partial_rotary_factor", own) + ": " + shown(partial) + " is ignored by " +
         "transformers v5 for " + std::string(facts_.model_type) +
         " without scaling, and followed by v4 and here: leave it out for a whole head");
  }

  void warn_of_odd_size(std::optional<double> partial, bool own) {
    const std::size_t r = layer_.rotary_dim;
    const std::string from = partial
                                 ? key("partial_rotary_factor", own) + " " + shown(*partial) +
                                       " of head_dim " + std::to_string(facts_.head_dim) + " gives"
                                 : facts_.root_path + "there are";
    warn(from + " " + std::to_string(r) + " rotated dimensions, an odd number: " +
         std::to_string((r + 1) / 2) + " frequencies with the exponents 2k/" + std::to_string(r) +
         " come out, and the last has no second dimension; choose a factor that gives " +
         std::to_string(r - 1) + " or " + std::to_string(r + 1));
  }

  void read_proportional(std::optional<double> partial) {
    if (!partial) {
      warn(key("partial_rotary_factor") + " is missing, so all pairs turn and proportional is " +
           "the same as linear: write the fraction that turns, 0.25 for example");
      return;
    }
    layer_.spec.numbers["partial"] = *partial;
  }

  void read_sections() {
    const auto sections = fields_.numbers("mrope_section");
    if (!sections) return;
    double sum = 0;
    for (const double section : *sections) {
      if (!(section >= 0) || section > static_cast<double>(kMaxRotaryDim))
        fields_.refuse("mrope_section", "numbers of pairs", "For example [16, 24, 24].");
      sum += section;
      layer_.sections.push_back(static_cast<std::int64_t>(section));
    }
    const std::size_t pairs = layer_.rotary_dim / 2;
    if (sum != static_cast<double>(pairs))
      warn(key("mrope_section") + " adds up to " + shown(sum) + ", not to the " +
           std::to_string(pairs) +
           " pairs there are: images and videos fail; write sections that do");
  }

  // --- the parameters of the rules -------------------------------------------------------------

  void require(std::string_view name, std::string_view expected) {
    if (fields_.has(name)) return;
    throw Error(ErrorKind::invalid_input,
                key(name) + ": expected " + std::string(expected) + " with rope_type " +
                    layer_.rope_type + ", found nothing" + near_key(fields_, name),
                "transformers refuses it too: add " + std::string(name) + ".");
  }

  void take(const Name& name) {
    if (const std::optional<double> value = fields_.number(name.key))
      layer_.spec.numbers.insert_or_assign(std::string(name.parameter), *value);
  }

  std::optional<double> number(std::string_view parameter) const {
    const auto found = layer_.spec.numbers.find(parameter);
    return found == layer_.spec.numbers.end() ? std::nullopt : std::optional(found->second);
  }

  void read_parameters() {
    const std::string& type = layer_.rope_type;
    if (type == "linear" || type == "dynamic" || type == "yarn" || type == "llama3")
      require("factor", "the factor by which the context grows");
    take({"factor", "factor"});
    warn_of_factor();
    if (type == "dynamic") warn_of_dynamic();
    if (type == "yarn") read_yarn();
    if (type == "longrope") read_longrope();
    if (type == "llama3") read_llama3();
  }

  void warn_of_factor() {
    const std::optional<double> factor = number("factor");
    if (factor && *factor < 1)
      warn(key("factor") + ": " + shown(*factor) +
           " is below 1, so the pairs turn faster and the context shrinks: write the ratio of the "
           "new length to the old, above 1");
    if (!factor && fields_.has("factor") && layer_.rope_type != "longrope" &&
        layer_.rope_type != "yarn")
      fields_.refuse("factor", "a number", "Write the ratio of the new length to the old.");
  }

  void warn_of_dynamic() {
    if (!seq_len_ && options_.engine == Engine::hf)
      warn(fields_.path() +
           "rope_type dynamic depends on the length of the input: these are the "
           "frequencies up to " +
           context_text() + " tokens; --seq-len N gives those at N");
    need_context("dynamic");
  }

  void need_context(std::string_view type) {
    if (facts_.context) return;
    throw Error(ErrorKind::invalid_input,
                "max_position_embeddings: expected the number of positions with rope_type " +
                    std::string(type) + ", found nothing",
                "The rule is made from it: add max_position_embeddings.");
  }

  /// The length before extension: the root's counts, then the rule's own, then the whole context.
  void read_original() {
    const std::optional<std::int64_t> own = fields_.positive_integer(kOriginal);
    if (own && facts_.root_original && *own != *facts_.root_original)
      warn(key(kOriginal) + ": " + std::to_string(*facts_.root_original) +
           " at the root counts, and " + std::to_string(*own) + " here is ignored: leave one");
    layer_.original_context = facts_.root_original ? facts_.root_original : own;
    if (!layer_.original_context) {
      need_context(layer_.rope_type);
      layer_.original_context = facts_.context;
      warn(key(kOriginal) + " is missing, so max_position_embeddings, " + context_text() +
           ", is taken for the length before extension: write the length trained for" +
           near_key(fields_, kOriginal));
    }
    layer_.spec.numbers["original"] = static_cast<double>(*layer_.original_context);
  }

  void read_attention_factor() {
    take({"attention_factor", "attention_factor"});
    const io::Json* const given = fields_.find("attention_factor");
    if (given == nullptr) return;
    if (layer_.rope_type == "yarn" && given->is_number_integer())
      warn(key("attention_factor") + ": " + shown(*given) + " is followed, though transformers " +
           "complains that it is no float: write " + shown(*given) + ".0");
    const std::optional<double> value = number("attention_factor");
    if (!(*value > 0))
      throw Error(ErrorKind::invalid_input,
                  key("attention_factor") + ": expected a number above 0, found " + shown(*value),
                  "It scales cos and sin; leave it out to have it computed from factor.");
  }

  void read_yarn() {
    read_original();
    read_attention_factor();
    constexpr std::array<Name, 4> kNumbers = {{{"beta_fast", "beta_fast"},
                                               {"beta_slow", "beta_slow"},
                                               {"mscale", "mscale"},
                                               {"mscale_all_dim", "mscale_all_dim"}}};
    for (const Name& name : kNumbers) take(name);
    if (const std::optional<bool> truncate = fields_.flag("truncate"))
      layer_.spec.numbers["truncate"] = *truncate ? 1 : 0;
    warn_of_yarn_factor();
    const double fast = number("beta_fast").value_or(0) == 0 ? 32 : *number("beta_fast");
    const double slow = number("beta_slow").value_or(0) == 0 ? 1 : *number("beta_slow");
    if (fast < slow)
      warn(key("beta_fast") + " " + shown(fast) + " is below beta_slow " + shown(slow) +
           ", so the ramp runs the wrong way: exchange them");
    const bool pair = number("mscale") && number("mscale_all_dim");
    if (pair && number("attention_factor"))
      warn(key("attention_factor") + " counts, and mscale and mscale_all_dim are ignored for cos " +
           "and sin: leave one or the others out");
    if (number("mscale").value_or(0) != 0 && number("mscale_all_dim").value_or(0) == 0)
      warn(key("mscale") + " is ignored without mscale_all_dim: the attention factor is " +
           "0.1 ln(factor) + 1; give both, or attention_factor itself");
  }

  void warn_of_yarn_factor() {
    const std::optional<double> factor = number("factor");
    const auto original = static_cast<double>(*layer_.original_context);
    if (!factor) {
      need_context("yarn");
      warn(key("factor") + " is null, so max_position_embeddings over " + std::string(kOriginal) +
           ", " + shown(static_cast<double>(*facts_.context) / original) + ", is taken: write it");
      return;
    }
    if (!facts_.context) return;
    const double implied = static_cast<double>(*facts_.context) / original;
    if (implied != *factor && implied != 1)
      warn(key("factor") + ": " + shown(*factor) + " counts, though " + context_text() +
           " positions over " + std::string(kOriginal) + " " + shown(original) + " make " +
           shown(implied) + ": correct one of the three");
  }

  void read_list(std::string_view name, std::string_view parameter, bool used) {
    require(name, "a list of one number a pair");
    const auto list = fields_.numbers(name);
    const std::size_t pairs = (layer_.rotary_dim + 1) / 2;
    if (!list) fields_.refuse(name, "a list of one number a pair", "Write one number a pair.");
    if (list->size() != pairs) {
      const std::string found = std::to_string(list->size());
      if (used)
        throw Error(ErrorKind::invalid_input,
                    key(name) + ": expected " + std::to_string(pairs) +
                        " numbers, one for each pair, found " + found,
                    "head_dim, partial_rotary_factor and the lists belong together: correct the "
                    "one that is wrong.");
      warn(key(name) + " holds " + found + " numbers instead of " + std::to_string(pairs) +
           ", one for each pair: inputs that need it will fail; correct the list");
      return;
    }
    layer_.spec.lists.insert_or_assign(std::string(parameter), *list);
  }

  void read_longrope() {
    read_original();
    read_attention_factor();
    const bool beyond = seq_len_ && *seq_len_ > *layer_.original_context;
    read_list("short_factor", "short", !beyond);
    read_list("long_factor", "long", beyond);
    auto& lists = layer_.spec.lists;
    if (!lists.contains("long")) lists["long"] = lists["short"];  // warned of, and not used
    if (!lists.contains("short")) lists["short"] = lists["long"];
    const std::optional<double> factor = number("factor");
    if (!number("attention_factor") && !factor) {
      need_context("longrope");
      warn(key("factor") + " is missing, so max_position_embeddings over " +
           std::string(kOriginal) + ", " +
           shown(static_cast<double>(*facts_.context) /
                 static_cast<double>(*layer_.original_context)) +
           ", is taken: write it");
    }
    if (factor && facts_.context &&
        *factor * static_cast<double>(*layer_.original_context) !=
            static_cast<double>(*facts_.context))
      warn(key("factor") + ": " + shown(*factor) + " counts in transformers v5; v4 takes " +
           "max_position_embeddings over " + std::string(kOriginal) + ": let them agree");
    if (!seq_len_ && options_.engine != Engine::ggml)
      warn(fields_.path() + "rope_type longrope has two sets of frequencies: these hold up to " +
           std::to_string(*layer_.original_context) + " tokens; --seq-len " +
           std::to_string(*layer_.original_context + 1) + " gives the others");
  }

  void read_llama3() {
    read_original();
    require("low_freq_factor", "a number of turns");
    require("high_freq_factor", "a number of turns");
    for (const Name& name : {Name{"low_freq_factor", "low"}, Name{"high_freq_factor", "high"}}) {
      take(name);
      if (!number(name.parameter))
        fields_.refuse(name.key, "a number",
                       "Llama 3.1 has low_freq_factor 1, high_freq_factor 4.");
    }
    if (*number("high") <= *number("low"))
      warn(key("high_freq_factor") + " " + shown(*number("high")) +
           " is not above low_freq_factor " + shown(*number("low")) +
           ", so no pair is blended: Llama 3.1 has 4 and 1");
    if (facts_.context && *layer_.original_context >= *facts_.context && fields_.has(kOriginal))
      warn(key(kOriginal) + " " + std::to_string(*layer_.original_context) +
           " is not below max_position_embeddings " + context_text() +
           ", so nothing is extended: write the length before extension");
  }

  // --- the result ------------------------------------------------------------------------------

  void apply() {
    ScalingContext context{layer_.base, layer_.head_dim, layer_.rotary_dim, facts_.context,
                           seq_len_};
    const EngineFacts engine{fields_.number("attn_factor"), facts_.root_original, facts_.context,
                             latent()};
    for (const std::string& warning : read_as(options_.engine, engine, layer_, seq_len_))
      warn(fields_.path() + warning);
    context.seq_len = seq_len_;
    try {
      layer_.scaled = scale(layer_.spec, context);
      check_as(options_.engine, layer_);
    } catch (const Error& error) {
      throw Error(error.kind(), fields_.subject() + error.what(), error.remedy());
    }
    for (const std::string& warning : layer_.scaled.warnings)
      if (!told(warning)) warn(fields_.path() + warning);
    const double mscale = number("mscale_all_dim").value_or(0);
    const double factor = number("factor").value_or(1);
    if (mscale != 0 && latent() && factor > 1) {
      const double magnitude = 0.1 * mscale * std::log(factor) + 1;
      layer_.softmax_factor = magnitude * magnitude;
    }
  }

  /// Multi-head latent attention, whose code scales the softmax too.
  bool latent() const {
    return facts_.model_type.starts_with("deepseek_v2") ||
           facts_.model_type.starts_with("deepseek_v3") || facts_.model_type == "kimi_k2" ||
           facts_.model_type == "mistral4";
  }

  /// Whether a warning of the rule was given above, in the words of the file.
  static bool told(std::string_view warning) {
    constexpr std::array<std::string_view, 6> kTold = {
        "factor ",       "a factor below 1",      "beta_fast is below",
        "high is below", "original is not below", "without a sequence length"};
    return std::ranges::any_of(
        kTold, [&](std::string_view beginning) { return warning.starts_with(beginning); });
  }

  const Fields& fields_;
  const LayerFacts& facts_;
  const ReadOptions& options_;
  std::optional<std::int64_t> seq_len_;
  LayerRope layer_;
};

}  // namespace

LayerRope read_rule(const Fields& parameters, const LayerFacts& facts, const ReadOptions& options) {
  return RuleReader(parameters, facts, options).read();
}

}  // namespace rope
