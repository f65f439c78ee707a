#include "verify/bits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "named/rotary_text.hpp"
#include "rope/io/csv.hpp"
#include "rope/io/json.hpp"
#include "shown/rotary_json.hpp"
#include "shown/table.hpp"
#include "verify/verdict.hpp"

namespace rope::app {
namespace {

/// "ok", unless something was seen, or could not be.
std::string outcome(const MultiprecisionStep& step, const Console& console) {
  if (!step.held()) return console.paint(Ink::bad, "FAIL");
  if (step.vacuous == 0) return console.paint(Ink::good, "ok");
  return console.paint(Ink::strong, fmt::format("{} of {} vacuous", step.vacuous, step.cases));
}

/// What the rows come to, in a sentence.
std::string sum_up(const VerifyOptions& options, const std::vector<MultiprecisionStep>& steps) {
  const bool identity = std::ranges::all_of(
      steps, [](const MultiprecisionStep& step) { return step.violations == 0; });
  if (!identity) return "More bits do not mend it: this is not rounding.";
  if (!std::ranges::all_of(steps, &MultiprecisionStep::held))
    return "The two sides agree within rounding, but by the wrong angles: every family of\n"
           "rotations satisfies the identity.";
  if (verdict(options, steps) == Verdict::pass)
    return error_falls(steps) ? "The error falls with the bits: what is left is rounding alone."
                              : "The error is within what rounding may do.";
  if (options.control)
    return "The planted mistake stays within rounding here: nothing tells it from the right\n"
           "formula. Take more bits.";
  return "Rounding may turn a pair by a radian or more, so that anything conforms: take more\n"
         "bits, or nearer positions.";
}

/// log2, so that files can hold errors far below the smallest double; an error of 0 has none.
double log2_of(long double value) {
  return value == 0 ? std::nan("") : static_cast<double>(std::log2(value));
}

}  // namespace

void print_bits_report(const VerifyOptions& options, const std::vector<MultiprecisionStep>& steps,
                       const Console& console) {
  console.print("⟨R_m q, R_n k⟩ = qᵀR_{n−m}k, every number held in so many bits ?\n");
  console.print(fmt::format("  embedding  {}\n", describe(options.embedding)));
  if (options.embedding.attention_factor != 1)
    console.print("             without the attention factor, which multiplies both sides\n");
  if (options.control)
    console.print(
        fmt::format("  mistake    {}: {}\n", options.control->name, options.control->mistake));
  console.print(fmt::format("  cases      {} in each number of bits\n\n", steps.front().cases));
  Table table({{"bits"},
               {"largest error/(|q||k|)"},
               {"allowed"},
               {"largest ratio"},
               {"true angles"},
               {"", Table::Align::left}});
  for (const MultiprecisionStep& step : steps)
    table.add_row({fmt::format("{}", step.bits), fmt::format("{:.3g}", step.max_error),
                   fmt::format("{:.3g}", step.bound), fmt::format("{:.3g}", step.max_ratio),
                   fmt::format("{:.3g}", step.max_table_ratio), outcome(step, console)});
  console.print(table.text());
  console.print("\n" + sum_up(options, steps) + "\n");
  console.print(verdict_line(verdict(options, steps), console));
}

std::string bits_json(const VerifyOptions& options, const std::vector<MultiprecisionStep>& steps,
                      const std::vector<std::string>& warnings) {
  io::Json document;
  document["schema"] = "rope.verify/1";
  document["verdict"] = name(verdict(options, steps));
  document["rotary"] = rotary_json(options.embedding);
  document["control"] = options.control ? io::Json(options.control->name) : io::Json();
  document["seed"] = options.seed;
  document["precision"] = io::Json::array();
  for (const MultiprecisionStep& step : steps)
    document["precision"].push_back({{"bits", step.bits},
                                     {"cases", step.cases},
                                     {"log2_max_error", log2_of(step.max_error)},
                                     {"log2_bound", log2_of(step.bound)},
                                     {"max_ratio_to_bound", step.max_ratio},
                                     {"violations", step.violations},
                                     {"vacuous_cases", step.vacuous},
                                     {"table_entries", step.entries},
                                     {"log2_max_table_error", log2_of(step.max_table_error)},
                                     {"max_table_ratio_to_bound", step.max_table_ratio},
                                     {"table_violations", step.table_violations}});
  document["warnings"] = warnings;
  return io::to_json_text(document);
}

std::string bits_csv(const std::vector<MultiprecisionStep>& steps) {
  std::vector<std::int64_t> bits, violations, vacuous, table_violations;
  std::vector<double> errors, bounds, ratios, table_ratios;
  for (const MultiprecisionStep& step : steps) {
    bits.push_back(step.bits);
    errors.push_back(log2_of(step.max_error));
    bounds.push_back(log2_of(step.bound));
    ratios.push_back(step.max_ratio);
    violations.push_back(static_cast<std::int64_t>(step.violations));
    vacuous.push_back(static_cast<std::int64_t>(step.vacuous));
    table_ratios.push_back(step.max_table_ratio);
    table_violations.push_back(static_cast<std::int64_t>(step.table_violations));
  }
  return io::to_csv({{"bits", bits},
                     {"log2_max_error", errors},
                     {"log2_bound", bounds},
                     {"max_ratio", ratios},
                     {"violations", violations},
                     {"vacuous", vacuous},
                     {"max_table_ratio", table_ratios},
                     {"table_violations", table_violations}});
}

}  // namespace rope::app
