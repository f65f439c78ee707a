#include "rope/model/layer_types.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "rope/model/class_defaults.hpp"
#include "rope/model/layers_without.hpp"
#include "rope/model/listed_layers.hpp"
#include "rope/model/own_parameters.hpp"
#include "rope/model/root_base.hpp"
#include "rope/model/rope_keys.hpp"
#include "rope/model/rule_reader.hpp"
#include "rope/model/sections.hpp"
#include "rope/model/window.hpp"

namespace rope {
namespace {

const io::Json& empty_object() {
  static const io::Json empty = io::Json::object();
  return empty;
}

class LayerTypes {
 public:
  LayerTypes(const Fields& root, ConfigRoot& keys, const ChosenParameters& chosen,
             const LayerTypesRequest& request, ModelRope& model)
      : root_(root),
        keys_(keys),
        facts_(keys.facts),
        chosen_(chosen),
        request_(request),
        model_(model),
        parameters_(&chosen.object()) {}

  void read() {
    const std::vector<std::string> labels = layer_labels();
    if (is("deepseek_v4")) drop_single_objects();
    const bool nested = std::ranges::any_of(*parameters_, &io::Json::is_object);
    if (nested) {
      complete_objects(labels);
      read_nested(labels);
    } else {
      read_flat(labels);
    }
    number_layers();
  }

 private:
  void warn(const std::string& text) { root_.warn(text); }
  std::string key(std::string_view name) const { return root_.path() + std::string(name); }
  bool is(std::string_view type) const { return types().are(type); }
  TypeNames types() const {
    return {model_.model_type,
            request_.known != nullptr ? request_.known->model_type : std::string_view()};
  }
  const std::string& text_type() const { return request_.text_type; }

  /// One object for the layers of every type, or for those that its model scales.
  void read_flat(const std::vector<std::string>& labels) {
    warn_of_one_object();
    if (keys_.global_head_dim && *keys_.global_head_dim != facts_.head_dim) {
      add_layer("full_attention", *parameters_, parameters_path(), facts_);
      add_layer("sliding_attention", *parameters_, parameters_path(), facts_);
    } else if (is("deepseek_v4") || root_.find("compress_rope_theta") != nullptr) {
      read_compressed();
    } else if (const char* local = local_base_key()) {
      read_global_and_local(local);
    } else if (is("olmo3")) {
      add_layer("full_attention", *parameters_, parameters_path(), facts_of_layer_type());
      add_layer("sliding_attention", empty_object(), parameters_path(), facts_);
    } else if (rotates_in_windows_only()) {
      read_windows_only(labels);
    } else if (const auto listed = listed_layers(root_, facts_, is("step3p5"))) {
      read_listed(*listed);
    } else {
      add_layer("", *parameters_, parameters_path(), facts_);
    }
    warn_of_unread_types();
  }

  /// The names of layer_types, each once.
  std::vector<std::string> layer_labels() {
    if (is("deepseek_v4"))
      return compresses_every_layer(root_) ? std::vector<std::string>{"compress"}
                                           : std::vector<std::string>{"main", "compress"};
    std::vector<std::string> labels;
    const io::Json* const types = root_.find("layer_types");
    if (types == nullptr) {
      const auto of_class = layer_types_of_class(text_type());
      return {of_class.begin(), of_class.end()};
    }
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
           "num_hidden_layers is " + std::to_string(*layers) + ": make them agree");
    return labels;
  }

  /// Classes that have an object for each layer type ignore one that stands for all, or fail on it;
  /// rope_scaling some of them lay over their objects.
  void warn_of_one_object() {
    if (request_.options.engine == Engine::hf4 || request_.known == nullptr ||
        root_.find("auto_map") != nullptr)
      return;
    if (layer_types_of_class(text_type()).empty()) return;
    for (const char* const name : {"rope_parameters", "rope_scaling"}) {
      const io::Json* const object = root_.find(name);
      if (object == nullptr || !object->is_object() || object->empty()) continue;
      if (name == std::string_view("rope_scaling") && lays_scaling_over(text_type())) continue;
      warn(key(name) + " is used here, though the class of " + text_type() +
           " reads one object for " +
           "each layer type, and ignores this one or fails: write one object for each type");
    }
  }

