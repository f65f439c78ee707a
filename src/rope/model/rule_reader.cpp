#include "rope/model/rule_reader.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "rope/model/known_models.hpp"
#include "rope/model/rope_keys.hpp"
#include "rope/model/rule_input.hpp"
#include "rope/model/rules/reading.hpp"
#include "rope/parameters/suggest.hpp"

namespace rope {
namespace {

class RuleReader {
 public:
  RuleReader(const Fields& fields, const LayerFacts& facts, const ReadOptions& options)
      : fields_(fields), facts_(facts), options_(options) {}

  LayerRope read() {
    layer_.name = facts_.name;
    layer_.head_dim = facts_.head_dim;
    layer_.layout = facts_.layout;
    layer_.rope_type = read_type();
    layer_.spec.rule = layer_.rope_type;
    rule_ = find_scaling_rule(layer_.rope_type);
    check_rule_of_class();
    warn_of_rule_keys(fields_, *rule_);
    layer_.base = read_base();
    read_rotary_dim();
    read_sections();
    read_parameters();
    apply();
    return std::move(layer_);
  }

 private:
  void warn(const std::string& text) { fields_.warn(text); }
  /// A key as messages name it: of these parameters, or of the file's root.
  std::string key(std::string_view name, bool own = true) const {
    return (own ? fields_.path() : facts_.root_path) + std::string(name);
  }
  /// The file's root, as messages begin with it.
  std::string subject() const {
    std::string text = facts_.root_path;
    if (text.ends_with('.')) text.replace(text.size() - 1, 1, ": ");
    return text;
  }

  /// Classes that know longrope alone, or no rule at all, refuse others.
  void check_rule_of_class() const {
    const bool phi = facts_.model_type == "phi3" || facts_.model_type == "phi4_multimodal";
    if (options_.engine != Engine::hf || layer_.rope_type == "default" ||
        !(facts_.model_type == "recurrent_gemma" || (phi && layer_.rope_type != "longrope")))
      return;
    throw Error(ErrorKind::invalid_input,
                key("rope_type") + ": expected default" + (phi ? " or longrope" : "") + ", found " +
                    layer_.rope_type,
                "transformers rejects this too: the class of " + std::string(facts_.model_type) +
                    " supports no " + (phi ? "other rule" : "scaling rule") +
                    ". Leave rope_type out.");
  }

  /// rope_type, else type, else default, with the names that single models gave to rules.
  std::string read_type() {
    const std::optional<std::string> newer = fields_.text("rope_type");
    const std::optional<std::string> older = fields_.text("type");
    if (newer && older && *newer != *older && !(*newer == "default" && *older == "mrope"))
      warn(key("rope_type") + ": " + io::in_quotes(*newer) + " takes precedence, and type " +
           io::in_quotes(*older) + " is ignored: remove type");
    const std::string_view named = newer ? "rope_type" : "type";
    std::string type = newer ? *newer : older.value_or("default");
    if (!newer && !older) warn_of_missing_type();
    if (is_plain(type)) return "default";  // the sections say the rest
    for (const RuleReading& reading : rule_readings())
      if (is_type_of_family(type, named, reading)) return std::string(reading.rule);
    if (!is_rope_type(type)) refuse_type(named, type);
    return type;
  }

  /// Names of the plain rotation of positions on several axes, which are one and the same in a
  /// text.
  bool is_plain(std::string_view type) const {
    const bool of_bailing = facts_.model_type.starts_with("bailing");
    return type == "mrope" || (of_bailing && (type == "3D" || type == "video_rope"));
  }

  /// Whether a family of models calls the rule so. Files that name no model are believed, too,
  /// unless the type is another rule's; files of others are refused.
  bool is_type_of_family(const std::string& type, std::string_view named,
                         const RuleReading& reading) {
    const FamilyTypes& family = reading.family;
    if (std::ranges::count(family.types, type) == 0) return false;
    if (std::ranges::any_of(family.models, [&](std::string_view models) {
          return facts_.model_type.starts_with(models);
        }))
      return true;
    if (is_rope_type(type)) return false;
    const std::string rule(reading.rule), whose(family.whose);
    if (!facts_.model_type.empty())
      refuse_type(named, type, "Only " + whose + "'s code supports it: write " + rule + ".");
    warn(key(named) + ": " + io::in_quotes(type) + " is read as " + rule + ", as in " + whose +
         "'s own code; other code rejects it: write " + rule);
    return true;
  }

