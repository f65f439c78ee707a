#include "rope/model/window.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

namespace rope {
namespace {

/// Whether layer_types names every layer `label`.
bool all_layers_are(const Fields& root, std::string_view label) {
  const io::Json* const types = root.find("layer_types");
  return types != nullptr && types->is_array() && !types->empty() &&
         std::ranges::all_of(*types, [&](const io::Json& type) { return type == label; });
}

/// Types whose every layer has the window where the file has the key.
bool slides_throughout(std::string_view type) {
  constexpr std::array<std::string_view, 6> kTypes = {"mistral", "mixtral", "phi3",
                                                      "phi3_v",  "phimoe",  "starcoder2"};
  return std::ranges::find(kTypes, type) != kTypes.end();
}

}  // namespace

std::optional<std::int64_t> window_under(const Fields& root, std::string_view key) {
  const io::Json* const value = root.find(key);
  if (value == nullptr || !(value->is_number() || value->is_string())) return std::nullopt;
  const double tokens = *root.number(key);  // a dump of GGUF holds every number as one
  const bool whole = tokens > 0 && tokens < 0x1p53 && tokens == std::floor(tokens);
  return whole ? std::optional(static_cast<std::int64_t>(tokens)) : std::nullopt;
}

std::optional<std::int64_t> window_of(const Fields& root, std::string_view type,
                                      std::string_view label) {
  // The layers of Llama 4 that rotate attend within chunks; those that see all rotate nothing.
  if (type == "llama4_text" || label == "chunked_attention")
    return window_under(root, "attention_chunk_size");
  if (type.starts_with("modernbert"))  // half of it to each side
    return label == "sliding_attention" ? window_under(root, "local_attention") : std::nullopt;
  const io::Json* const used = root.find("use_sliding_window");
  if (used != nullptr && *used == false) return std::nullopt;
  const bool slides =
      label == "sliding_attention" || label == "main" ||  // of DeepSeek-V4
      (label.empty() && (root.has("layer_types") ? all_layers_are(root, "sliding_attention")
                                                 : slides_throughout(type)));
  return slides ? window_under(root, "sliding_window") : std::nullopt;
}

}  // namespace rope