  /// DeepSeek-V4's class reads its two objects together only, and takes the rest for the
  /// parameters of all layers.
  void drop_single_objects() {
    const auto is_object = [&](const char* name) {
      const auto found = parameters_->find(name);
      return found != parameters_->end() && found->is_object();
    };
    if (is_object("main") && is_object("compress")) return;
    io::Json flat = *parameters_;
    for (const auto& [name, value] : parameters_->items()) {
      if (!value.is_object()) continue;
      warn(parameters_path() + io::in_quotes(name, 60) +
           " is ignored: transformers reads objects " +
           "here only if both main and compress are present; write both");
      flat.erase(name);
    }
    completed_ = std::move(flat);
    parameters_ = &completed_;
  }

  /// Classes that make an object for each layer type make it where it is missing or null, too.
  ///
  /// Source    transformers 5, configuration_*.py (convert_rope_params_to_dict).
  void complete_objects(const std::vector<std::string>& labels) {
    if (!lays_scaling_over(text_type())) return;
    completed_ = *parameters_;
    for (const std::string_view layers : layer_types_of_class(text_type())) {
      const std::string name(layers);
      if (std::ranges::find(labels, name) == labels.end()) continue;
      io::Json& object = completed_[name];
      if (!object.is_null()) continue;
      object = {{"rope_type", "default"}};
      warn(parameters_path() + name + " is missing or null, so the class of " + model_.model_type +
           " uses rope_type default for these layers: set it");
    }
    parameters_ = &completed_;
  }

  /// Types whose layers of full attention rotate nothing.
  bool rotates_in_windows_only() const {
    const bool windows = !root_.has("sliding_window") || root_.find("sliding_window") != nullptr;
    if (is("exaone4") || is("exaone_moe")) return windows;
    return is("afmoe") || is("cohere2") || is("cohere2_moe");
  }

  void read_windows_only(const std::vector<std::string>& labels) {
    const auto named = [&](const char* label) {
      return labels.empty() || std::ranges::find(labels, label) != labels.end();
    };
    const bool windows =
        !is("cohere2") || !root_.has("sliding_window") || root_.find("sliding_window") != nullptr;
    if (named("full_attention") || !windows) add_nope("full_attention");
    if (named("sliding_attention") && windows)
      add_layer("sliding_attention", *parameters_, parameters_path(), facts_);
    if (is("cohere2_moe"))
      model_.notes.emplace_back(
          "the dense layers at the start also rotate if prefix_dense_sliding_window_pattern is 1");
    if (model_.layers.empty()) add_layer("", *parameters_, parameters_path(), facts_);
  }

  /// One number a layer.
  void read_listed(const ListedLayers& listed) {
    if (listed.bases) keys_.missing_base.clear();
    for (const LayerGroup& group : listed.groups) {
      if (group.base == 0) {
        add_nope(group.label());
        model_.layers.back().layers = group.layers;
        continue;
      }
      LayerFacts facts = facts_;
      facts.base = group.base;
      facts.root_base.reset();
      if (listed.partials) {
        facts.partial = group.partial;
        facts.partial_of_rules.reset();
        facts.class_turns_whole_heads = false;  // no class reads such a list: its own code does
      }
      add_layer(listed.groups.size() == 1 ? "" : group.label(),
                group.scaled ? *parameters_ : empty_object(), parameters_path(), facts);
      if (listed.groups.size() > 1) model_.layers.back().layers = group.layers;
    }
  }

  std::string parameters_path() const { return key(chosen_.name) + "."; }

