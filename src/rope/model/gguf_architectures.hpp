#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rope/model/fields.hpp"
#include "rope/rotary/layout.hpp"

namespace rope {

/// The layout that llama.cpp uses for an architecture, or nothing; no GGUF file states it.
/// `sections`: whether the file has sections of M-RoPE.
std::optional<PairLayout> gguf_layout(std::string_view architecture, bool sections);

/// The reason why llama.cpp rotates nothing in any layer of such a file, or nothing if it rotates.
std::optional<std::string> gguf_reason_without_rotation(const Fields& keys,
                                                        const std::string& architecture);

/// The layers of an architecture that rotate nothing while others do.
struct GgufUnrotated {
  bool all_without_window = false;  ///< the layers of full attention; those with a window rotate
  std::string note;                 ///< on the other layers, or on which layers have no window
};
std::optional<GgufUnrotated> gguf_unrotated_layers(const Fields& keys,
                                                   const std::string& architecture);

/// Whether llama.cpp's code for this architecture implements DeepSeek's latent attention, which
/// also scales the softmax under YaRN.
bool gguf_latent_attention(std::string_view architecture);

}  // namespace rope
