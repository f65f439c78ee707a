#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "rope/model/fields.hpp"

namespace rope {

/// The window, in tokens, under this key; empty if it is 0, negative or not an integer, which
/// frameworks treat as no window.
std::optional<std::int64_t> window_under(const Fields& root, std::string_view key);

/// The number of tokens that a query in layers of this kind sees, itself included; empty if it sees
/// all.
///
/// `root`  the file's object with sliding_window, use_sliding_window, attention_chunk_size,
///         local_attention, layer_types.
/// `type`  the model type of the text model.
/// `label` the kind of layers: "sliding_attention"; empty if all that rotate are alike. In that
/// case, a window is returned only if each of the rotating layers has it. Source: the masks of
/// transformers 4.57.
std::optional<std::int64_t> window_of(const Fields& root, std::string_view type,
                                      std::string_view label);

}  // namespace rope