  void add_layer(const std::string& name, const io::Json& parameters, const std::string& path,
                 LayerFacts facts) {
    if (model_.layers.size() == kMostLayerTypes)
      throw Error(ErrorKind::invalid_input,
                  root_.subject() + "expected at most " + std::to_string(kMostLayerTypes) +
                      " kinds of layer, found more",
                  "Layers with the same base and rotated fraction count as one kind.");
    facts.name = name;
    if (keys_.global_head_dim && name == "full_attention") facts.head_dim = *keys_.global_head_dim;
    std::vector<std::string> warnings;
    const bool legacy = chosen_.name == "rope_scaling" && !request_.version_4;
    OwnParameters own =
        own_parameters(request_.version_4 ? as_version_4(parameters, facts) : parameters, facts,
                       {.types = types(),
                        .legacy_key = legacy ? key("rope_scaling.type") : "",
                        .seq_len = request_.options.seq_len,
                        .engine = request_.options.engine});
    if (!own.warning.empty() && std::ranges::count(model_.warnings, own.warning) == 0)
      warn(own.warning);
    if (!own.note.empty()) model_.notes.push_back(std::move(own.note));
    if (!own.rope_type.empty()) facts.root_base.reset();
    const Fields fields(own.parameters, path, warnings);
    if (fields.find("rope_theta") == nullptr) warn_once(keys_.missing_base);
    LayerRope layer = read_rule(fields, facts, request_.options);
    const bool of_rule = facts.partial_of_rules_alone && facts.partial_of(layer.rope_type);
    if (fields.find("partial_rotary_factor") == nullptr && !of_rule)
      warn_once(keys_.missing_partial);
    layer.warnings = std::move(warnings);
    if (!own.rope_type.empty()) layer.rope_type = own.rope_type;
    layer.window = window_of(root_, text_type(), name);
    const std::string type = text_type();
    const std::string note = take_sections(
        layer, {model_.model_type, request_.outer_type, type, fields.flag("mrope_interleaved")});
    if (!note.empty()) model_.notes.push_back(note);
    model_.layers.push_back(std::move(layer));
  }

  /// Version 4 reads the base and the rotated fraction at the root alone, and the original length
  /// there for LongRoPE alone.
  static io::Json as_version_4(const io::Json& parameters, LayerFacts& facts) {
    io::Json older = parameters;
    older.erase("rope_theta");
    older.erase("partial_rotary_factor");
    facts.partial_of_rules.reset();
    if (!older.contains("short_factor")) facts.root_original.reset();
    facts.root_base.reset();
    return older;
  }

