#include "rope/documents/bits.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "rope/documents/embedding.hpp"

namespace rope {
namespace {

/// log2, so that files can hold errors far below the smallest double; an error of 0 has none.
double log2_of(long double value) {
  int exponent = 0;
  const auto number = static_cast<double>(std::frexp(value, &exponent));
  return value == 0 ? std::nan("") : exponent + std::log2(number);
}

io::JsonValue bits_step_json(const MultiprecisionStep& step) {
  return {{"bits", step.bits},
          {"cases", step.cases},
          {"log2_max_error", log2_of(step.max_error)},
          {"log2_bound", log2_of(step.bound)},
          {"max_ratio_to_bound", step.max_ratio},
          {"violations", step.violations},
          {"vacuous_cases", step.vacuous},
          {"table_entries", step.entries},
          {"log2_max_table_error", log2_of(step.max_table_error)},
          {"max_table_ratio_to_bound", step.max_table_ratio},
          {"table_violations", step.table_violations}};
}

}  // namespace

Columns bits_columns(const std::vector<MultiprecisionStep>& steps) {
  using Step = MultiprecisionStep;
  const auto of = [&](auto cell) { return cells_of(steps, cell); };
  const auto text = [&](long double Step::*value) {  // a double may not hold it
    return of([&](const Step& step) { return fmt::format("{:.3g}", step.*value); });
  };
  const auto log2 = [&](long double Step::*value) {
    return of([&](const Step& step) { return log2_of(step.*value); });
  };
  return {column("bits", "bits", of(&Step::bits)),
          table_column("error/(|q||k|)", text(&Step::max_error)),
          file_column("log2_max_error", log2(&Step::max_error)),
          table_column("rounding allows", text(&Step::bound)),
          file_column("log2_bound", log2(&Step::bound)),
          column("max_ratio", "ratio", of(&Step::max_ratio), three_digits),
          file_column("violations", of(&Step::violations)),
          file_column("vacuous", of(&Step::vacuous)),
          column("max_table_ratio", "cos, sin", of(&Step::max_table_ratio), three_digits),
          file_column("table_violations", of(&Step::table_violations))};
}

std::string bits_json(const VerifyOptions& options, const std::vector<MultiprecisionStep>& steps,
                      const std::vector<std::string>& warnings) {
  return io::JsonValue{
      {"schema", "rope.verify/2"},
      {"verdict", name(verdict(options, steps))},
      {"rotary", rotary_json(options.embedding)},
      {"control", options.control ? std::optional(options.control->name) : std::nullopt},
      {"seed", options.seed},
      {"precision", io::json_list(steps, bits_step_json)},
      {"warnings", warnings}}
      .document();
}

std::string bits_csv(const std::vector<MultiprecisionStep>& steps) {
  return csv_text(bits_columns(steps));
}

}  // namespace rope
