#include "rope/model/hugging_face.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "rope/model/class_defaults.hpp"
#include "rope/model/config_root.hpp"
#include "rope/model/fields.hpp"
#include "rope/model/known_models.hpp"
#include "rope/model/rope_keys.hpp"
#include "rope/model/rotation_signs.hpp"
#include "rope/model/rule_reader.hpp"

namespace rope {
namespace {

constexpr std::size_t kMostLayerTypes = 64;

const io::Json& empty_object() {
  static const io::Json empty = io::Json::object();
  return empty;
}

/// "3, 7, 11 … 47", short enough for a line.
std::string short_list(const std::vector<std::size_t>& numbers) {
  constexpr std::size_t kMost = 6;
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers.size() > kMost && i == kMost - 2) {
      text += " … " + std::to_string(numbers.back());
      break;
    }
    text += (text.empty() ? "" : ", ") + std::to_string(numbers[i]);
  }
  return text;
}

/// The object that describes the text model: the root, or a part of a multimodal model.
struct TextPart {
  const io::Json* object;
  std::string path;  ///< "" or "text_config."
};

TextPart text_part(const io::Json& root) {
  TextPart part{&root, ""};
  for (int depth = 0; depth < 3; ++depth) {
    bool deeper = false;
    for (const char* key : {"text_config", "language_config", "llm_config", "thinker_config"}) {
      const auto found = part.object->find(key);
      if (found == part.object->end() || !found->is_object()) continue;
      part = {&*found, part.path + key + "."};
      deeper = true;
      break;
    }
    if (!deeper) break;
  }
  return part;
}

class ConfigReader {
 public:
  ConfigReader(const io::Json& config, const std::string& name, const ReadOptions& options)
      : options_(options),
        part_(text_part(config)),
        root_(*part_.object, name + ": " + part_.path, model_.warnings) {
    model_.name = name;
    if (!part_.path.empty()) {
      model_.notes.push_back("read from " + part_.path.substr(0, part_.path.size() - 1) +
                             ", the text model");
      const auto outer = config.find("model_type");
      if (outer != config.end() && outer->is_string()) outer_type_ = outer->get<std::string>();
    }
  }

  ModelRope read() {
    warn_of_root_keys(root_);
    model_.model_type = root_.text("model_type").value_or(outer_type_);
    known_ = find_known_model(model_.model_type);
    if (known_ == nullptr) known_ = find_known_model(outer_type_);
    refuse_without_rotation(root_, model_.model_type, known_ != nullptr);
    ConfigRoot root =
        read_config_root(root_, model_.model_type, known_, options_, !part_.path.empty());
    if (known_ == nullptr) require_sign_of_rotation(root_, model_.model_type);
    facts_ = root.facts;
    model_.context = facts_.context;
    std::ranges::move(root.notes, std::back_inserter(model_.notes));
    missing_base_ = std::move(root.missing_base);
    missing_partial_ = std::move(root.missing_partial);
    global_head_dim_ = root.global_head_dim;
    choose_parameters();
    read_layers();
    note_layers_without();
    return std::move(model_);
  }

 private:
  void warn(const std::string& text) { root_.warn(text); }
  std::string key(std::string_view name) const { return root_.path() + std::string(name); }
  bool is(std::string_view type) const { return model_.model_type == type; }

  // --- which object holds the parameters -------------------------------------------------------

  const io::Json* checked_object(std::string_view name) {
    const io::Json* const value = root_.find(name);
    if (value == nullptr || (value->is_boolean() && !value->get<bool>())) return nullptr;
    if (!value->is_object())
      root_.refuse(name, "an object or null",
                   R"(For example {"rope_type": "linear", "factor": 2.0}.)");
    return value->empty() ? nullptr : value;
  }

  /// rope_scaling, as a whole, where it holds anything; else rope_parameters.
  void choose_parameters() {
    const io::Json* const older = checked_object("rope_scaling");
    const io::Json* const newer = checked_object("rope_parameters");
    if (older != nullptr && newer != nullptr && *older != *newer)
      warn(key("rope_scaling") + " counts, and rope_parameters beside it is ignored as a whole: " +
           "put everything into rope_parameters and leave rope_scaling out");
    parameters_ = older != nullptr ? older : newer;
    parameters_name_ = older != nullptr ? "rope_scaling" : "rope_parameters";
    model_.schema = newer != nullptr && older == nullptr ? "rope_parameters" : "rope_scaling";
    if (parameters_ == nullptr && root_.find("rope_parameters") == nullptr) take_class_parameters();
    if (parameters_ == nullptr) parameters_ = &empty_object();
    note_dynamic_ntk();
  }

