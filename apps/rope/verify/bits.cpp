#include "verify/bits.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rope/documents/bits.hpp"
#include "shown/columns.hpp"
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
    return "the two sides agree within rounding, but cos and sin do not belong to the right angles";
  if (verdict(options, steps) == Verdict::pass)
    return (error_falls(steps) ? "the error falls with the bits, so only rounding is left: "
                               : "the error is within what rounding may do: ") +
           apart;
  if (options.control)
    return "the planted mistake stays within rounding here, and nothing distinguishes it from the "
           "right formula: take more bits";
  return "rounding may turn a pair by a radian or more, and nothing is proven: take more bits, or "
         "nearer positions";
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
    console.say("The attention factor, which multiplies both sides, is omitted.");
  Columns columns = bits_columns(steps);
  const auto outcome_of = [&](const MultiprecisionStep& step) {
    return step_outcome(step, console);
  };
  columns.push_back(left(table_column("", cells_of(steps, outcome_of))));
  console.print(table_of(columns), "Errors by the number of bits");
}

}  // namespace rope::app
