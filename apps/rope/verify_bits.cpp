#include "verify_bits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "rope/io/csv.hpp"
#include "rope/io/json.hpp"
#include "rotary_json.hpp"
#include "rotary_options.hpp"
#include "table.hpp"

namespace rope::app {
namespace {

bool held(const std::vector<MultiprecisionStep>& steps) {
  return std::ranges::all_of(steps, [](const auto& step) { return step.violations == 0; });
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
               {"", Table::Align::left}});
  for (const MultiprecisionStep& step : steps)
    table.add_row(
        {fmt::format("{}", step.bits), fmt::format("{:.3g}", step.max_error),
         fmt::format("{:.3g}", step.bound), fmt::format("{:.3g}", step.max_ratio),
         step.violations == 0 ? console.paint(Ink::good, "ok") : console.paint(Ink::bad, "FAIL")});
  console.print(table.text());
  console.print(held(steps) ? "\nThe error falls with the bits: what is left is rounding alone.\n"
                            : "\nMore bits do not mend it: this is not rounding.\n");
  console.print("\n" +
                (held(steps) ? console.paint(Ink::good, "PASS") : console.paint(Ink::bad, "FAIL")) +
                "\n");
}

std::string bits_json(const VerifyOptions& options, const std::vector<MultiprecisionStep>& steps) {
  io::Json document;
  document["schema"] = "rope.verify/1";
  document["verdict"] = held(steps) ? "pass" : "fail";
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
                                     {"violations", step.violations}});
  return io::to_json_text(document);
}

std::string bits_csv(const std::vector<MultiprecisionStep>& steps) {
  std::vector<std::int64_t> bits, violations;
  std::vector<double> errors, bounds, ratios;
  for (const MultiprecisionStep& step : steps) {
    bits.push_back(step.bits);
    errors.push_back(log2_of(step.max_error));
    bounds.push_back(log2_of(step.bound));
    ratios.push_back(step.max_ratio);
    violations.push_back(static_cast<std::int64_t>(step.violations));
  }
  return io::to_csv({{"bits", bits},
                     {"log2_max_error", errors},
                     {"log2_bound", bounds},
                     {"max_ratio", ratios},
                     {"violations", violations}});
}

}  // namespace rope::app