  /// What the class of the model type has where the file holds nothing.
  void take_class_parameters() {
    const std::optional<ClassParameters> found = find_class_parameters(model_.model_type);
    if (!found) return;
    const bool null = root_.has("rope_scaling");  // checked_object found nothing in it
    warn(key("rope_parameters") + " is missing, so the default of " + model_.model_type +
         " is taken, " + std::string(found->summary) +
         (null ? ", where v4 takes a rope_scaling of null for none" : "") + ": write it" +
         near_key(root_, "rope_parameters"));
    parameters_ = found->parameters;
    parameters_name_ = model_.schema = "rope_parameters";
  }

  void note_dynamic_ntk() {
    if (root_.flag("use_dynamic_ntk").value_or(false))
      warn(key("use_dynamic_ntk") + ": beyond " +
           (model_.context ? std::to_string(*model_.context) : std::string("the context")) +
           " tokens this model's own code raises the base with the length, which is not shown: " +
           "these are the frequencies up to there");
  }

  // --- layers ----------------------------------------------------------------------------------

  /// The names of layer_types, each once.
  std::vector<std::string> layer_labels() {
    if (is("deepseek_v4")) return {"main", "compress"};
    std::vector<std::string> labels;
    const io::Json* const types = root_.find("layer_types");
    if (types == nullptr) return labels;
    if (!types->is_array())
      root_.refuse("layer_types", "a list of names", "Write one name for each layer.");
    for (const io::Json& type : *types) {
      if (!type.is_string())
        throw Error(ErrorKind::invalid_input,
                    key("layer_types") + ": expected names, found " + shown(type),
                    "Write one name for each layer, such as \"full_attention\".");
      const auto label = type.get<std::string>();
      if (std::ranges::find(labels, label) == labels.end()) labels.push_back(label);
    }
    const auto layers = root_.first_integer({"num_hidden_layers"});
    if (layers && static_cast<std::size_t>(*layers) != types->size())
      warn(key("layer_types") + " names " + std::to_string(types->size()) + " layers, but " +
           "num_hidden_layers is " + std::to_string(*layers) + ": let them agree");
    return labels;
  }

  void read_layers() {
    const std::vector<std::string> labels = layer_labels();
    const bool nested =
        std::ranges::any_of(*parameters_, [](const io::Json& value) { return value.is_object(); });
    if (nested) {
      read_nested(labels);
    } else if (global_head_dim_ && *global_head_dim_ != facts_.head_dim) {
      add_layer("full_attention", *parameters_, parameters_path(), facts_);
      add_layer("sliding_attention", *parameters_, parameters_path(), facts_);
    } else if (is("deepseek_v4") || root_.find("compress_rope_theta") != nullptr) {
      read_compressed();
    } else if (const char* local = local_base_key()) {
      read_global_and_local(local);
    } else if (is("olmo3")) {
      add_layer("full_attention", *parameters_, parameters_path(), facts_);
      add_layer("sliding_attention", empty_object(), parameters_path(), facts_);
    } else if (is("cohere2") || (is("exaone4") && root_.find("sliding_window") != nullptr)) {
      add_nope("full_attention");
      add_layer("sliding_attention", *parameters_, parameters_path(), facts_);
    } else if (!read_listed_layers()) {
      add_layer("", *parameters_, parameters_path(), facts_);
    }
  }

  std::string parameters_path() const { return key(parameters_name_) + "."; }

  void add_layer(const std::string& name, const io::Json& parameters, const std::string& path,
                 LayerFacts facts) {
    if (model_.layers.size() == kMostLayerTypes)
      throw Error(ErrorKind::invalid_input,
                  root_.subject() + "expected at most " + std::to_string(kMostLayerTypes) +
                      " kinds of layers, found more",
                  "Layers with the same base and rotated fraction are one kind.");
    facts.name = name;
    if (global_head_dim_ && name == "full_attention") facts.head_dim = *global_head_dim_;
    std::vector<std::string> warnings;
    const Fields fields(parameters, path, warnings);
    if (fields.find("rope_theta") == nullptr) warn_once(missing_base_);
    if (fields.find("partial_rotary_factor") == nullptr) warn_once(missing_partial_);
    LayerRope layer = read_rule(fields, facts, options_);
    layer.warnings = std::move(warnings);
    if (!layer.sections.empty()) note_sections(layer, fields.flag("mrope_interleaved"));
    model_.layers.push_back(std::move(layer));
  }

  void warn_once(std::string& warning) {
    if (!warning.empty()) warn(warning);
    warning.clear();
  }

  void add_nope(const std::string& name) {
    LayerRope layer;
    layer.name = name;
    layer.rope_type = "none";
    layer.head_dim = facts_.head_dim;
    layer.layout = facts_.layout;
    model_.layers.push_back(std::move(layer));
    model_.notes.push_back("the layers of type " + name + " rotate nothing (NoPE)");
  }

