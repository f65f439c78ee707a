#include "diagnose/stated_readings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>

#include "rope/error.hpp"
#include "usage/numbers.hpp"

namespace rope::app {
namespace {

/// The axis of --token-axis.
std::size_t axis_within(std::int64_t stated, const std::vector<std::size_t>& shape) {
  const auto leading = static_cast<std::int64_t>(shape.size()) - 1;
  const std::int64_t axis = stated < 0 ? stated + leading + 1 : stated;
  if (axis < 0 || axis >= leading)
    refuse("--token-axis",
           fmt::format("an axis from 0 to {} of shape ({})", leading - 1, fmt::join(shape, ", ")),
           std::to_string(stated), "The last axis is the head.");
  return static_cast<std::size_t>(axis);
}

/// How many tokens --positions or --lengths speak of; nothing if that many as there are.
std::optional<std::size_t> stated_tokens(const TokenOptions& options) {
  if (options.positions) return options.positions->values.size();
  if (!options.lengths) return std::nullopt;
  const std::vector<std::int64_t>& lengths = options.lengths->values;
  return static_cast<std::size_t>(std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0}));
}

/// Positions of shape [rows, tokens]: each row of a batch has its own. None if the positions are
/// not as many as two axes together.
std::vector<TokenReading> row_readings(const TokenOptions& options,
                                       const std::vector<std::size_t>& shape) {
  std::vector<TokenReading> readings;
  if (!options.positions) return readings;
  const std::vector<std::int64_t>& positions = options.positions->values;
  for (std::size_t axis = 1; axis + 1 < shape.size(); ++axis)
    for (std::size_t row = 0; row < axis; ++row)
      if (shape[row] > 1 && shape[row] * shape[axis] == positions.size())
        readings.push_back({axis, positions, row});
  return readings;
}

/// The axes that may count the tokens, each with the places that --axis-positions gives to them:
/// the same for every row of a batch, or of each row its own.
std::vector<TokenReading> readings_on_axes(const TokenOptions& options,
                                           const std::vector<std::size_t>& shape) {
  AxisPositions given = *options.axis_positions;
  given.order = options.axis_order;
  std::vector<TokenReading> readings;
  std::optional<ShapeError> refused;
  for (std::size_t axis = 0; axis + 1 < shape.size(); ++axis) {
    if (options.axis && axis != axis_within(*options.axis, shape)) continue;
    for (const std::size_t rows : {std::size_t{1}, shape.front()}) {
      if (rows > 1 && axis == 0) continue;
      try {
        const TokenPositions places =
            TokenPositions::on_axes(given, {.outer = rows, .tokens = shape[axis]});
        TokenReading reading{axis, std::nullopt, {}, std::vector<Position>(), places.axes()};
        if (rows > 1) reading.row_axis = 0;
        for (std::size_t i = 0; i < rows * shape[axis]; ++i)
          reading.axis_positions->push_back(places.at(i / shape[axis], i % shape[axis]));
        readings.push_back(std::move(reading));
        break;
      } catch (const ShapeError& error) {
        refused = error;
      }
    }
  }
  if (readings.empty()) throw ShapeError(refused->what(), refused->remedy());
  return readings;
}

}  // namespace

std::optional<std::vector<std::int64_t>> stated_positions(const TokenOptions& options,
                                                          std::size_t tokens) {
  if (!options.says_positions()) return std::nullopt;
  const TokenPositions all = row_positions(options, tokens);
  std::vector<std::int64_t> positions(tokens);
  for (std::size_t t = 0; t < tokens; ++t) positions[t] = all.at(0, t)[0];
  return positions;
}

std::vector<TokenReading> stated_readings(const TokenOptions& options,
                                          const std::vector<std::size_t>& shape) {
  if (options.axis_positions) return readings_on_axes(options, shape);
  if (options.axis) {
    const std::size_t axis = axis_within(*options.axis, shape);
    if (const std::vector<TokenReading> rows = row_readings(options, shape); !rows.empty())
      for (const TokenReading& reading : rows)
        if (reading.axis == axis) return {reading};
    return {{axis, stated_positions(options, shape[axis]), {}}};
  }
  std::vector<TokenReading> readings;
  const std::optional<std::size_t> tokens = stated_tokens(options);
  for (TokenReading& reading : token_readings(shape)) {
    if (tokens && shape[reading.axis] != *tokens) continue;
    reading.positions = stated_positions(options, shape[reading.axis]);
    readings.push_back(std::move(reading));
  }
  // As many positions as there are heads may be those of all rows.
  std::ranges::move(row_readings(options, shape), std::back_inserter(readings));
  if (readings.empty()) {
    std::string remedy;
    for (std::size_t axis = 0; options.positions && remedy.empty() && axis + 1 < shape.size();
         ++axis)
      remedy = remedy_for_range(options.positions->values, shape[axis]);
    refuse(options.positions ? "--positions" : "--lengths",
           fmt::format("as many tokens as an axis of shape ({}) has", fmt::join(shape, ", ")),
           std::to_string(*tokens),
           remedy.empty() ? "Leave it out if the positions are not known." : remedy);
  }
  return readings;
}

}  // namespace rope::app