  void warn_of_missing_type() {
    std::string ignored;
    const auto common = common_rule_keys();
    for (const std::string_view word : all_rule_keys())
      if (std::ranges::count(common, word) == 0 && fields_.find(word) != nullptr)
        ignored += (ignored.empty() ? "" : ", ") + std::string(word);
    if (!ignored.empty())
      warn(key("rope_type") + " is missing, so the type is default, and the keys of a rule (" +
           ignored + ") are ignored: set rope_type" + near_key(fields_, "rope_type"));
  }

  [[noreturn]] void refuse_type(std::string_view named, const std::string& type,
                                std::string remedy = "") {
    const std::vector<std::string> known = rope_types();
    const KnownModel* const model = find_known_model(facts_.model_type);
    if (remedy.empty())
      remedy = model != nullptr && model->hidden_size > 0
                   ? "transformers rejects it too, with a KeyError."
                   : "The model's own code may support it; rope does not.";
    std::string list;
    for (const std::string& word : known) list += (list.empty() ? "" : ", ") + word;
    const std::string likely = likely_word(type, known);
    if (!likely.empty()) remedy = "Did you mean " + likely + "?";
    throw Error(ErrorKind::invalid_input,
                key(named) + ": expected one of " + list + ", found " + io::in_quotes(type),
                std::move(remedy));
  }

  /// Whether the root's base is that of other layers, too, and these have another.
  bool is_base_of_all() const {
    return facts_.in_layer_type && facts_.base_key == "rope_theta" &&
           facts_.name != "full_attention";
  }

  double read_base() {
    const std::optional<double> own = fields_.number("rope_theta");
    if (own && facts_.root_base && *own != *facts_.root_base)
      warn(key("rope_theta") + ": " + shown(*own) + " is used by transformers v5, but " +
           std::string(facts_.base_key) + " " + shown(*facts_.root_base) +
           " at the root is used by older code" +
           (is_base_of_all() ? "" : ": write the same number in both places"));
    const double base = own.value_or(facts_.base);
    const std::string named = own ? key("rope_theta") : key(facts_.base_key, false);
    if (!(base > 0))
      throw Error(ErrorKind::invalid_input,
                  named + ": expected a number above 0, found " + shown(base),
                  "Most models use 10000 or 500000.");
    if (base == 1) warn(named + " is 1, so all pairs turn at the same rate: set the base");
    if (base < 1)
      warn(named + " " + shown(base) +
           " is below 1, so later pairs turn faster: set the base, for example 10000");
    return base;
  }

  /// The key of the fraction that counts: of these parameters, or of the file's root.
  std::string key_of_fraction(bool own) const {
    return own ? key("partial_rotary_factor") : key(facts_.partial_key, false);
  }

  /// The fraction that these parameters hold, if it counts.
  std::optional<double> own_fraction() {
    const std::optional<double> own = fields_.number("partial_rotary_factor");
    const std::optional<double> of_rule = facts_.partial_of(layer_.rope_type);
    if (own && of_rule && *own != *of_rule)
      warn(key("partial_rotary_factor") + ": " + shown(*own) + " is ignored by rope_type " +
           layer_.rope_type + ", which uses " + shown(*of_rule) +
           ", the value from the root or the class: " +
           (class_takes_no_fraction() ? "leave it out" : "write it at the root"));
    return of_rule ? std::nullopt : own;
  }

