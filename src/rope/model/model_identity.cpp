#include "rope/model/model_identity.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "rope/io/quote.hpp"
#include "rope/model/rotation_signs.hpp"

namespace rope {
namespace {

/// The first name of `architectures`; empty: none.
std::string first_architecture(const Fields& root) {
  const io::Json* const names = root.find("architectures");
  const bool named =
      names != nullptr && names->is_array() && !names->empty() && names->front().is_string();
  return named ? names->front().get<std::string>() : "";
}

/// "read as olmo, because of architectures, 'OLMoForCausalLM'"
std::string read_as(std::string_view type, const std::string& architecture) {
  return "read as " + std::string(type) + ", because architectures names " +
         io::in_quotes(architecture, 60);
}

}  // namespace

bool names_architecture(const io::Json& config, std::string_view name) {
  const auto names = config.find("architectures");
  return names != config.end() && names->is_array() &&
         std::ranges::any_of(*names, [&](const io::Json& one) {
           const auto* const text = one.get_ptr<const std::string*>();
           return text != nullptr && *text == name;
         });
}

ModelIdentity identify(const Fields& root, const TextPart& part) {
  ModelIdentity model;
  model.model_type = root.text("model_type").value_or(part.outer_type);
  const std::string architecture = first_architecture(root);
  if (const auto meant = type_of_shared_name(model.model_type, architecture); !meant.empty()) {
    model.notes.push_back(read_as(meant, architecture) + ": another model in transformers has " +
                          "its model_type, " + io::in_quotes(model.model_type));
    model.model_type = meant;
  }
  // The original files of gpt-oss name no type.
  if (model.model_type.empty() && root.find("rope_ntk_alpha") != nullptr) {
    model.model_type = "gpt_oss";
    model.notes.emplace_back("read as gpt_oss, because of rope_ntk_alpha");
  }
  if (model.model_type.empty() && root.find("sinusoidal_pos_embds") != nullptr) {
    model.model_type = "distilbert";
    model.notes.emplace_back("read as distilbert, because of sinusoidal_pos_embds");
  }
  model.known = find_known_model(model.model_type);
  const bool alone = part.path.empty();
  if (const KnownModel* const made = find_made_text_model(
          alone ? model.model_type : part.outer_type, model.model_type, !alone))
    model.known = made;
  if (model.known != nullptr || has_no_rotation(model.model_type) ||
      rotates_over_an_image(model.model_type))
    return model;
  const std::string_view type = type_of_architecture(architecture);
  if (type.empty()) return model;
  const bool without = has_no_rotation(type);
  // Code of its own may rotate under the name of a class that does not.
  if (without && !model.model_type.empty() && shows_rotation(root)) return model;
  model.notes.push_back(read_as(type, architecture));
  if (without || model.model_type.empty()) model.model_type = type;
  model.known = find_known_model(type);
  return model;
}

}  // namespace rope
