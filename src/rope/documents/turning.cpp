#include "rope/documents/turning.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <utility>

#include "rope/documents/embedding.hpp"
#include "rope/language/said.hpp"

namespace rope {
namespace {

/// cells[i] of every position and pair.
template <class Cell>
auto cells_at(const TurningStudy& study, Cell cell) {
  std::vector<std::invoke_result_t<Cell, std::size_t, std::size_t>> cells;
  for (std::size_t i = 0; i < study.positions.size(); ++i)
    for (std::size_t pair = 0; pair < study.pairs.size(); ++pair) cells.push_back(cell(i, pair));
  return cells;
}

/// A number, or – where there is none.
std::string six_digits_or_none(double value) { return std::isnan(value) ? "–" : six_digits(value); }

std::string three_digits_or_none(double value) {
  return std::isnan(value) ? "–" : three_digits(value);
}

/// A number of each pair that has an angle.
template <class Number>
std::vector<double> cells_of_angles(const TurningStudy& study, Number number) {
  return cells_of(study.kept, [&](const AngleKept& kept) -> double {
    return kept.exists ? std::invoke(number, kept) : std::nan("");
  });
}

}  // namespace

/// All that is known, a row a position and pair.
Columns arrow_columns(const TurningStudy& study) {
  const auto number = [&](auto value) {
    return cells_at(study, [&, value](std::size_t i, std::size_t pair) -> double {
      return std::invoke(value, study.at(i, pair));
    });
  };
  Columns columns = {
      column("position", "m",
             cells_at(study, [&](std::size_t i, std::size_t) { return study.positions[i]; })),
      column("pair", "pair",
             cells_at(study,
                      [&](std::size_t, std::size_t pair) {
                        return static_cast<std::int64_t>(study.pairs[pair]);
                      })),
      column("turns", "turns", number(&TurnedPair::turns)),
      column("q_x", "q: x", number([](const TurnedPair& at) { return at.query.x; })),
      column("q_y", "y", number([](const TurnedPair& at) { return at.query.y; }))};
  if (!study.key.empty()) {
    columns.push_back(column("k_x", "k: x", number([](const TurnedPair& at) { return at.key.x; })));
    columns.push_back(column("k_y", "y", number([](const TurnedPair& at) { return at.key.y; })));
  }
  if (!study.mistake) return columns;
  columns.push_back(
      column("wrong_q_x", "q': x", number([](const TurnedPair& at) { return at.wrong_query.x; })));
  columns.push_back(
      column("wrong_q_y", "y", number([](const TurnedPair& at) { return at.wrong_query.y; })));
  if (study.key.empty()) return columns;
  columns.push_back(
      column("wrong_k_x", "k': x", number([](const TurnedPair& at) { return at.wrong_key.x; })));
  columns.push_back(
      column("wrong_k_y", "y", number([](const TurnedPair& at) { return at.wrong_key.y; })));
  return columns;
}

/// What is known of each pair, whatever the position. With a mistake the table has no room for the
/// wavelengths.
Columns turned_pair_columns(const TurningStudy& study, Language language) {
  const Frequencies& frequencies = study.embedding.frequencies;
  std::vector<double> theta, wavelength, turns;
  for (std::size_t pair = 0; pair < study.pairs.size(); ++pair) {
    theta.push_back(frequencies.theta[study.pairs[pair]]);
    wavelength.push_back(frequencies.wavelength[study.pairs[pair]]);
    turns.push_back(study.at(study.positions.size() - 1, pair).turns);
  }
  const bool narrow = study.mistake.has_value();
  Columns columns = {
      column("pair", "pair", cells_of(study.pairs, std::identity())),
      column("theta", narrow ? "θ_i" : "θ_i (rad/token)", std::move(theta)),
      narrow ? file_column("wavelength", std::move(wavelength))
             : column("wavelength", "λ_i (tokens)", std::move(wavelength)),
      table_column(said(language, "turns at m = {}", study.positions.back()), std::move(turns))};
  if (study.kept.empty()) return columns;
  columns.push_back(column("angle", narrow ? "angle (rad)" : "angle from q to k (rad)",
                           cells_of_angles(study, &AngleKept::angle), six_digits_or_none));
  columns.push_back(
      column("change", "changes by",
             cells_of_angles(study, [](const AngleKept& kept) { return kept.change.error; }),
             three_digits_or_none));
  if (study.mistake)
    columns.push_back(column("off_by", "off by (rad)", cells_of_angles(study, &AngleKept::off_by),
                             three_digits_or_none));
  return columns;
}

std::string turning_csv(const TurningStudy& study) { return csv_text(arrow_columns(study)); }

std::string turning_json(const TurningStudy& study, const std::vector<std::string>& warnings) {
  io::JsonValue document = {{"schema", "rope.rotate/1"},
                            {"rotary", rotary_json(study.embedding)},
                            {"query", study.query}};
  if (!study.key.empty()) {
    document.add("key", study.key);
    document.add("distance", study.distance);
  }
  if (study.mistake) {
    document.add("mistake", std::string(study.mistake->name));
    document.add("verdict", std::string(name(study.verdict->verdict)));
    document.add("max_relative_error", study.verdict->identity.max_relative_error);
    document.add("relative_bound", study.verdict->identity.relative_bound);
    if (const std::optional<std::size_t> worst = study.pair_of_largest_error()) {
      const AngleKept& kept = study.all_kept[*worst];
      document.add("off_by", kept.off_by);
      document.add("off_by_pair", *worst);
      document.add("off_by_position", kept.off_at);
    }
  }
  document.add("pairs", json_rows(turned_pair_columns(study)));
  document.add("arrows", json_rows(arrow_columns(study)));
  document.add("warnings", io::json_list(warnings, std::identity()));
  return document.document();
}

}  // namespace rope
