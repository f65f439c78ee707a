#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "named/token_options.hpp"
#include "rope/diagnose/readings.hpp"

namespace rope::app {

/// The positions that the options assign to the `tokens` tokens of an axis; nothing if the options
/// state no positions.
std::optional<std::vector<std::int64_t>> stated_positions(const TokenOptions& options,
                                                          std::size_t tokens);

/// The axes that may be the token axis, each with the positions that the options assign to its
/// tokens: the axis of --token-axis, or else all axes whose length fits the options.
///
/// Throws    rope::Error (invalid input) if no axis of the shape fits; ShapeError for
///           --axis-positions that fit no axis.
std::vector<TokenReading> stated_readings(const TokenOptions& options,
                                          const std::vector<std::size_t>& shape);

}  // namespace rope::app