  void note_sections(const LayerRope& layer, std::optional<bool> interleaved) {
    std::string text;
    for (const std::int64_t section : layer.sections)
      text += (text.empty() ? "" : " + ") + std::to_string(section);
    model_.notes.push_back("M-RoPE, " +
                           std::string(interleaved.value_or(false) ? "interleaved, " : "") +
                           "sections of " + text + " pairs for time, height and width: text has " +
                           "one position for all three, and is rotated as shown");
  }

  /// One object for each layer type.
  void read_nested(const std::vector<std::string>& labels) {
    if (labels.empty() && !fills_in_layer_types())
      warn(key("layer_types") + " is missing, so transformers takes " + parameters_name_ +
           " for the parameters of all layers and finds none; here its objects are read as layer " +
           "types: write layer_types" + near_key(root_, "layer_types"));
    for (const auto& [name, value] : parameters_->items()) {
      const bool label = std::ranges::find(labels, name) != labels.end();
      if (!label && !value.is_object()) {
        if (value.is_null() && labels.empty()) {
          add_nope(name);
          continue;
        }
        warn(parameters_path() + io::in_quotes(name, 60) +
             " is ignored beside the objects of the " + "layer types: move it into each of them");
        continue;
      }
      if (!label && !labels.empty())
        warn(parameters_path() + io::in_quotes(name, 60) + " is no name in layer_types (" +
             joined(labels) + "): no layer has these parameters; correct the name");
      if (value.is_null()) {
        add_nope(name);
        continue;
      }
      if (!value.is_object())
        throw Error(
            ErrorKind::invalid_input,
            parameters_path() + name + ": expected an object or null, found " + shown(value),
            "Each layer type has an object of its own.");
      LayerFacts facts = facts_;
      if (name == "compress" && is("deepseek_v4"))
        facts.base = root_.number("compress_rope_theta").value_or(160000);
      // A nested object is completed from the root's length alone.
      facts.root_original.reset();
      add_layer(name, value, parameters_path() + name + ".", facts);
    }
    for (const std::string& label : labels)
      if (!parameters_->contains(label) && !is("deepseek_v4"))
        warn(parameters_path() + label + " is missing, though layer_types names it: " +
             "transformers fails there; add its parameters, or null for no rotation");
  }

  /// Classes that make layer_types themselves where the file has none.
  bool fills_in_layer_types() const {
    return is("gemma4_text") || is("gemma4") || is("gemma3_text") || is("gemma3n_text") ||
           is("modernbert") || is("olmo3");
  }

