#include "rope/documents/outputs.hpp"

#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <variant>

#include "rope/documents/embedding.hpp"
#include "rope/documents/policy.hpp"
#include "rope/rotary/ranges_text.hpp"

namespace rope {
namespace {

io::JsonValue place_json(const OutputError& one) {
  const auto numbers = [&](const CosSin& entry) -> io::JsonValue {
    if (one.passes_through) return entry.cos;
    return std::vector{entry.cos, entry.sin};
  };
  return {{"vector", one.vector},
          {"position", one.position},
          {one.passes_through ? "dimension" : "pair", one.pair},
          {"error", one.error},
          {"bound", one.bound},
          {"ratio", one.ratio()},
          {"found", numbers(one.found)},
          {"exact", numbers(one.expected)}};
}

io::JsonValue part_json(const std::optional<Certification>& part) {
  if (!part) return nullptr;
  const OutputReport& report = part->report;
  return {{"compared", report.compared},
          {"violations", report.violations},
          {"vacuous", report.vacuous},
          {"zero", report.zero},
          {"pairs_not_tested", report.pairs_that_show(Evidence::none)},
          {"pairs_too_slow_to_see", report.pairs_that_show(Evidence::fixed)},
          {"worst", report.compared > 0 ? place_json(report.worst) : nullptr},
          {"first_violation", report.first ? place_json(*report.first) : nullptr},
          {"pairs", io::json_list(compared_pairs(report), place_json)}};
}

/// Ascending numbers as [[first, last], …].
io::JsonValue ranges_json(const std::vector<std::size_t>& numbers) {
  std::vector<io::JsonValue> ranges;
  for (const auto& [first, last] : ranges_of(numbers))
    ranges.push_back(std::vector<std::size_t>{first, last});
  return ranges;
}

io::JsonValue places_json(const OutputStudy& study) {
  if (!study.places) return nullptr;
  const OutputPlaces& places = *study.places;
  std::vector<io::JsonValue> axes, unrotated;
  for (std::size_t axis = 0; axis < places.lengths.size(); ++axis)
    axes.push_back({{"axis", study.axes[axis]},
                    {"length", places.lengths[axis]},
                    {"failing", ranges_json(places.failing[axis])},
                    {"right", ranges_json(places.right(axis))}});
  for (const UnrotatedPlaces& one : places.unrotated) {
    std::vector<io::JsonValue> along;
    for (std::size_t axis = 0; axis < one.along.size(); ++axis)
      along.push_back({{"axis", study.axes[axis]}, {"places", ranges_json(one.along[axis])}});
    unrotated.push_back({{"kind", name(one.kind)},
                         {"vectors", one.vectors},
                         {"first", one.first},
                         {"dimensions", ranges_json(one.dimensions)},
                         {"along", along}});
  }
  return {{"axes", axes}, {"unrotated", unrotated}, {"all_unrotated", places.all_unrotated}};
}

io::JsonValue change_json(const PassingChange& change) {
  if (!change.any()) return nullptr;
  io::JsonValue layout = nullptr;
  if (change.layout) layout = name(*change.layout);
  return {{"layout", layout},
          {"position_shift", change.shift},
          {"clockwise", change.clockwise},
          {"attention_factor", change.factor},
          {"head_dim", change.head_dim}};
}

/// The column, with a cell without a number in each of so many more rows.
Column with_empty(Column column, std::size_t rows) {
  if (auto* texts = std::get_if<std::vector<std::string>>(&column.cells)) {
    texts->resize(texts->size() + rows);
    return column;
  }
  std::vector<double> numbers;  // an integer has no "none"
  std::visit(
      [&](const auto& cells) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(cells)>, std::vector<std::string>>)
          for (const auto cell : cells) numbers.push_back(static_cast<double>(cell));
      },
      column.cells);
  numbers.resize(numbers.size() + rows, std::numeric_limits<double>::quiet_NaN());
  column.cells = std::move(numbers);
  return column;
}

/// Adds a row for each range of an axis below those of the pairs.
void append_places(const OutputStudy& study, Columns& columns) {
  const std::size_t pairs = rows_of(columns);
  std::vector<std::string> axes(pairs), outcomes(pairs);
  std::vector<double> first(pairs, std::numeric_limits<double>::quiet_NaN()), last = first;
  const auto append = [&](const std::string& axis, const std::vector<std::size_t>& numbers,
                          const char* outcome) {
    for (const auto& [from, to] : ranges_of(numbers)) {
      axes.push_back(axis);
      first.push_back(static_cast<double>(from));
      last.push_back(static_cast<double>(to));
      outcomes.emplace_back(outcome);
    }
  };
  for (std::size_t axis = 0; study.places && axis < study.axes.size(); ++axis) {
    append(study.axes[axis], study.places->failing[axis], "FAIL");
    append(study.axes[axis], study.places->right(axis), "ok");
  }
  for (Column& column : columns) column = with_empty(std::move(column), axes.size() - pairs);
  for (Column& column : Columns{file_column("axis", axes), file_column("first", first),
                                file_column("last", last), file_column("outcome", outcomes)})
    columns.push_back(column);
}

}  // namespace

/// One part of the study, named as in csv.
Columns output_columns(const OutputStudy& study, const std::vector<OutputError>& errors,
                       const char* part) {
  const auto of = [&](auto cell) { return cells_of(errors, cell); };
  const auto theta = [&](const OutputError& one) {
    return study.embedding.frequencies.theta[one.pair];
  };
  return {file_column("part", std::vector<std::string>(errors.size(), part)),
          column("pair", "pair", of(&OutputError::pair)),
          table_column("θ_i", of(theta)),
          file_column("vector", of(&OutputError::vector)),
          column("position", "at position", of(&OutputError::position)),
          column("error", "error", of(&OutputError::error), three_digits),
          column("bound", "allowed", of(&OutputError::bound), three_digits),
          column("ratio", "ratio", of(&OutputError::ratio), three_digits)};
}

std::string outputs_json(const OutputStudy& study, const std::vector<std::string>& warnings) {
  return io::JsonValue{
      {"schema", "rope.verify/2"},
      {"verdict", name(study.verdict())},
      {"rotary", rotary_json(study.embedding)},
      {"policy", policy_json(study.policy)},
      {"policy_stated", study.policy_stated},
      {"numbers_of", limits(study.way.result).name},
      {"input_cast", study.way.casts_input},
      {"libm_ulp", study.hypotheses.libm_ulp},
      {"sufficient_libm_ulp", study.sufficient_libm_ulp()},
      {"rule_roundings", study.hypotheses.rule_roundings},
      {"outputs", part_json(study.vectors)},
      {"tables", part_json(study.rows)},
      {"places", places_json(study)},
      {"difference", {{"relative", study.residual.relative}, {"like_noise", study.residual.noise}}},
      {"would_pass", change_json(study.would_pass)},
      {"warnings", warnings}}
      .document();
}

std::string outputs_csv(const OutputStudy& study) {
  Columns columns = output_columns(study, {}, "");
  const auto append = [&](const std::optional<Certification>& judged, const char* name) {
    if (judged) append_rows(columns, output_columns(study, compared_pairs(judged->report), name));
  };
  append(study.vectors, "outputs");
  append(study.rows, "tables");
  append_places(study, columns);
  return csv_text(columns);
}

}  // namespace rope
