#include "verify/bits.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rope/documents/bits.hpp"
#include "rope/language/said.hpp"
#include "shown/columns.hpp"
#include "shown/text.hpp"
#include "shown/verdict.hpp"

namespace rope::app {
namespace {

/// "ok", unless something was seen, or could not be.
std::string step_outcome(const MultiprecisionStep& step, const Console& console) {
  if (!step.held() || step.vacuous == 0) return outcome_word(!step.held(), false, console);
  return console.paint(Ink::strong,
                       said(console.language(), "open in {} of {}", step.vacuous, step.cases));
}

/// What the rows come to, in a sentence.
std::string sum_up(const VerifyOptions& options, const std::vector<MultiprecisionStep>& steps,
                   Language language) {
  const MultiprecisionStep& last = steps.back();
  const std::string apart =
      said(language, "in {} bits, ⟨R_m q, R_n k⟩ and qᵀR_{{n−m}}k differ by up to {:.3g}·|q||k|",
           last.bits, last.max_error);
  const bool identity = std::ranges::all_of(
      steps, [](const MultiprecisionStep& step) { return step.violations == 0; });
  if (!identity) return said(language, "more bits do not help, so this is not rounding: {}", apart);
  if (!std::ranges::all_of(steps, &MultiprecisionStep::held))
    return said(language,
                "⟨R_m q, R_n k⟩ and qᵀR_{{n−m}}k agree within rounding, but cos and sin are not "
                "those of the right angles");
  if (verdict(options, steps) == Verdict::pass)
    return error_falls(steps)
               ? said(language,
                      "the error falls as the bits increase, so only rounding is left: {}", apart)
               : said(language, "the error is within what rounding can cause: {}", apart);
  if (options.control)
    return said(language,
                "the planted mistake stays within rounding here, and nothing distinguishes it from "
                "the right formula: use more bits");
  return said(language,
              "rounding may turn a pair by a radian or more, so nothing is proven: use more bits, "
              "or positions nearer 0");
}

}  // namespace

void print_bits_report(const VerifyOptions& options, const std::vector<MultiprecisionStep>& steps,
                       const RotaryVariant& variant, const Console& console) {
  const Language language = console.language();
  say_verdict(verdict(options, steps), sum_up(options, steps, language), console);
  if (options.control)
    console.say(said(language, "Planted mistake {}: {}.", options.control->name,
                     translated(options.control->mistake, language)));
  console.say(said(language, "{}; {} per row, with that many bits in every number.",
                   describe(variant, language), counted(steps.front().cases, "case", language)));
  if (options.embedding.attention_factor != 1)
    console.say(said(language, "The attention factor, which multiplies both sides, is omitted."));
  Columns columns = bits_columns(steps);
  const auto outcome_of = [&](const MultiprecisionStep& step) {
    return step_outcome(step, console);
  };
  columns.push_back(left(table_column("", cells_of(steps, outcome_of))));
  console.print(table_of(columns), "Errors by the number of bits");
}

}  // namespace rope::app
