#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rope/model/fields.hpp"
#include "rope/rotary/layout.hpp"

namespace rope {

/// The layout that llama.cpp uses for an architecture, or nothing if it is unknown; GGUF files do
/// not state it. `sections`: whether the file has sections of M-RoPE.
std::optional<PairLayout> gguf_layout(std::string_view architecture, bool sections);

/// Why llama.cpp rotates no layer of a file with these keys; nothing if it rotates at least one.
std::optional<std::string> gguf_reason_without_rotation(const Fields& keys,
                                                        const std::string& architecture);

/// The layers of an architecture that rotate nothing while others do.
struct GgufUnrotated {
  /// Whether all layers without a window (full attention) rotate nothing; layers with a window
  /// rotate.
  bool all_without_window = false;
  std::string note;  ///< about these layers, or about which layers have no window
};
std::optional<GgufUnrotated> gguf_unrotated_layers(const Fields& keys,
                                                   const std::string& architecture);

/// Whether llama.cpp's code for this architecture implements DeepSeek's latent attention, which
/// also scales the softmax under YaRN.
bool gguf_latent_attention(std::string_view architecture);

}  // namespace rope
