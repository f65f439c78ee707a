#include "rope/documents/outputs.hpp"

#include "rope/documents/embedding.hpp"
#include "rope/documents/policy.hpp"

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
          table_column("θ_k", of(theta)),
          file_column("vector", of(&OutputError::vector)),
          column("position", "at position", of(&OutputError::position)),
          column("error", "error", of(&OutputError::error), three_digits),
          column("bound", "allowed", of(&OutputError::bound), three_digits),
          column("ratio", "ratio", of(&OutputError::ratio), three_digits)};
}

std::string outputs_json(const OutputStudy& study, const std::vector<std::string>& warnings) {
  return io::JsonValue{{"schema", "rope.verify/2"},
                       {"verdict", name(study.verdict())},
                       {"rotary", rotary_json(study.embedding)},
                       {"policy", policy_json(study.policy)},
                       {"libm_ulp", study.hypotheses.libm_ulp},
                       {"sufficient_libm_ulp", study.sufficient_libm_ulp()},
                       {"rule_roundings", study.hypotheses.rule_roundings},
                       {"outputs", part_json(study.vectors)},
                       {"tables", part_json(study.rows)},
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
  return csv_text(columns);
}

}  // namespace rope
