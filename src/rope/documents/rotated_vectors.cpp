#include "rope/documents/rotated_vectors.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "rope/documents/embedding.hpp"
#include "rope/documents/policy.hpp"
#include "rope/error.hpp"
#include "rope/io/csv.hpp"
#include "rope/io/quote.hpp"

namespace rope {
namespace {

constexpr std::uint64_t kMostInText = std::uint64_t{1} << 22;  // numbers of a csv or json

void check_text(const ApplyStudy& study) {
  const std::uint64_t count = study.input.tensor.count();
  if (count > kMostInText)
    throw ShapeError(fmt::format("{}: expected at most {} numbers for a text format, found {}",
                                 io::printable(study.input.tensor.name(), 200), kMostInText, count),
                     "Write .npy or .safetensors.");
}

io::JsonValue position_json(const RotaryEmbedding& embedding, const Position& position) {
  const std::vector<std::int64_t> numbers = on_axes(embedding, position);
  if (numbers.size() == 1) return numbers.front();
  return numbers;
}

io::JsonValue pair_json(const ApplyStudy& study, const Rotated& one, std::size_t k) {
  const auto [i, j] = study.embedding.dimensions(k);
  const double theta = study.embedding.frequencies.theta[k];
  return {{"vector", one.vector},
          {"position", position_json(study.embedding, one.position)},
          {"pair", k},
          {"dimensions", std::vector{i, j}},
          {"theta", theta},
          {"angle", static_cast<double>(one.position[axis_of(study.embedding, k)]) * theta},
          {"cos", one.row.cos[k]},
          {"sin", one.row.sin[k]},
          {"before", std::vector{one.x[i], one.x[j]}},
          {"after", std::vector{one.y[i], one.y[j]}}};
}

/// Tables leave a cell without a number empty; a matrix that is read back must say nan.
void name_nans(io::CsvColumn& column) {
  const auto& numbers = std::get<std::vector<double>>(column.cells);
  if (std::ranges::none_of(numbers, [](double value) { return std::isnan(value); })) return;
  std::vector<std::string> words;
  words.reserve(numbers.size());
  for (const double value : numbers) words.push_back(fmt::format("{}", value));
  column.cells = std::move(words);
}

}  // namespace

std::string apply_csv(const ApplyStudy& study) {
  check_text(study);
  std::vector<io::CsvColumn> columns;
  std::vector<std::vector<double>> cells(study.input.axes.head_dim);
  for_each_rotated(study, [&](const Rotated& one) {
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i].push_back(one.y[i]);
  });
  for (std::size_t i = 0; i < cells.size(); ++i) {
    io::CsvColumn column{fmt::format("c{}", i), std::move(cells[i])};
    name_nans(column);
    columns.push_back(std::move(column));
  }
  return io::to_csv(columns);
}

std::string apply_json(const ApplyStudy& study, bool whole) {
  if (whole) check_text(study);
  const TokenInput& input = study.input;
  const bool with_values = input.tensor.count() <= kMostInText;
  std::vector<io::JsonValue> rows, pairs;
  std::vector<io::JsonValue> positions;
  if (with_values)
    for_each_rotated(study, [&](const Rotated& one) {
      rows.emplace_back(one.y);
      positions.push_back(position_json(study.embedding, one.position));
      if (study.explain)
        for (std::size_t k = 0; k < study.embedding.pairs(); ++k)
          pairs.push_back(pair_json(study, one, k));
    });
  io::JsonValue document = {
      {"schema", "rope.apply/2"},
      {"rotary", rotary_json(study.embedding)},
      {"direction", study.direction == Direction::inverse ? "inverse" : "forward"},
      {"form", name(study.form)},
      {"policy", policy_json(study.policy)},
      {"input",
       {{"name", input.tensor.name()},
        {"type", io::name(input.tensor.type())},
        {"shape", input.tensor.shape()},
        {"token_axis", input.token_axis}}},
      {"type", io::name(study.type)},
      {"positions", {{"min", input.positions.smallest()}, {"max", input.positions.largest()}}},
      {"position", with_values ? std::optional(positions) : std::nullopt},
      {"y", with_values ? std::optional(rows) : std::nullopt}};
  if (study.explain) document.add("pairs", pairs);
  return document.document();
}

}  // namespace rope
