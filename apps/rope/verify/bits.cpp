#include "verify/bits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "shown/columns.hpp"
#include "shown/rotary_json.hpp"
#include "shown/text.hpp"
#include "shown/verdict.hpp"

namespace rope::app {
namespace {

/// "ok", unless something was seen, or could not be.
std::string step_outcome(const MultiprecisionStep& step, const Console& console) {
  if (!step.held() || step.vacuous == 0) return outcome_word(!step.held(), false, console);
  return console.paint(Ink::strong, fmt::format("open in {} of {}", step.vacuous, step.cases));
}

/// What the rows come to, in a sentence.
std::string sum_up(const VerifyOptions& options, const std::vector<MultiprecisionStep>& steps) {
  const MultiprecisionStep& last = steps.back();
  const std::string apart = fmt::format("in {} bits the two sides differ by up to {:.3g}·|q||k|",
                                        last.bits, last.max_error);
  const bool identity = std::ranges::all_of(
      steps, [](const MultiprecisionStep& step) { return step.violations == 0; });
  if (!identity) return "more bits do not mend it, so this is not rounding: " + apart;
  if (!std::ranges::all_of(steps, &MultiprecisionStep::held))
    return "the two sides agree within rounding, but by the wrong angles: every family of "
           "rotations "
           "satisfies the identity";
  if (verdict(options, steps) == Verdict::pass)
    return (error_falls(steps)
                ? "the error falls with the bits, so what is left is rounding alone: "
                : "the error is within what rounding may do: ") +
           apart;
  if (options.control)
    return "the planted mistake stays within rounding here, and nothing tells it from the right "
           "formula: take more bits";
  return "rounding may turn a pair by a radian or more, so that anything conforms: take more bits, "
         "or nearer positions";
}

/// log2, so that files can hold errors far below the smallest double; an error of 0 has none.
double log2_of(long double value) {
  return value == 0 ? std::nan("") : static_cast<double>(std::log2(value));
}

Columns columns_of(const std::vector<MultiprecisionStep>& steps) {
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

io::JsonValue step_json(const MultiprecisionStep& step) {
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

void print_bits_report(const VerifyOptions& options, const std::vector<MultiprecisionStep>& steps,
                       const RotaryVariant& variant, const Console& console) {
  say_verdict(verdict(options, steps), sum_up(options, steps), console);
  if (options.control)
    console.say(
        fmt::format("Planted was {}: {}.", options.control->name, options.control->mistake));
  console.say(describe(variant) +
              fmt::format("; {} in each number of bits, in which every number is held.",
                          counted(steps.front().cases, "case")));
  if (options.embedding.attention_factor != 1)
    console.say("The attention factor, which multiplies both sides, is left out.");
  Columns columns = columns_of(steps);
  const auto outcome_of = [&](const MultiprecisionStep& step) {
    return step_outcome(step, console);
  };
  columns.push_back(left(table_column("", cells_of(steps, outcome_of))));
  console.print(table_of(columns));
}

std::string bits_json(const VerifyOptions& options, const std::vector<MultiprecisionStep>& steps,
                      const std::vector<std::string>& warnings) {
  return io::JsonValue{
      {"schema", "rope.verify/2"},
      {"verdict", name(verdict(options, steps))},
      {"rotary", rotary_json(options.embedding)},
      {"control", options.control ? std::optional(options.control->name) : std::nullopt},
      {"seed", options.seed},
      {"precision", io::json_list(steps, step_json)},
      {"warnings", warnings}}
      .document();
}

std::string bits_csv(const std::vector<MultiprecisionStep>& steps) {
  return csv_text(columns_of(steps));
}

}  // namespace rope::app
