// What `rope verify --input X --result Y` says.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "named/policy_option.hpp"
#include "named/rotary_text.hpp"
#include "rope/io/csv.hpp"
#include "rope/io/json.hpp"
#include "rope/verify/judge_outputs.hpp"
#include "shown/rotary_json.hpp"
#include "shown/table.hpp"
#include "verify/output.hpp"
#include "verify/verdict.hpp"

namespace rope::app {
namespace {

constexpr std::size_t kShownPairs = 8;

/// The worst pairs first, at most kShownPairs of them.
std::vector<OutputError> worst_pairs(const OutputReport& report) {
  std::vector<OutputError> pairs;
  for (const OutputError& one : report.per_pair)
    if (one.bound > 0) pairs.push_back(one);
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

void print_part(const OutputStudy& study, const OutputReport& report, std::string_view what,
                const Console& console) {
  Table table({{"pair"},
               {"θ_k"},
               {"at position"},
               {"error"},
               {"allowed"},
               {"ratio"},
               {"", Table::Align::left}});
  for (const OutputError& one : worst_pairs(report))
    table.add_row(
        {std::to_string(one.pair), six_digits(study.embedding.frequencies.theta[one.pair]),
         std::to_string(one.position), fmt::format("{:.3g}", one.error),
         fmt::format("{:.3g}", one.bound), fmt::format("{:.3g}", one.ratio()),
         one.violated() ? console.paint(Ink::bad, "FAIL") : console.paint(Ink::good, "ok")});
  console.print("\n" + table.text());
  console.print(fmt::format("  {} compared, {} beyond what is allowed\n", report.compared,
                            report.violations));
  print_evidence(report, console);
  if (report.first)
    console.print(fmt::format("  first: {}\n         error {:.3g}, allowed {:.3g}\n",
                              place_text(study, *report.first, what), report.first->error,
                              report.first->bound));
}

io::Json place_json(const OutputError& one) {
  io::Json json;
  json["vector"] = one.vector;
  json["position"] = one.position;
  json[one.passes_through ? "dimension" : "pair"] = one.pair;
  json["error"] = one.error;
  json["bound"] = one.bound;
  json["ratio"] = one.ratio();
  if (one.passes_through) {
    json["found"] = one.found.cos;
    json["exact"] = one.expected.cos;
  } else {
    json["found"] = {one.found.cos, one.found.sin};
    json["exact"] = {one.expected.cos, one.expected.sin};
  }
  return json;
}

io::Json part_json(const std::optional<Certification>& part) {
  if (!part) return {};
  const OutputReport& report = part->report;
  io::Json json;
  json["compared"] = report.compared;
  json["violations"] = report.violations;
  json["vacuous"] = report.vacuous;
  json["zero"] = report.zero;
  json["pairs_not_tested"] = report.pairs_that_show(Evidence::none);
  json["pairs_too_slow_to_see"] = report.pairs_that_show(Evidence::fixed);
  json["worst"] = report.compared > 0 ? place_json(report.worst) : io::Json();
  json["first_violation"] = report.first ? place_json(*report.first) : io::Json();
  json["pairs"] = io::Json::array();
  for (const OutputError& one : report.per_pair)
    if (one.bound > 0) json["pairs"].push_back(place_json(one));
  return json;
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
  io::Json document;
  document["schema"] = "rope.verify/1";
  document["verdict"] = name(study.verdict());
  document["rotary"] = rotary_json(study.embedding);
  document["policy"] = policy_json(study.policy);
  document["libm_ulp"] = study.hypotheses.libm_ulp;
  const std::optional<double> sufficient = study.sufficient_libm_ulp();
  document["sufficient_libm_ulp"] = sufficient ? io::Json(*sufficient) : io::Json();
  document["rule_roundings"] = study.hypotheses.rule_roundings;
  document["outputs"] = part_json(study.vectors);
  document["tables"] = part_json(study.rows);
  document["warnings"] = study.warnings;
  return io::to_json_text(document);
}

std::string output_csv(const OutputStudy& study) {
  std::vector<std::string> part;
  std::vector<std::int64_t> pair, vector, position;
  std::vector<double> error, bound, ratio;
  const auto append = [&](const std::optional<Certification>& judged, const char* name) {
    if (!judged) return;
    for (const OutputError& one : judged->report.per_pair) {
      if (one.bound == 0) continue;
      part.emplace_back(name);
      pair.push_back(static_cast<std::int64_t>(one.pair));
      vector.push_back(static_cast<std::int64_t>(one.vector));
      position.push_back(one.position);
      error.push_back(one.error);
      bound.push_back(one.bound);
      ratio.push_back(one.ratio());
    }
  };
  append(study.vectors, "outputs");
  append(study.rows, "tables");
  return io::to_csv({{"part", std::move(part)},
                     {"pair", std::move(pair)},
                     {"vector", std::move(vector)},
                     {"position", std::move(position)},
                     {"error", std::move(error)},
                     {"bound", std::move(bound)},
                     {"ratio", std::move(ratio)}});
}

}  // namespace rope::app
