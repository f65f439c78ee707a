// The answer of `rope diagnose`.

#include <fmt/format.h>

#include <algorithm>

#include "rope/words/diagnosed.hpp"
#include "rope/words/explanation_text.hpp"
#include "rope/words/no_explanation.hpp"
#include "rope/words/sentence.hpp"

namespace rope::words {
namespace {

constexpr std::string_view kOnlyIf = "y fits";

/// " along axis 2" where the user did not say which axis counts the tokens.
std::string along_axis(const Diagnosed& one) {
  if (!one.axis_chosen || one.axis_open) return {};
  return fmt::format(" along axis {}", one.diagnosis.token_axis);
}

/// " if axis 2 counts 8 tokens (…)" where it may count the heads of one.
std::string axis_condition(const Diagnosed& one) {
  if (!one.axis_open) return {};
  return fmt::format(
      " if axis {} holds {} tokens (if it holds the heads of one token, heads were mistaken for "
      "tokens and each was given its own position: state the axis with --token-axis)",
      one.diagnosis.token_axis, one.diagnosis.tokens);
}

/// " only if the angles are rounded to float16", where a pipeline that loses so much has to be
/// assumed.
std::string only_if(const Diagnosed& one) {
  if (one.diagnosis.explanations.size() > 1) return {};
  for (const Advice& remark : case_remarks(one, one.diagnosis.explanations.front()))
    if (fits_only(remark)) return remark.finding.substr(kOnlyIf.size());
  return {};
}

/// " if positions start at 1, not 0" where they are not stated and do not count from 0.
std::string start_condition(const Diagnosed& one) {
  const std::optional<std::int64_t>& start = one.diagnosis.explanations.front().position_offset;
  if (one.positions_given || one.axis_open || one.frequencies || !start || *start == 0) return {};
  return fmt::format(" if positions start at {}, not 0", *start);
}

/// The answer where what the user states explains a case; what else does is named.
std::string stated_answer(const Diagnosed& one, const std::optional<Assumption>& assumed,
                          const std::string& convention) {
  const Diagnosis& d = one.diagnosis;
  const bool all = assumed->frequencies;
  const char* const rest = d.of_all_numbers() ? "" : " the rest";
  if (const std::string only = only_if(one); !only.empty())
    return fmt::format("what you state fits{}{}: {}", rest, only, convention);
  std::string fits =
      fmt::format("what you state fits{}{}{}{}{}: {}", rest, along_axis(one), axis_condition(one),
                  start_condition(one), all ? "" : ", with inferred frequencies", convention);
  if (one.axis_open) return fits;
  if (d.unchanged) return fits + "; but y equals x, so many other conventions fit too";
  if (d.explanations.size() > 1)
    return fits + fmt::format("; {} fit{} as well",
                              counted(d.explanations.size() - 1, "other convention"),
                              d.explanations.size() == 2 ? "s" : "");
  if (!d.of_all_numbers()) return fits;
  if (d.verdict != DiagnosisVerdict::unique) return fits + "; these numbers leave something open";
  return fits + ", and nothing else does";
}

/// Whether all that differs from what is stated is in digits that noise of y may move.
bool near_stated(const Diagnosed& one, const std::optional<Assumption>& assumed) {
  if (!assumed || one.diagnosis.explanations.size() != 1) return false;
  const std::vector<Advice> all =
      case_differences(one, one.diagnosis.explanations.front(), *assumed);
  return !all.empty() && std::ranges::all_of(all, [](const Advice& difference) {
    return difference.finding.ends_with(kBeyondBounds);
  });
}

}  // namespace

bool fits_only(const Advice& remark) { return remark.finding.starts_with(kOnlyIf); }

std::string answer(const Diagnosed& one, const std::optional<Assumption>& assumed,
                   const std::string& subject) {
  const Diagnosis& d = one.diagnosis;
  if (d.explanations.empty()) {
    if (std::string near = best_fit_text(one, assumed); !near.empty()) return near;
    std::string why = no_explanation(one, assumed && assumed->frequencies).why;
    if (d.unchanged && !d.of_all_numbers()) return "in the rest, " + why;
    if (d.verdict != DiagnosisVerdict::none || d.unchanged) return why;
    return fmt::format("no convention explains {}: {}", subject, why);
  }
  const Explanation& best = d.explanations.front();
  const std::string convention = short_convention(one, best);
  if (stated_fits_rest(one, assumed).value_or(false))
    return stated_answer(one, assumed, convention);
  if (d.explanations.size() > 1)
    return fmt::format(
        "{} conventions explain {}, and the numbers cannot distinguish them; {} is: {}",
        d.explanations.size(), subject, best.assumed ? "the one you assume" : "the most common",
        convention);
  if (!one.axis_open && (d.verdict == DiagnosisVerdict::ambiguous || !best.open.empty()))
    return fmt::format("one convention explains {}, with something still open: {}", subject,
                       convention);
  if (near_stated(one, assumed))
    return "what you state comes close but leaves some numbers of y beyond their bounds, which "
           "noise can cause; this convention leaves none: " +
           convention;
  return fmt::format("one convention explains {}{}{}{}: {}", subject, along_axis(one),
                     assumed ? ", not the one you assume" : "", axis_condition(one), convention);
}

std::vector<Advice> unusual(const Diagnosed& one) {
  std::vector<Advice> all =
      on_which_all_agree(one, [&](const Explanation& e) { return case_remarks(one, e); });
  // That a pipeline rounds so much is open where something else fits as well.
  if (one.diagnosis.explanations.size() > 1)
    std::erase_if(all, [](const Advice& remark) { return fits_only(remark); });
  return all;
}

std::optional<bool> stated_fits(const Diagnosed& one, const std::optional<Assumption>& assumed) {
  const std::optional<bool> rest = stated_fits_rest(one, assumed);
  if (!rest) return std::nullopt;
  return *rest && one.diagnosis.of_all_numbers() && only_if(one).empty();
}

std::optional<bool> stated_fits_rest(const Diagnosed& one,
                                     const std::optional<Assumption>& assumed) {
  if (!assumed) return std::nullopt;
  const std::vector<Explanation>& found = one.diagnosis.explanations;
  return !found.empty() && !one.diagnosis.overflowed &&
         case_differences(one, found.front(), *assumed).empty();
}

}  // namespace rope::words
