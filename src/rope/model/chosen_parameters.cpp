#include "rope/model/chosen_parameters.hpp"

#include <algorithm>
#include <utility>

#include "rope/model/class_defaults.hpp"
#include "rope/model/own_parameters.hpp"
#include "rope/model/rope_keys.hpp"

namespace rope {
namespace {

class Chooser {
 public:
  Chooser(const Fields& root, const ChoiceRequest& request) : root_(root), request_(request) {}

  /// rope_scaling, as a whole, where it holds anything; else rope_parameters.
  ChosenParameters choose() {
    const bool read = request_.reads_parameters;
    const bool of_version_4 = request_.version_4;
    for (const char* name : {"rope_scaling", "rope_parameters"})
      if (!read && checked_object(name) != nullptr)
        warn(key(name) + " is ignored: the code of " + request_.model_type + " does not read it");
    const io::Json* const older = read ? checked_object("rope_scaling") : nullptr;
    const io::Json* const newer =
        read && !of_version_4 ? checked_object("rope_parameters") : nullptr;
    if (read && of_version_4 && checked_object("rope_parameters") != nullptr)
      warn(key("rope_parameters") + " is ignored: transformers 4 reads rope_theta and " +
           "rope_scaling at the root");
    if (older != nullptr && newer != nullptr && lay_over(*older, *newer)) {
      note_dynamic_ntk();
      return std::move(chosen_);
    }
    if (older != nullptr && newer != nullptr && *older != *newer)
      warn(key("rope_scaling") + " takes precedence, and rope_parameters is ignored as a whole: " +
           "put everything into rope_parameters and leave rope_scaling out");
    chosen_.found = older != nullptr ? older : newer;
    chosen_.name = older != nullptr ? "rope_scaling" : "rope_parameters";
    chosen_.schema = newer != nullptr && older == nullptr ? "rope_parameters" : "rope_scaling";
    if (chosen_.found == nullptr) take_attention_parameters();
    if (chosen_.found == nullptr) take_parameters_of_root();
    if (chosen_.found == nullptr && !chosen_.made) take_class_parameters();
    if (chosen_.found == nullptr && !chosen_.made) chosen_.made = io::Json::object();
    note_dynamic_ntk();
    return std::move(chosen_);
  }

 private:
  void warn(const std::string& text) { root_.warn(text); }
  std::string key(std::string_view name) const { return root_.path() + std::string(name); }

  const io::Json* checked_object(std::string_view name) {
    const io::Json* const value = root_.find(name);
    if (value == nullptr || (value->is_boolean() && !value->get<bool>())) return nullptr;
    if (!value->is_object())
      root_.refuse(name, "an object or null",
                   R"(For example {"rope_type": "linear", "factor": 2.0}.)");
    return value->empty() ? nullptr : value;
  }

  /// What rope_scaling names counts in the object of full attention, or in all, in the classes that
  /// lay it over; false where the class does not, or fails.
  ///
  /// Source    transformers 5, configuration_*.py (convert_rope_params_to_dict).
  bool lay_over(const io::Json& older, const io::Json& newer) {
    if (!lays_scaling_over(request_.text_type)) return false;
    if (std::ranges::any_of(older, [](const io::Json& value) { return value.is_object(); }))
      return false;
    const bool all = scales_every_layer_type(request_.text_type);
    io::Json laid = newer;
    for (const char* const layers : {"full_attention", "sliding_attention"}) {
      if (!all && std::string_view(layers) != "full_attention") continue;
      const auto found = laid.find(layers);
      if (found == laid.end() || !found->is_object()) return false;
      found->update(older);
    }
    if (laid != newer)
      warn(key("rope_scaling") + " overrides the same keys in rope_parameters" +
           (all ? "" : ".full_attention") + ", whose other keys are kept: put everything into " +
           "rope_parameters and leave rope_scaling out");
    chosen_.made = std::move(laid);
    chosen_.name = chosen_.schema = "rope_parameters";
    return true;
  }

  /// MPT's rope_hf_config, which its code gives to the classes of transformers
  /// (mosaicml/llm-foundry 8c8dd48f, llmfoundry/models/mpt/modeling_mpt.py).
  void take_attention_parameters() {
    const auto attention = root_.inner("attn_config");
    if (!attention) return;
    const io::Json* const used = attention->find("rope_impl");
    const auto rule = attention->inner("rope_hf_config");
    if (used == nullptr || *used != "hf" || !rule) return;
    const io::Json* const type = rule->find("type");
    if (type == nullptr || *type == "no_scaling") return;
    chosen_.found = &rule->object();
    chosen_.name = "attn_config.rope_hf_config";
  }

  /// YaRN by keys of the root, as in the original files of gpt-oss and in PLaMo 3.
  void take_parameters_of_root() {
    io::Json yarn = yarn_of_root(root_);
    if (yarn.is_null()) return;
    chosen_.made = std::move(yarn);
    chosen_.name = "rope_scaling_factor";
  }

  /// What the class of the model type has where the file holds nothing.
  void take_class_parameters() {
    const std::optional<ClassParameters> found = find_class_parameters(request_.text_type);
    if (!found) return;
    // Version 4 has rope_scaling alone, of which null is a value, too.
    if (request_.version_4 && (is_by_layer_type(*found) || root_.has("rope_scaling"))) return;
    const bool has_own = root_.has("swa_rope_theta");
    if (has_own) return warn_of_own_keys(*found->parameters);
    const bool empty = !request_.version_4 && root_.find("rope_parameters") != nullptr;
    chosen_.of_class = is_by_layer_type(*found);
    if (empty && !chosen_.of_class) return;
    const std::string elsewhere = empty ? ", although transformers fails in that case" : "";
    warn(key("rope_parameters") + (empty ? " is empty" : " is missing") + ", so the default of " +
         request_.model_type + " is used, " + std::string(found->summary) + elsewhere + ": set it" +
         near_key(root_, "rope_parameters"));
    chosen_.found = found->parameters;
    chosen_.name = chosen_.schema = "rope_parameters";
  }

  /// MiMo's own files hold at the root what its own code reads, and transformers does not.
  void warn_of_own_keys(const io::Json& of_class) {
    const auto warn_of = [&](const char* name, const char* layers, const char* parameter) {
      const auto own = root_.number(name);
      const auto other = of_class.at(layers).at(parameter).get<double>();
      if (own && *own != other)
        warn(key(name) + ": " + shown(*own) + " is used here, as in the model's own code, but " +
             "transformers v5 does not read this key at the root and uses " + shown(other) +
             ": set rope_parameters");
    };
    warn_of("rope_theta", "full_attention", "rope_theta");
    warn_of("swa_rope_theta", "sliding_attention", "rope_theta");
    warn_of("partial_rotary_factor", "full_attention", "partial_rotary_factor");
  }

  void note_dynamic_ntk() {
    if (root_.flag("use_dynamic_ntk").value_or(false))
      warn(key("use_dynamic_ntk") + ": beyond " +
           (request_.context ? std::to_string(*request_.context)
                             : std::string("an unknown number of")) +
           " tokens, this model's own code raises the base with the length: " +
           "the frequencies shown apply up to that length");
  }

  const Fields& root_;
  const ChoiceRequest& request_;
  ChosenParameters chosen_;
};

}  // namespace

ChosenParameters choose_parameters(const Fields& root, const ChoiceRequest& request) {
  return Chooser(root, request).choose();
}

}  // namespace rope