  static std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
  }

  /// The key of the base of local layers, if this is a model with local and global layers.
  const char* local_base_key() const {
    if (root_.has("local_rope_theta") || root_.has("global_rope_theta") || is("modernbert"))
      return "local_rope_theta";
    if (root_.has("rope_local_base_freq") || is("gemma3") || is("gemma3_text") ||
        is("gemma3n_text"))
      return "rope_local_base_freq";
    return nullptr;
  }

  void read_global_and_local(const std::string& local) {
    add_layer("full_attention", *parameters_, parameters_path(), facts_);
    LayerFacts facts = facts_;
    const bool null = root_.has(local) && root_.find(local) == nullptr;
    facts.base = root_.number(local).value_or(null ? facts_.base : kUsualBase);
    facts.root_base.reset();
    if (!root_.has(local))
      warn(key(local) + " is missing, so 10000, the default, is taken for the local layers: " +
           "write it" + near_key(root_, local));
    add_layer("sliding_attention", empty_object(), root_.path(), facts);
  }

  /// DeepSeek-V4: window layers plain, compressed ones with a base of their own and the scaling.
  void read_compressed() {
    add_layer("main", empty_object(), root_.path(), facts_);
    LayerFacts facts = facts_;
    facts.base = root_.number("compress_rope_theta").value_or(160000);
    facts.root_base.reset();
    compressed_ = *parameters_;
    compressed_.erase("rope_theta");
    const auto type = compressed_.find(compressed_.contains("rope_type") ? "rope_type" : "type");
    if (type != compressed_.end() && *type == "yarn" && !compressed_.contains("attention_factor")) {
      compressed_["attention_factor"] = 1.0;
      model_.notes.emplace_back(
          "compressed layers: attention_factor 1, as this model's code has it");
    }
    add_layer("compress", compressed_, parameters_path(), facts);
  }

  // --- one number a layer ----------------------------------------------------------------------

  /// What a list says of layer i; the one number of the root otherwise.
  static double at(const std::optional<std::vector<double>>& list, std::size_t i,
                   double otherwise) {
    return list && i < list->size() ? (*list)[i] : otherwise;
  }

  std::optional<std::vector<double>> list_of(std::string_view name) const {
    const io::Json* const value = root_.find(name);
    return value != nullptr && value->is_array() ? root_.numbers(name) : std::nullopt;
  }

  void warn_of_count(const std::string& list, std::size_t count) {
    const auto layers = root_.first_integer({"num_hidden_layers"});
    if (layers && static_cast<std::size_t>(*layers) != count)
      warn(key(list) + " has " + std::to_string(count) + " numbers, but num_hidden_layers is " +
           std::to_string(*layers) + ": write one for each layer");
  }

  /// layer_rope_theta, or lists as rope_theta and partial_rotary_factors: groups of equal layers.
  bool read_listed_layers() {
    auto bases = list_of("layer_rope_theta");
    const std::string name = bases ? "layer_rope_theta" : "rope_theta";
    if (!bases) bases = list_of("rope_theta");
    auto partials = list_of("partial_rotary_factors");
    if (!partials) partials = list_of("partial_rotary_factor");
    const std::size_t count = std::max(bases ? bases->size() : 0, partials ? partials->size() : 0);
    if (count == 0) return false;
    warn_of_count(bases ? name : "partial_rotary_factors", count);
    if (bases && partials && bases->size() != partials->size())
      warn(key("partial_rotary_factors") + " has " + std::to_string(partials->size()) +
           " numbers, but " + name + " has " + std::to_string(bases->size()) +
           ": write one for each layer");
    struct Group {
      double base;
      double partial;
      std::vector<std::size_t> layers;
    };
    std::vector<Group> groups;
    for (std::size_t i = 0; i < count; ++i) {
      const double base = at(bases, i, facts_.base);
      const double partial = at(partials, i, facts_.partial.value_or(1));
      auto found = std::ranges::find_if(groups, [&](const Group& group) {
        return group.base == base && group.partial == partial;
      });
      if (found == groups.end()) found = groups.insert(groups.end(), Group{base, partial, {}});
      found->layers.push_back(i);
      if (groups.size() > kMostLayerTypes) break;  // add_layer refuses
    }
    if (bases) missing_base_.clear();
    for (const Group& group : groups) {
      const std::string label = "layers " + short_list(group.layers);
      if (group.base == 0) {
        add_nope(label);
        continue;
      }
      LayerFacts facts = facts_;
      facts.base = group.base;
      facts.root_base.reset();
      if (partials) facts.partial = group.partial;
      add_layer(groups.size() == 1 ? "" : label, *parameters_, parameters_path(), facts);
    }
    return true;
  }

  // --- layers that rotate nothing --------------------------------------------------------------

  void note_layers_without() {
    const auto layers = root_.first_integer({"num_hidden_layers"});
    const bool by_model = is("llama4_text") || is("llama4") || is("smollm3");
    if (const auto flags = root_.numbers("no_rope_layers"); flags && !flags->empty()) {
      std::vector<std::size_t> without;
      for (std::size_t i = 0; i < flags->size(); ++i)
        if ((*flags)[i] == 0) without.push_back(i);
      if (layers && static_cast<std::size_t>(*layers) != flags->size())
        warn(key("no_rope_layers") + " has " + std::to_string(flags->size()) +
             " numbers, but num_hidden_layers is " + std::to_string(*layers) +
             ": write one for each layer, 1 where it rotates");
      if (!without.empty())
        model_.notes.push_back(std::to_string(without.size()) + " of " +
                               std::to_string(flags->size()) +
                               " layers rotate nothing (NoPE): " + short_list(without));
      return;
    }
    const auto interval = root_.positive_integer("no_rope_layer_interval");
    if (interval || by_model)
      model_.notes.push_back("every " + ordinal(interval.value_or(4)) +
                             " layer rotates nothing (NoPE)");
  }

  static std::string ordinal(std::int64_t n) {
    const bool teen = n % 100 >= 11 && n % 100 <= 13;
    const char* ending = "th";
    if (!teen && n % 10 == 1) ending = "st";
    if (!teen && n % 10 == 2) ending = "nd";
    if (!teen && n % 10 == 3) ending = "rd";
    return std::to_string(n) + ending;
  }

  const ReadOptions& options_;
  ModelRope model_;
  std::string outer_type_;
  TextPart part_;
  Fields root_;
  const KnownModel* known_ = nullptr;
  LayerFacts facts_;
  const io::Json* parameters_ = nullptr;
  std::string parameters_name_;
  io::Json compressed_;
  std::string missing_base_;  // warnings that are due once, if a layer needs the default
  std::string missing_partial_;
  std::optional<std::size_t> global_head_dim_;
};

}  // namespace

ModelRope read_hugging_face(const io::Json& config, const std::string& name,
                            const ReadOptions& options) {
  if (!config.is_object())
    throw Error(ErrorKind::invalid_input, name + ": expected a JSON object, found " + shown(config),
                "Give the config.json of a model.");
  return ConfigReader(config, name, options).read();
}

}  // namespace rope