  /// Of the fractions at the root that are not the one that counts.
  void warn_of_root_fractions(std::optional<double> own, double counts) {
    const auto warn_of = [&](std::string_view name, double value, const std::string& by_rule) {
      if (value == counts) return;
      if (own)
        warn(key("partial_rotary_factor") + ": " + shown(*own) + " takes precedence, and " +
             std::string(name) + " " + shown(value) + " at the root is ignored: keep only one");
      else
        warn(key(name, false) + ": " + shown(value) + " is ignored by rope_type " +
             layer_.rope_type + by_rule);
    };
    if (facts_.partial_of_file && facts_.partial)
      warn_of(facts_.partial_key, *facts_.partial,
              ", which uses partial_rotary_factor " + shown(counts) + ": make them agree");
    if (facts_.partial_of_rules_alone && !facts_.partial_of(layer_.rope_type))
      warn_of("partial_rotary_factor", *facts_.partial_of_rules_alone,
              ": " + std::string(facts_.model_type) + " reads rotary_pct; write that");
  }

  /// int(head_dim·factor), in double and cut off, as transformers has it.
  void read_rotary_dim() {
    const std::optional<double> own = own_fraction();
    const std::optional<double> of_rule = facts_.partial_of(layer_.rope_type);
    const std::optional<double> partial = own ? own : (of_rule ? of_rule : facts_.partial);
    warn_of_root_fractions(own, partial.value_or(1));
    if (facts_.whole_by_default && layer_.rope_type == "default") {
      if (partial && *partial != 1 && (own || !facts_.in_layer_type))
        warn(key_of_fraction(own.has_value()) + ": " + shown(*partial) +
             " is ignored by rope_type " +
             "default for this model, which turns whole heads; use proportional to turn a part");
      return static_cast<void>(layer_.rotary_dim = facts_.head_dim);
    }
    layer_.rotary_dim = facts_.head_dim;
    if (partial && *partial != 1 && ignores_fraction()) {
      warn(key_of_fraction(own.has_value()) + ": " + shown(*partial) +
           " is ignored: without scaling, the class of " + std::string(facts_.model_type) +
           " turns whole heads in transformers v5; v4 may fail, and other engines may turn that " +
           "part: leave it out");
      return;
    }
    if (const Parameter* const fraction = find_config_key(*rule_, "partial_rotary_factor")) {
      read_fraction(fraction->name, partial);
      return;
    }
    if (facts_.rotary_dim && !own) layer_.rotary_dim = *facts_.rotary_dim;
    if (partial && (own || !facts_.rotary_dim)) {
      const double rotated = static_cast<double>(facts_.head_dim) * *partial;
      if (!(*partial > 0) || *partial > 1 || rotated < 1)
        throw Error(
            ErrorKind::invalid_input,
            key_of_fraction(own.has_value()) + ": expected a number above 0 and at most 1 that " +
                "rotates at least one dimension of " + std::to_string(facts_.head_dim) +
                ", found " + shown(*partial),
            "This key is the fraction of each head that is rotated, most often 1, 0.5 or 0.25.");
      layer_.rotary_dim = static_cast<std::size_t>(rotated);
      warn_of_class_without_fraction(*partial, own.has_value());
    }
    if (layer_.rotary_dim % 2 != 0) warn_of_odd_size(partial, own.has_value());
  }

  /// Whether the class that reads the file turns whole heads: neither the model's own code nor
  /// vLLM, whose classes all hand a fraction on.
  bool class_takes_no_fraction() const {
    return facts_.class_turns_whole_heads && !facts_.brings_code && options_.engine != Engine::vllm;
  }

  /// Whether whole heads turn though there is a fraction: a rule takes it.
  bool ignores_fraction() const {
    return class_takes_no_fraction() && !facts_.rotary_dim && layer_.rope_type == "default";
  }

  /// Of a fraction that is followed here, and not by everybody.
  void warn_of_class_without_fraction(double partial, bool own) {
    if (partial == 1) return;
    const std::string given = key_of_fraction(own) + ": " + shown(partial);
    const std::string type(facts_.model_type);
    if (facts_.model_type == "recurrent_gemma" && layer_.rope_type == "default")
      warn(given + " is ignored by transformers 5.16 for " + type + " without scaling but " +
           "used by v4 and here: write 1 for a whole head");
    if (!facts_.class_turns_whole_heads) return;
    if (options_.engine == Engine::vllm)
      warn(given + " is used by vLLM; without scaling, the class of " + type + " in transformers " +
           "ignores it or fails");
    else if (facts_.brings_code)
      warn(given + " is used here because the file names code of its own, but the class of " +
           type + " in transformers turns whole heads: check that code");
    else
      warn(given + " with rope_type " + layer_.rope_type + " fails in transformers: the class of " +
           type +
           " turns whole heads but gets frequencies for only a part of each; leave this key out");
  }