  /// The numbers of the layers of each kind, where the file or its class tells.
  void number_layers() {
    for (LayerRope& layer : model_.layers)
      if (layer.layers.empty()) layer.layers = layers_called(root_, text_type(), layer.name);
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

  /// Where the class reads one object for all, or layer_types that are missing.
  void warn_of_objects(const std::vector<std::string>& labels) {
    if (has_one_object())
      warn(key(chosen_.name) + " is used here, though the class of " + text_type() + " reads one " +
           "object for all layers, and ignores these objects or fails: write one object");
    else if (labels.empty() && !makes_layer_types(text_type()))
      warn(key("layer_types") + " is missing, so transformers takes " + chosen_.name +
           " as the parameters of all layers and finds none in it; here, its objects are read as "
           "layer " +
           "types: write layer_types" + near_key(root_, "layer_types"));
  }

  /// One object for each layer type.
  void read_nested(const std::vector<std::string>& labels) {
    warn_of_objects(labels);
    for (const auto& [name, value] : parameters_->items()) {
      const bool label = std::ranges::find(labels, name) != labels.end();
      // Classes write the parameters of all their layer types, and that there is no rule.
      if (!label && !labels.empty() && (chosen_.of_class || is_of_class(name))) continue;
      if (name == "rope_type" && value == "default") continue;
      if (!label && name == "main" && is("deepseek_v4")) {
        note_unused_main();
        continue;
      }
      if (!label && !value.is_object()) {
        if (value.is_null() && labels.empty()) {
          add_nope(name);
          continue;
        }
        warn_of_stray(name, value, labels);
        continue;
      }
      if (!label && !labels.empty()) warn_of_name(name, labels);
      add_layer_type(name, value);
    }
    if (is("deepseek_v4"))
      warn_of_unread_types();
    else
      warn_of_missing(labels);
    warn_of_root_base();
  }

  /// Whether the class has one object of parameters and no layer types: an older one that makes
  /// none.
  bool has_one_object() const {
    return request_.of_version_4 && root_.find("auto_map") == nullptr &&
           !makes_layer_types(text_type());
  }

  /// Where no version of the class reads a base outside of the objects.
  void warn_of_root_base() {
    if (!by_layer_type_only() || !facts_.root_base) return;
    const bool same = std::ranges::any_of(*parameters_, [&](const io::Json& object) {
      return object.is_object() && object.value("rope_theta", io::Json()) == *facts_.root_base;
    });
    if (!same)
      warn(key("rope_theta") + ": " + shown(*facts_.root_base) + " is ignored: the class of " +
           model_.model_type + " reads the bases from " + chosen_.name + "; write it there");
  }

  /// Of a member beside the objects.
  void warn_of_stray(const std::string& name, const io::Json& value,
                     const std::vector<std::string>& labels) {
    if (value.is_null()) return warn_of_name(name, labels);
    warn(parameters_path() + io::in_quotes(name, 60) +
         " is ignored because each layer type has an " +
         "object of its own: move this key into each of them");
  }

  /// Of an object that no layer type is called as.
  void warn_of_name(const std::string& name, const std::vector<std::string>& labels) {
    const bool of_file = root_.has("layer_types") || is("deepseek_v4");
    warn(parameters_path() + io::in_quotes(name, 60) + " is not a " +
         (of_file ? "name in layer_types" : "layer type of the class of " + model_.model_type) +
         " (" + joined(labels) + "): no layer has these parameters; correct the name");
  }

  /// The layers of one type, by its object.
  void add_layer_type(const std::string& name, const io::Json& value) {
    if (value.is_null()) return add_nope(name);
    if (!value.is_object())
      throw Error(ErrorKind::invalid_input,
                  parameters_path() + name + ": expected an object or null, found " + shown(value),
                  "Each layer type has an object of its own.");
    LayerFacts facts = facts_;
    facts.in_layer_type = true;
    if (name == "compress" && is("deepseek_v4")) take_compressed_base(facts);
    // A nested object is completed from the root's length alone.
    facts.root_original.reset();
    if (by_layer_type_only()) facts.root_base.reset();
    if (name == "sliding_attention" && lays_scaling_over(text_type()) && !is("olmo3"))
      take_local_base(facts, local_base_key());
    add_layer(name, value, parameters_path() + name + ".", facts);
  }

  void warn_of_missing(const std::vector<std::string>& labels) {
    for (const std::string& label : labels)
      if (!parameters_->contains(label) && !has_no_queries(label))
        warn(parameters_path() + label + " is missing, though " +
             (root_.has("layer_types") ? "layer_types names it"
                                       : "the class of " + model_.model_type + " has such layers") +
             ": transformers fails in that case; add its parameters, or null for no rotation");
  }

  /// Layers whose type is the name of no parameters.
  void warn_of_unread_types() {
    const io::Json* const types = root_.find("layer_types");
    if (types == nullptr || model_.layers.front().name.empty() ||
        model_.layers.front().name.starts_with("layers "))
      return;
    std::vector<std::string> known = {"sliding_attention", "compressed_sparse_attention",
                                      "heavily_compressed_attention"};
    if (!is("deepseek_v4")) {
      known.clear();
      for (const LayerRope& layer : model_.layers) known.push_back(layer.name);
    }
    std::vector<std::string> told;
    for (const io::Json& type : *types) {
      const auto* const name = type.get_ptr<const std::string*>();
      if (name == nullptr || has_no_queries(*name) || std::ranges::count(known, *name) > 0 ||
          std::ranges::count(told, *name) > 0)
        continue;
      told.push_back(*name);
      warn(key("layer_types") + " names " + io::in_quotes(*name, 60) + ", which is not one of " +
           joined(known) + ": " +
           (is("deepseek_v4") ? "transformers rejects it"
                              : "the rotation of these layers is not shown") +
           "; correct the name");
    }
  }

  /// Whether the class has a layer type of this name.
  bool is_of_class(const std::string& name) const {
    const auto parameters = find_class_parameters(text_type());
    return std::ranges::count(layer_types_of_class(text_type()), name) > 0 ||
           (parameters && is_by_layer_type(*parameters) && parameters->parameters->contains(name));
  }

  /// Whether no version of the class reads a base outside of the objects of its layer types.
  bool by_layer_type_only() const {
    const auto parameters = find_class_parameters(text_type());
    return parameters && is_by_layer_type(*parameters);
  }

  static std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
  }

  /// The facts for parameters that version 5 puts into an object of their layer type.
  LayerFacts facts_of_layer_type() const {
    LayerFacts facts = facts_;
    facts.in_layer_type = lays_scaling_over(text_type()) || is("deepseek_v4");
    return facts;
  }

  /// The key of the base of local layers, if this is a model with local and global layers.
  const char* local_base_key() const {
    const auto has = [&](const char* name) { return root_.has(name); };
    if (has("local_rope_theta") || has("global_rope_theta") || is("modernbert") ||
        is("modernbert-decoder"))
      return "local_rope_theta";
    if (has("swa_rope_theta")) return "swa_rope_theta";
    if (has("rope_local_theta")) return "rope_local_theta";  // PLaMo 3
    if (has("rope_local_base_freq") || is("gemma3_text") || is("gemma3n_text") ||
        is("t5gemma2_text") || is("t5gemma2_decoder"))
      return "rope_local_base_freq";
    return nullptr;
  }

