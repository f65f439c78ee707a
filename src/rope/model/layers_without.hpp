#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rope/model/fields.hpp"

namespace rope {

/// Notes on the layers that rotate nothing although others do, or that attend without any
/// positions, in a text model of this type. Warns if the file's list of such layers does not have
/// one entry per layer.
std::vector<std::string> layers_without(const Fields& root, std::string_view text_type);

/// The indices of the layers of the kind `label`: "full_attention", "sliding_attention", or "main"
/// and "compress" in DeepSeek-V4. Without a label, the layers that attend with positions if other
/// layers do not. Empty if the file does not specify them.
std::vector<std::size_t> layers_called(const Fields& root, std::string_view text_type,
                                       std::string_view label);

/// Whether all layers in a DeepSeek-V4 file are compressed, so that no layer has only a window.
bool compresses_every_layer(const Fields& root);

/// Whether layers of this kind attend without a softmax, or do not attend at all. Such layers do
/// not rotate.
bool has_no_queries(std::string_view kind);

/// The ordinal number: "4th" for 4.
std::string ordinal(std::int64_t n);

/// The numbers, shortened to fit on one line: "3, 7, 11 … 47".
std::string short_list(const std::vector<std::size_t>& numbers);

}  // namespace rope
