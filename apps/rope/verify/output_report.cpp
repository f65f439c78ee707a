// What `rope verify --input X --result Y` says.

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "rope/pictures/embedding_text.hpp"
#include "rope/verify/judge_outputs.hpp"
#include "shown/columns.hpp"
#include "shown/policy.hpp"
#include "shown/rotary_json.hpp"
#include "verify/output.hpp"
#include "verify/verdict.hpp"

namespace rope::app {
namespace {

constexpr std::size_t kShownPairs = 8;

/// The worst error of each pair that was compared.
std::vector<OutputError> compared_pairs(const OutputReport& report) {
  std::vector<OutputError> pairs = report.per_pair;
  std::erase_if(pairs, [](const OutputError& one) { return !(one.bound > 0); });
  return pairs;
}

/// The worst pairs first, at most kShownPairs of them.
std::vector<OutputError> worst_pairs(const OutputReport& report) {
  std::vector<OutputError> pairs = compared_pairs(report);
  std::ranges::stable_sort(
      pairs, [](const OutputError& a, const OutputError& b) { return a.worse_than(b); });
  if (pairs.size() > kShownPairs) pairs.resize(kShownPairs);
  return pairs;
}

std::string place_text(const OutputStudy& study, const OutputError& one, std::string_view what) {
  if (one.passes_through)
    return fmt::format(
        "{} {} at position {}, dimension {}, which passes through: found {:.9g}, "
        "given {:.9g}",
        what, one.vector, one.position, one.pair, one.found.cos, one.expected.cos);
  const auto [i, j] = study.embedding.dimensions(one.pair);
  return fmt::format(
      "{} {} at position {}, pair {} (dimensions {}, {}): found ({:.9g}, {:.9g}), "
      "exact ({:.9g}, {:.9g})",
      what, one.vector, one.position, one.pair, i, j, one.found.cos, one.found.sin,
      one.expected.cos, one.expected.sin);
}

/// "3, 5 to 63"
std::string pair_list(const std::vector<std::size_t>& pairs) {
  std::string text;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::size_t first = i;
    while (i + 1 < pairs.size() && pairs[i + 1] == pairs[i] + 1) ++i;
    text += (text.empty() ? "" : ", ") + std::to_string(pairs[first]);
    if (i > first) text += " to " + std::to_string(pairs[i]);
  }
  return (pairs.size() == 1 ? "pair " : "pairs ") + text;
}

/// What of the comparison proves nothing.
void print_evidence(const OutputReport& report, const Console& console) {
  if (report.vacuous > 0)
    console.print(
        fmt::format("  at {} places any turn would be within what is allowed\n", report.vacuous));
  if (report.zero > 0)
    console.print(
        fmt::format("  {} of the pairs given are zero, which any angle turns to zero: no proof\n",
                    report.zero));
  const std::vector<std::size_t> none = report.pairs_that_show(Evidence::none);
  const std::vector<std::size_t> fixed = report.pairs_that_show(Evidence::fixed);
  if (!none.empty())
    console.print(
        fmt::format("  not tested: {}\n"
                    "    (at every position but 0 they are zero, or any turn would be allowed)\n",
                    pair_list(none)));
  if (!fixed.empty())
    console.print(
        fmt::format("  too slow to see at these positions: {}\n"
                    "    (leaving them as they were would be allowed, too)\n",
                    pair_list(fixed)));
}

/// One part of the study, named as in csv.
Columns columns_of(const OutputStudy& study, const std::vector<OutputError>& errors,
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

void print_part(const OutputStudy& study, const OutputReport& report, const char* what,
                const Console& console) {
  const std::vector<OutputError> worst = worst_pairs(report);
  const auto outcome = [&](const OutputError& one) {
    return one.violated() ? console.paint(Ink::bad, "FAIL") : console.paint(Ink::good, "ok");
  };
  Columns columns = columns_of(study, worst, what);
  columns.push_back(left(table_column("", cells_of(worst, outcome))));
  console.print("\n");
  console.print(table_of(columns));
  console.print(fmt::format("  {} compared, {} beyond what is allowed\n", report.compared,
                            report.violations));
  print_evidence(report, console);
  if (report.first)
    console.print(fmt::format("  first: {}\n         error {:.3g}, allowed {:.3g}\n",
                              place_text(study, *report.first, what), report.first->error,
                              report.first->bound));
}

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

/// What to do about a failure.
void print_remedy(const OutputStudy& study, const Console& console) {
  if (const std::optional<double> ulp = study.sufficient_libm_ulp()) {
    console.print(fmt::format(
        "\n  All of it passes with --libm-ulp {}: cos and sin off in their last bits would explain "
        "it.\n"
        "  The bounds take them to be right to {} ulp; vectorised libraries (libmvec, SLEEF,\n"
        "  NumPy's, CUDA's) promise 2 to {}. If these numbers come from one, judge them with that "
        "option.\n",
        *ulp, study.hypotheses.libm_ulp, kVectorLibmUlp));
    return;
  }
  if (study.policy.name == "exact")
    console.print(
        "\n  Judged as exact angles and float64: for code that computes in float32 or bfloat16 "
        "give\n"
        "  its --policy. rope diagnose tells which convention such tensors follow.\n");
  else
    console.print("\n  rope diagnose tells which convention such tensors follow.\n");
}

}  // namespace

void print_output_report(const OutputStudy& study, const Console& console) {
  console.print("y = R_m x, within what the policy allows ?\n\n");
  const auto line = [&](std::string_view what, const std::string& text) {
    if (!text.empty()) console.print(fmt::format("  {:<10} {}\n", what, text));
  };
  line("input", study.input);
  line("result", study.result);
  line("tables", study.tables);
  line("embedding", describe(study.embedding));
  line("positions", study.positions);
  line("policy", study.policy.name + ": " + stages_text(study.policy));
  if (study.embedding.scaling.rule != "default" && study.policy.angle_rule != AngleRule::exact)
    line("", fmt::format("{} roundings of each θ_k are granted to the steps of the scaling rule",
                         study.hypotheses.rule_roundings));
  if (study.narrowed) line("", "the cast to the type of the files is allowed beside it");
  if (study.vectors) print_part(study, study.vectors->report, "vector", console);
  if (study.rows) print_part(study, study.rows->report, "row", console);
  const Verdict verdict = study.verdict();
  if (verdict == Verdict::fail) print_remedy(study, console);
  console.print(verdict_line(verdict, console));
}

std::string output_json(const OutputStudy& study) {
  return io::JsonValue{{"schema", "rope.verify/2"},
                       {"verdict", name(study.verdict())},
                       {"rotary", rotary_json(study.embedding)},
                       {"policy", policy_json(study.policy)},
                       {"libm_ulp", study.hypotheses.libm_ulp},
                       {"sufficient_libm_ulp", study.sufficient_libm_ulp()},
                       {"rule_roundings", study.hypotheses.rule_roundings},
                       {"outputs", part_json(study.vectors)},
                       {"tables", part_json(study.rows)},
                       {"warnings", study.warnings}}
      .document();
}

std::string output_csv(const OutputStudy& study) {
  Columns columns = columns_of(study, {}, "");
  const auto append = [&](const std::optional<Certification>& judged, const char* name) {
    if (judged) append_rows(columns, columns_of(study, compared_pairs(judged->report), name));
  };
  append(study.vectors, "outputs");
  append(study.rows, "tables");
  return csv_text(columns);
}

}  // namespace rope::app