  void take_local_base(LayerFacts& facts, const char* local) const {
    const bool null = root_.has(local) && root_.find(local) == nullptr;
    facts.root_base = root_.number(local);
    facts.base = facts.root_base.value_or(null ? facts_.base : kUsualBase);
    facts.base_key = local;
  }

  /// Of a type that is not known.
  void warn_of_untold_layers() {
    const auto has = [&](const char* name) { return root_.find(name) != nullptr; };
    if (request_.known == nullptr &&
        std::ranges::none_of(std::array{"layer_types", "hybrid_layer_pattern",
                                        "sliding_window_pattern", "_sliding_window_pattern"},
                             has))
      warn(key("layer_types") +
           " is missing, so the report cannot show which layers use which base: write " + "it");
  }

  void read_global_and_local(const char* local) {
    warn_of_untold_layers();
    LayerFacts facts = facts_of_layer_type();
    add_layer("full_attention", *parameters_, parameters_path(), facts);
    if (const auto own = root_.positive_integer("swa_head_dim"))
      facts.head_dim = static_cast<std::size_t>(*own);
    take_local_base(facts, local);
    if (!root_.has(local))
      warn(key(local) + " is missing, so 10000, the default, is used for the local layers: " +
           "set it" + near_key(root_, local));
    const bool scaled = chosen_.name == "rope_scaling" && scales_every_layer_type(text_type());
    add_layer("sliding_attention", scaled ? *parameters_ : empty_object(),
              scaled ? parameters_path() : root_.path(), facts);
  }

  void take_compressed_base(LayerFacts& facts) const {
    facts.root_base = root_.number("compress_rope_theta");
    facts.base = facts.root_base.value_or(160000);
    facts.base_key = "compress_rope_theta";
  }

  void note_unused_main() {
    model_.notes.push_back("no layer has a 0 in compress_ratios: base " + shown(facts_.base) +
                           ", the base of the window layers, is used only by layers that predict "
                           "further tokens, if at all");
  }

  /// What the class overwrites in the object with that of the root.
  void take_out_of_compressed(const char* name, double of_root, const std::string& keys) {
    const auto found = compressed_.find(name);
    if (found == compressed_.end()) return;
    if (*found != of_root)
      warn(parameters_path() + name + ": " + shown(*found) + " is ignored: the class of " +
           model_.model_type + " reads " + keys + " at the root; write " +
           (keys == name ? "that" : "those"));
    compressed_.erase(found);
  }

  /// DeepSeek-V4: window layers plain, compressed ones with a base of their own and the scaling.
  void read_compressed() {
    if (compresses_every_layer(root_))
      note_unused_main();
    else
      add_layer("main", empty_object(), root_.path(), facts_);
    LayerFacts facts = facts_of_layer_type();
    take_compressed_base(facts);
    compressed_ = *parameters_;
    take_out_of_compressed("rope_theta", facts_.base, "rope_theta and compress_rope_theta");
    take_out_of_compressed("partial_rotary_factor", facts.partial.value_or(1),
                           "partial_rotary_factor");
    const auto type = compressed_.find(compressed_.contains("rope_type") ? "rope_type" : "type");
    if (type != compressed_.end() && *type == "yarn" && !compressed_.contains("attention_factor")) {
      compressed_["attention_factor"] = 1.0;
      model_.notes.emplace_back("compressed layers: attention_factor 1, as in this model's code");
    }
    add_layer("compress", compressed_, parameters_path(), facts);
  }

  const Fields& root_;
  ConfigRoot& keys_;
  const LayerFacts& facts_;
  const ChosenParameters& chosen_;
  const LayerTypesRequest& request_;
  ModelRope& model_;
  const io::Json* parameters_;
  io::Json completed_;
  io::Json compressed_;
};

}  // namespace

void read_layer_types(const Fields& root, ConfigRoot& keys, const ChosenParameters& chosen,
                      const LayerTypesRequest& request, ModelRope& model) {
  LayerTypes(root, keys, chosen, request, model).read();
}

}  // namespace rope
