#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rope/model/fields.hpp"

namespace rope {

/// Notes on the layers of a text model of this type that rotate nothing although others do, or that
/// attend without any positions. Warns if the file's list of such layers does not have one entry
/// per layer.
std::vector<std::string> layers_without(const Fields& root, std::string_view text_type);

/// The numbers of the layers of this kind: "full_attention", "sliding_attention", or "main" and
/// "compress" in DeepSeek-V4. Without a label, those that attend with positions where others do
/// not. Empty if the file does not say.
std::vector<std::size_t> layers_called(const Fields& root, std::string_view text_type,
                                       std::string_view label);

/// Whether DeepSeek-V4's file says that none of its layers has only a window.
bool compresses_every_layer(const Fields& root);

/// Whether layers of this kind attend without a softmax, or do not attend at all; none of them
/// rotates.
bool has_no_queries(std::string_view kind);

/// "4th" for 4.
std::string ordinal(std::int64_t n);

/// "3, 7, 11 … 47", short enough for a line.
std::string short_list(const std::vector<std::size_t>& numbers);

}  // namespace rope
