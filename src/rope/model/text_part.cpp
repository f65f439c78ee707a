#include "rope/model/text_part.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "rope/model/known_models.hpp"

namespace rope {
namespace {

std::optional<TextPart> part_in(const TextPart& whole, std::string_view key) {
  const auto found = whole.object->find(std::string(key));
  if (found == whole.object->end() || !found->is_object()) return std::nullopt;
  TextPart part{&*found, whole.path + std::string(key) + ".", whole.outer_type};
  const auto type = whole.object->find("model_type");
  if (type != whole.object->end() && type->is_string()) part.outer_type = type->get<std::string>();
  return part;
}

/// An empty object beside the sizes of the model itself says nothing, unless the class of the type
/// makes a text model of it.
bool says_nothing(const TextPart& whole, const TextPart& part) {
  return part.object->empty() && has_sizes(*whole.object) && text_type(part.outer_type).empty();
}

/// Whether the class of the whole makes the text model, whatever sizes are copied beside it.
bool makes_a_part(const TextPart& whole) {
  const auto type = whole.object->find("model_type");
  return type != whole.object->end() && type->is_string() &&
         !text_type(type->get<std::string>()).empty();
}

std::optional<TextPart> deeper(const TextPart& whole) {
  constexpr std::array<std::string_view, 5> kAlways = {"text_config", "language_config",
                                                       "llm_config", "llm_cfg", "thinker_config"};
  // Names that a model with sizes of its own uses for something else.
  constexpr std::array<std::string_view, 7> kElsewhere = {
      "decoder_config", "model_config",          "decoder",   "language",
      "vlm_config",     "language_model_config", "dit_config"};
  for (const std::string_view key : kAlways)
    if (std::optional<TextPart> part = part_in(whole, key); part && !says_nothing(whole, *part))
      return part;
  if (has_sizes(*whole.object) && !makes_a_part(whole)) return std::nullopt;
  for (const std::string_view key : kElsewhere)
    if (std::optional<TextPart> part = part_in(whole, key)) return part;
  return std::nullopt;
}

}  // namespace

bool has_sizes(const io::Json& object) {
  constexpr std::array<const char*, 6> kSizes = {
      "hidden_size", "num_attention_heads", "head_dim", "n_embd", "d_model", "n_head"};
  return std::any_of(kSizes.begin(), kSizes.end(),
                     [&](const char* key) { return object.contains(key); });
}

TextPart text_part(const io::Json& root) {
  constexpr int kDeepest = 3;
  TextPart part{&root, "", ""};
  for (int depth = 0; depth < kDeepest; ++depth) {
    std::optional<TextPart> inner = deeper(part);
    if (!inner) break;
    part = std::move(*inner);
  }
  return part;
}

}  // namespace rope
