#include "rope/model/hugging_face.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "rope/model/chosen_parameters.hpp"
#include "rope/model/config_root.hpp"
#include "rope/model/fields.hpp"
#include "rope/model/known_models.hpp"
#include "rope/model/layer_types.hpp"
#include "rope/model/layers_without.hpp"
#include "rope/model/model_identity.hpp"
#include "rope/model/own_parameters.hpp"
#include "rope/model/rope_keys.hpp"
#include "rope/model/rotation_signs.hpp"
#include "rope/model/served_length.hpp"
#include "rope/model/text_part.hpp"
#include "rope/model/typed_root.hpp"
#include "rope/model/version_4.hpp"
#include "rope/model/vision.hpp"

namespace rope {
namespace {

class ConfigReader {
 public:
  ConfigReader(const io::Json& config, const std::string& name, const ReadOptions& options)
      : options_(options),
        config_(config),
        part_(text_part(config)),
        root_(*part_.object, name + ": " + part_.path, model_.warnings) {
    model_.name = name;
    if (!part_.path.empty())
      model_.notes.push_back(
          "read from " + part_.path.substr(0, part_.path.size() - 1) +
          (part_.path == "dit_config." ? ", the part that rotates" : ", the text model"));
  }

  ModelRope read() {
    find_type();
    const Fields whole = root_;
    const TypedRoot typed(whole, model_.model_type, known_);
    members_ = typed.members_of_class();
    root_ = Fields(members_, whole.path(), model_.warnings);
    // A text part is no more than one of those that a model of images holds, but that of Pixtral,
    // of which the whole is called as its tower is.
    const bool of_images =
        rotates_over_an_image(part_.outer_type) && !is_vision_model(part_.outer_type);
    if (const auto why = reason_without_rotation(root_, of_images ? part_.outer_type : text_type(),
                                                 known_ != nullptr))
      return without_rotation(std::move(model_), *why);
    warn_of_root_keys(root_);
    if (known_ == nullptr || known_->model_type != model_.model_type) refuse_patches(root_);
    if (known_ == nullptr) require_sign_of_rotation(root_, model_.model_type);
    if (options_.engine == Engine::hf4) take_version_4();
    ConfigRoot root = read_config_root(root_, model_.model_type, known_, options_);
    typed.warn_of_foreign(root.facts);
    model_.context = root.facts.context;
    model_.latent_attention = root.latent_attention;
    std::ranges::move(root.notes, std::back_inserter(model_.notes));
    const ChosenParameters chosen =
        choose_parameters(root_, {.model_type = model_.model_type,
                                  .text_type = text_type(),
                                  .reads_parameters = reads_parameters(),
                                  .version_4 = version_4_,
                                  .context = model_.context});
    model_.schema = chosen.schema;
    const bool of_version_4 = known_ != nullptr && is_of_version_4();
    read_layer_types(root_, root, chosen,
                     {known_, text_type(), part_.outer_type, version_4_, of_version_4, options_},
                     model_);
    std::ranges::move(layers_without(root_, text_type()), std::back_inserter(model_.notes));
    take_rotated_part();
    take_served_length(model_, options_.engine);
    if (options_.engine == Engine::hf && of_version_4) warn_of_version_4();
    return std::move(model_);
  }

 private:
  /// RecurrentGemma's class reads them since version 5.
  bool reads_parameters() const {
    if (known_ == nullptr) return true;
    return !holds_its_base(known_->model_type) && !(version_4_ && is("recurrent_gemma"));
  }

  /// Other defaults of its class. Code that a model brings along is the same in both.
  void take_version_4() {
    if (known_ == nullptr || known_->max_position_embeddings + known_->hidden_size == 0) return;
    if (!is_of_version_4())
      throw Error(ErrorKind::invalid_input,
                  key("model_type") + ": expected a type that transformers 4 supports, found " +
                      io::in_quotes(model_.model_type),
                  "Version 5 introduced this type: leave --engine out.");
    class_of_version_4_ = in_version_4(*known_);
    known_ = &class_of_version_4_;
    version_4_ = true;
  }

  /// Code that a file brings along may be of a type that transformers has since.
  bool is_of_version_4() const {
    const std::string& whole = part_.path.empty() ? model_.model_type : part_.outer_type;
    return rope::is_of_version_4(*known_, config_.contains("auto_map") ? "" : whole);
  }

  /// Reads the file once more, as version 4 does.
  void warn_of_version_4() {
    try {
      const ModelRope older =
          ConfigReader(config_, model_.name, {options_.seq_len, Engine::hf4}).read();
      if (std::string text = difference_of_version_4(root_, text_type(), model_, older);
          !text.empty())
        model_.warnings.push_back(std::move(text));
    } catch (const Error& error) {
      model_.warnings.push_back("transformers 4 rejects this file: " + std::string(error.what()));
    }
  }

  void warn(const std::string& text) { root_.warn(text); }
  std::string key(std::string_view name) const { return root_.path() + std::string(name); }
  /// The type of the text model that the class makes, or of the file.
  std::string text_type() const {
    return std::string(known_ != nullptr ? known_->model_type : model_.model_type);
  }
  TypeNames types() const {
    return {model_.model_type, known_ != nullptr ? known_->model_type : std::string_view()};
  }
  bool is(std::string_view type) const { return types().are(type); }

  void find_type() {
    ModelIdentity identity = identify(root_, part_);
    model_.model_type = std::move(identity.model_type);
    known_ = identity.known;
    std::ranges::move(identity.notes, std::back_inserter(model_.notes));
  }

  /// The rotated part of a head is a head of its own where the class cuts it off the end, of keys
  /// that are the values, too.
  ///
  /// Source    huggingface/transformers 02356fec, deepseek_v4/modular_deepseek_v4.py
  ///           (apply_rotary_pos_emb).
  void take_rotated_part() {
    if (!is("deepseek_v4")) return;
    std::string turned = "values rotate too, and outputs are turned back";
    for (LayerRope& layer : model_.layers) {
      if (layer.rotary_dim == 0 || layer.rotary_dim >= layer.head_dim) continue;
      if (&layer == &model_.layers.front())
        turned += ": the last " + std::to_string(layer.rotary_dim) + " of " +
                  std::to_string(layer.head_dim) + " dimensions";
      layer.head_dim = layer.rotary_dim;
    }
    model_.notes.push_back(std::move(turned));
  }

  ReadOptions options_;
  const io::Json& config_;
  ModelRope model_;
  TextPart part_;
  io::Json members_;  // of the root, without those that the class does not read
  Fields root_;
  const KnownModel* known_ = nullptr;
  KnownModel class_of_version_4_{};
  bool version_4_ = false;
};

/// Other files beside a config.json, which hold a model_type too.
void refuse_other_files(const io::Json& config, const std::string& name) {
  const auto refuse = [&](const char* key, const char* what) {
    if (config.contains(key))
      throw Error(ErrorKind::invalid_input,
                  name + ": expected a config.json, found " + what + " (" + key + ")",
                  "Give the config.json of the model.");
  };
  refuse("kv_cache", "the scales for a cache of keys and values");
  refuse("layer_templates", "mergekit's list of a model's weights");
}

}  // namespace

ModelRope read_hugging_face(const io::Json& config, const std::string& name,
                            const ReadOptions& options) {
  if (!config.is_object())
    throw Error(ErrorKind::invalid_input, name + ": expected a JSON object, found " + shown(config),
                "Give the config.json of a model.");
  refuse_other_files(config, name);
  return ConfigReader(config, name, options).read();
}

}  // namespace rope
