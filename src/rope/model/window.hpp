#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "rope/model/fields.hpp"

namespace rope {

/// The tokens under a key that holds a window; empty if it is 0, negative or not an integer, which
/// frameworks treat as none.
std::optional<std::int64_t> window_under(const Fields& root, std::string_view key);

/// The tokens that a query of such layers sees, itself included; empty if it sees all.
///
/// `root`  the file's object with sliding_window, use_sliding_window, attention_chunk_size,
///         local_attention, layer_types.
/// `type`  the model type of the text model.
/// `label` the kind of layers: "sliding_attention"; empty if all that rotate are alike. Then there
///         is a window only if each of them has it.
/// Source: the masks of transformers 4.57.
std::optional<std::int64_t> window_of(const Fields& root, std::string_view type,
                                      std::string_view label);

}  // namespace rope