  void warn_of_odd_size(std::optional<double> partial, bool own) {
    const std::size_t r = layer_.rotary_dim;
    const std::string from = partial
                                 ? key_of_fraction(own) + " " + shown(*partial) + " of head_dim " +
                                       std::to_string(facts_.head_dim) + " gives"
                                 : subject() + "there are";
    warn(from + " " + std::to_string(r) + " rotated dimensions, an odd number: " +
         std::to_string((r + 1) / 2) + " frequencies with the exponents 2i/" + std::to_string(r) +
         " result, and the last pair has no second dimension; " +
         (partial ? "choose a factor that gives " : "write a size of ") + std::to_string(r - 1) +
         " or " + std::to_string(r + 1));
  }

  /// The rule itself leaves a fraction of the whole head as it is.
  void read_fraction(std::string_view parameter, std::optional<double> partial) {
    if (partial)
      layer_.spec.numbers[std::string(parameter)] = *partial;
    else
      warn(key("partial_rotary_factor") + " is missing, so all pairs turn, and " +
           layer_.rope_type + " is the same as linear: write the fraction that turns, 0.25 for " +
           "example");
  }

  /// Classes that deal the pairs out in turn take as many as there are.
  bool deals_in_turn() const {
    return fields_.flag("mrope_interleaved").value_or(facts_.model_type.starts_with("qwen3"));
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
      warn(key("mrope_section") + " adds up to " + shown(sum) + ", not to the number of pairs, " +
           std::to_string(pairs) + ": " +
           (deals_in_turn() ? "some pairs of an image's tokens turn by time"
                            : "images and videos fail") +
           "; write sections that add up to this number");
  }

  void read_parameters() {
    const RuleInput input{fields_, facts_, options_, *rule_, layer_};
    if (reading().read != nullptr)
      reading().read(input);
    else
      input.take_all();
  }

  const RuleReading& reading() const { return find_reading(layer_.rope_type); }

  void apply() {
    EngineInput engine{facts_, fields_, layer_, options_.seq_len, {}};
    read_as(options_.engine, engine);
    for (const std::string& warning : engine.warnings) warn(fields_.path() + warning);
    try {
      layer_.scaled = scale(layer_.spec, {layer_.base, layer_.head_dim, layer_.rotary_dim,
                                          facts_.context, engine.seq_len});
      check_as(options_.engine, layer_);
    } catch (const Error& error) {
      throw Error(error.kind(), fields_.subject() + error.what(), error.remedy());
    }
    for (const std::string& warning : layer_.scaled.warnings)
      if (!told(warning)) warn(fields_.path() + warning);
    if (facts_.latent_attention() && reading().latent_softmax_factor != nullptr)
      layer_.softmax_factor = reading().latent_softmax_factor(layer_);
  }

  /// Whether a warning of the rule was given above, in the words of the file.
  bool told(std::string_view warning) const {
    return warning.starts_with("a factor below 1") ||
           std::ranges::any_of(reading().told, [&](std::string_view beginning) {
             return warning.starts_with(beginning);
           });
  }

  const Fields& fields_;
  const LayerFacts& facts_;
  const ReadOptions& options_;
  const ScalingRule* rule_ = nullptr;
  LayerRope layer_;
};

}  // namespace

bool LayerFacts::latent_attention() const {
  return model_type.starts_with("deepseek_v2") || model_type.starts_with("deepseek_v3") ||
         model_type.starts_with("longcat_flash") || model_type == "kimi_k2" ||
         model_type == "mistral4";
}

LayerRope read_rule(const Fields& parameters, const LayerFacts& facts, const ReadOptions& options) {
  return RuleReader(parameters, facts, options).read();
}

}  // namespace rope
