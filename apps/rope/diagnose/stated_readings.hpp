#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "named/token_options.hpp"
#include "rope/diagnose/readings.hpp"

namespace rope::app {

/// The positions that the options give the tokens along an axis; nothing if they give none.
std::optional<std::vector<std::int64_t>> stated_positions(const TokenOptions& options,
                                                          std::size_t tokens);

/// The axes that may count the tokens, each with the positions that the options give them: the axis
/// of --token-axis, else all axes as long as the options say.
///
/// Throws    Error (usage) if no axis of the shape fits; ShapeError for --axis-positions that fit
///           none.
std::vector<TokenReading> stated_readings(const TokenOptions& options,
                                          const std::vector<std::size_t>& shape);

}  // namespace rope::app
