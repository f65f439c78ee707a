#include "rope/documents/primer.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string_view>
#include <variant>

#include "rope/language/said.hpp"

namespace rope {
namespace {

Columns details_of(const TaylorAnswer& answer, Language language) {
  const std::vector<TaylorSeries>& all = answer.series;
  return {
      column("angle", "θ", cells_of(all, &TaylorSeries::angle)),
      column("error", said(language, "degree {}", answer.degree),
             cells_of(all, &TaylorSeries::error), three_digits),
      column("remainder", "remainder ≤", cells_of(all, &TaylorSeries::remainder), three_digits),
      column("largest_term", "largest term", cells_of(all, &TaylorSeries::largest_term),
             three_digits),
      column("degree_needed", "degree needed", cells_of(all, &TaylorSeries::degree_needed)),
      column("final_error", "error then", cells_of(all, &TaylorSeries::final_error), three_digits),
      column("rounding", "rounding ≤", cells_of(all, &TaylorSeries::rounding), three_digits)};
}

Columns details_of(const HalfTurnAnswer& answer, Language /*language*/) {
  const std::vector<RoundedPi>& all = answer.by_bits;
  return {
      column("bits", "bits of π",
             cells_of(all,
                      [](const RoundedPi& each) { return static_cast<std::int64_t>(each.bits); })),
      column("pi", "π", cells_of(all, &RoundedPi::pi)),
      column("gap", "missing angle",
             cells_of(all, [](const RoundedPi& each) { return each.half_turn.gap; })),
      column("distance", "|e^{iπ} + 1|",
             cells_of(all, [](const RoundedPi& each) { return each.half_turn.distance; }))};
}

Columns details_of(const EulerAnswer& answer, Language /*language*/) {
  return {column("steps", "steps n", cells_of(answer.paths, &CompoundPath::steps)),
          column("error", "|(1 + iθ/n)ⁿ − e^{iθ}|", cells_of(answer.paths, &CompoundPath::error)),
          column("bound", "at most", cells_of(answer.paths, &CompoundPath::bound))};
}

Columns details_of(const SpaceAnswer& answer, Language /*language*/) {
  Columns columns = {column("row", "row", indices(3))};
  const auto add = [&](const Eigen::Matrix3d& matrix, const std::string& order) {
    constexpr std::array<std::string_view, 3> kAxes = {"x", "y", "z"};
    for (Eigen::Index j = 0; j < 3; ++j) {
      const auto axis = kAxes[static_cast<std::size_t>(j)];
      columns.push_back(column(fmt::format("{}_{}", order, axis), fmt::format("{} {}", order, axis),
                               std::vector<double>{matrix(0, j), matrix(1, j), matrix(2, j)}));
    }
  };
  add(answer.x_then_y.both, "yx");
  add(answer.y_then_x.both, "xy");
  return columns;
}

Columns details_of(const QuarterTurnAnswer& answer, Language /*language*/) {
  return {column("turns", "quarter turns", indices(answer.turned.size())),
          column("re", "a", cells_of(answer.turned, &primer::Complex::re)),
          column("im", "b", cells_of(answer.turned, &primer::Complex::im))};
}

/// Most topics have told all.
template <class Answer>
Columns details_of(const Answer& /*answer*/, Language /*language*/) {
  return {};
}

const PrimerTopicEntry& entry_of(const PrimerStudy& study) {
  return primer_topics()[static_cast<std::size_t>(study.topic)];
}

Columns numbers_of(const PrimerStudy& study) {
  const std::vector<PrimerNumber>& all = study.numbers;
  return {file_column("name", cells_of(all, &PrimerNumber::name)),
          file_column("formula", cells_of(all, &PrimerNumber::formula)),
          file_column("value", cells_of(all, &PrimerNumber::value)),
          file_column("expected", cells_of(all, &PrimerNumber::expected)),
          file_column("bound", cells_of(all, &PrimerNumber::bound)),
          file_column("unit", cells_of(all,
                                       [](const PrimerNumber& number) {
                                         return std::string(
                                             number.quantity == Quantity::radians ? "rad" : "");
                                       })),
          file_column("verdict", cells_of(all, verdict_text))};
}

}  // namespace

std::string verdict_text(const PrimerNumber& number) {
  if (number.mistaken) return number.holds() ? "holds" : "wrong";
  return number.holds() ? "ok" : "FAIL";
}

Columns primer_details(const PrimerStudy& study, Language language) {
  return std::visit([&](const auto& answer) { return details_of(answer, language); }, study.answer);
}

std::string primer_csv(const PrimerStudy& study) { return csv_text(numbers_of(study)); }

std::string primer_json(const PrimerStudy& study, const std::string& answer) {
  const PrimerTopicEntry& entry = entry_of(study);
  io::JsonValue document = {
      {"schema", "rope.rotate/1"},  {"topic", entry.name},
      {"question", entry.question}, {"answer", answer},
      {"held", study.held()},       {"numbers", json_rows(numbers_of(study))}};
  const Columns more = primer_details(study);
  if (!more.empty()) document.add("details", json_rows(more));
  return document.document();
}

}  // namespace rope
