// What `rope diagnose` says to people.

#include "diagnose/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "diagnose/explanation_text.hpp"
#include "diagnose/no_explanation.hpp"
#include "rope/rotary/ranges_text.hpp"
#include "shown/table.hpp"
#include "shown/text.hpp"

namespace rope::app {
namespace {

constexpr Extent kShort = {2, 4};
constexpr Extent kDetailed = {5, 8};
constexpr const char* kDiffers = "What differs from what you assume";

/// Whether y fits only a pipeline that loses more than any should.
constexpr std::string_view kOnlyIf = "y fits";
bool fits_only(const Advice& remark) { return remark.finding.starts_with(kOnlyIf); }

std::string advice_text(const std::vector<Advice>& all, const Console& console,
                        const std::string& heading) {
  if (all.empty()) return {};
  std::string text = console.paint(Ink::strong, heading) + "\n";
  for (const Advice& advice : all) {
    text += "  " + sentence(advice.finding) + "\n";
    if (!advice.remedy.text.empty()) text += "    " + sentence(advice.remedy.text) + "\n";
  }
  return text;
}

/// What is unusual, and what is not as assumed; each thing once.
std::string comparison_text(const DiagnosedCase& one, const DiagnoseStudy& study,
                            const Console& console) {
  std::vector<Advice> unusual =
      on_which_all_agree(one, [&](const Explanation& e) { return case_remarks(one, e); });
  // That a pipeline rounds so much is open where something else fits as well.
  if (one.diagnosis.explanations.size() > 1)
    std::erase_if(unusual, [](const Advice& remark) { return fits_only(remark); });
  if (!study.assumed) return advice_text(unusual, console, "What is unusual");
  const std::vector<Advice> all = on_which_all_agree(
      one, [&](const Explanation& e) { return case_differences(one, e, *study.assumed); });
  std::erase_if(unusual, [&](const Advice& remark) {
    return std::any_of(all.begin(), all.end(), [&](const Advice& other) {
      return other.finding == remark.finding ||
             (!remark.remedy.text.empty() &&
              other.remedy.text.find(remark.remedy.text) != std::string::npos);
    });
  });
  std::string text = advice_text(unusual, console, "What is unusual");
  if (!all.empty()) return text + advice_text(all, console, kDiffers);
  return text;  // the answer has said that it fits
}

/// "these tensors", "tensors 2", "these tables", "these frequencies"
std::string subject_of(const DiagnosedCase& one, const DiagnoseStudy& study) {
  if (!one.diagnosis.of_all_numbers()) return "the rest";
  if (one.frequencies) return "these frequencies";
  if (one.columns) return "these tables";
  if (study.cases.size() == 1) return "these tensors";
  return fmt::format("tensor pair {}", &one - study.cases.data() + 1);
}

/// " if axis 2 counts 8 tokens (…)" where it may count the heads of one.
std::string axis_condition(const DiagnosedCase& one) {
  if (!one.axis_open) return {};
  return fmt::format(
      " if axis {} counts {} tokens (if it counts the heads of one token, heads were taken for "
      "tokens, and each stands at a position of its own: --token-axis says which)",
      one.diagnosis.token_axis, one.diagnosis.tokens);
}

/// " only if the angles are rounded to float16", where a pipeline that loses so much has to be
/// assumed.
std::string only_if(const DiagnosedCase& one) {
  if (one.diagnosis.explanations.size() > 1) return {};
  for (const Advice& remark : case_remarks(one, one.diagnosis.explanations.front()))
    if (fits_only(remark)) return remark.finding.substr(kOnlyIf.size());
  return {};
}

/// The answer where what the user states explains a case; what else does is named.
std::string stated_answer(const DiagnosedCase& one, const DiagnoseStudy& study,
                          const std::string& convention) {
  const Diagnosis& d = one.diagnosis;
  const bool all = study.assumed->frequencies;
  const char* const rest = d.of_all_numbers() ? "" : " the rest";
  if (const std::string only = only_if(one); !only.empty())
    return fmt::format("what you state explains y{}{}: {}", rest, only, convention);
  std::string fits = fmt::format("what you state fits{}{}{}: {}", rest, axis_condition(one),
                                 all ? "" : ", the frequencies were found", convention);
  if (one.axis_open) return fits;
  if (d.unchanged) return fits + "; but y is x, so much else does too";
  if (d.explanations.size() > 1)
    return fits + fmt::format("; {} fit{} as well",
                              counted(d.explanations.size() - 1, "other convention"),
                              d.explanations.size() == 2 ? "s" : "");
  if (!d.of_all_numbers()) return fits;
  if (d.verdict != DiagnosisVerdict::unique) return fits + "; these numbers leave something open";
  return fits + ", and nothing else does";
}

/// Whether all that differs from what is stated is in digits that noise of y may move.
bool near_stated(const DiagnosedCase& one, const DiagnoseStudy& study) {
  if (!study.assumed || one.diagnosis.explanations.size() != 1) return false;
  const std::vector<Advice> all =
      case_differences(one, one.diagnosis.explanations.front(), *study.assumed);
  return !all.empty() && std::ranges::all_of(all, [](const Advice& difference) {
    return difference.finding.ends_with(kBeyondBounds);
  });
}

/// The answer, in a sentence without its full stop, as certain as it is and no more.
std::string answer(const DiagnosedCase& one, const DiagnoseStudy& study) {
  const Diagnosis& d = one.diagnosis;
  const std::string subject = subject_of(one, study);
  if (d.explanations.empty()) {
    if (std::string near = best_fit_text(one, study.assumed); !near.empty()) return near;
    std::string why = no_explanation(one, study.assumed && study.assumed->frequencies).why;
    if (d.unchanged && !d.of_all_numbers()) return "in the rest, " + why;
    if (d.verdict != DiagnosisVerdict::none || d.unchanged) return why;
    return fmt::format("no convention explains {}: {}", subject, why);
  }
  const Explanation& best = d.explanations.front();
  const std::string convention = short_convention(one, best);
  if (study.stated_fits_rest(one).value_or(false)) return stated_answer(one, study, convention);
  if (d.explanations.size() > 1)
    return fmt::format(
        "{} conventions explain {}, and the numbers cannot tell them apart; {} is: {}",
        d.explanations.size(), subject, best.assumed ? "the one you assume" : "the most usual",
        convention);
  if (!one.axis_open && (d.verdict == DiagnosisVerdict::ambiguous || !best.open.empty()))
    return fmt::format("one convention was found that explains {}, but something stays open: {}",
                       subject, convention);
  if (near_stated(one, study))
    return "what you state comes near and leaves numbers of y beyond their bounds, as noise may; "
           "this leaves none: " +
           convention;
  return fmt::format("one convention explains {}{}{}: {}", subject,
                     study.assumed ? ", not the one you assume" : "", axis_condition(one),
                     convention);
}

/// "Tokens 3 … 5", or how many where rows have tokens of their own or others are left out as well.
std::string dropped_text(const DiagnosedCase& one) {
  if (one.row_tokens > 0 || one.diagnosis.unwritten.any()) return counted(one.dropped, "token");
  std::vector<std::size_t> tokens;
  for (std::size_t token = 0; token < one.kept.size() + one.dropped; ++token)
    if (!std::ranges::binary_search(one.kept, token)) tokens.push_back(token);
  return fmt::format("Token{} {}", tokens.size() == 1 ? "" : "s", ranges_text(tokens));
}

/// What was looked at, and what of it counts.
std::string setting_text(const DiagnosedCase& one) {
  const Diagnosis& d = one.diagnosis;
  std::string text = one.title;
  if (one.split_heads > 0)
    text += fmt::format(", read as {} of {}", counted(one.split_heads, "head"), one.shape.back());
  if (d.token_axis > 0) text += fmt::format("; the tokens run along axis {}", d.token_axis);
  if (one.row_tokens > 0) text += ", and every row of the batch has positions of its own";
  text += "\n";
  if (one.dropped > 0)
    text += fmt::format("{} {} a NaN or an infinity and {} not count.\n", dropped_text(one),
                        one.dropped == 1 ? "holds" : "hold", one.dropped == 1 ? "does" : "do");
  if (!one.container.empty() && !one.frequencies &&
      std::string(limits(d.storage).name) != one.container)
    text += fmt::format("The numbers are of {}, in a file of {}.\n", limits(d.storage).name,
                        one.container);
  return text;
}

std::string case_text(const DiagnosedCase& one, const DiagnoseStudy& study, const Extent& extent,
                      const Console& console) {
  const Diagnosis& d = one.diagnosis;
  if (d.explanations.empty() && d.best_fit) {
    const std::string& remedy = d.best_fit->remedy.text;
    return (remedy.empty() ? std::string() : sentence(remedy) + "\n") +
           advice_text(best_fit_differences(one, study.assumed), console, kDiffers);
  }
  if (d.explanations.empty()) {
    const Reason reason = no_explanation(one, study.assumed && study.assumed->frequencies);
    return (reason.remedy.empty() ? std::string() : reason.remedy + "\n") +
           near_miss_text(one, extent.runs);
  }
  std::string text;
  const std::size_t count = d.explanations.size();
  for (std::size_t i = 0; i < std::min(extent.explanations, count); ++i)
    text += explanation_text(one, d.explanations[i], extent);
  if (count > extent.explanations)
    text += fmt::format("  … and {} more (--details shows up to {}, --json all)\n",
                        count - extent.explanations, kDetailed.explanations);
  return text + comparison_text(one, study, console);
}

/// Each line, wrapped where it is longer than the terminal is wide, under its own beginning.
void say_lines(const std::string& text, const Console& console) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    console.say(line.substr(indent), indent);
  }
}

void print_case(const DiagnosedCase& one, const DiagnoseStudy& study, bool details,
                const Console& console) {
  const bool good = one.diagnosis.verdict == DiagnosisVerdict::unique ||
                    study.stated_fits_rest(one).value_or(false);
  const Ink ink = good ? Ink::good : Ink::bad;
  for (const Advice& exception : exceptions(one)) {
    console.say(console.paint(Ink::bad, sentence(exception.finding)));
    console.say(sentence(exception.remedy.text), 2);
  }
  console.say(console.paint(ink, sentence(answer(one, study))));
  say_lines(setting_text(one), console);
  say_lines(case_text(one, study, details ? kDetailed : kShort, console), console);
}

/// Which of several tensors are turned alike.
void print_agreement(const DiagnoseStudy& study, const Console& console) {
  for (std::size_t i = 1; i < study.cases.size(); ++i) {
    const DiagnosedCase &first = study.cases.front(), &other = study.cases[i];
    if (first.diagnosis.explanations.empty() || other.diagnosis.explanations.empty()) continue;
    const std::vector<std::string> all = disagreements(first, other);
    const std::string text =
        all.empty() ? fmt::format("Tensors 1 and {} are turned alike.", i + 1)
                    : fmt::format("Tensors 1 and {} differ in {}.", i + 1, fmt::join(all, "; "));
    console.say(console.paint(all.empty() ? Ink::good : Ink::bad, text));
  }
}

}  // namespace

DiagnosisVerdict DiagnoseStudy::verdict() const {
  DiagnosisVerdict worst = DiagnosisVerdict::unique;
  for (const DiagnosedCase& one : cases) worst = std::max(worst, one.diagnosis.verdict);
  return worst;
}

std::optional<bool> DiagnoseStudy::stated_fits(const DiagnosedCase& one) const {
  const std::optional<bool> rest = stated_fits_rest(one);
  if (!rest) return std::nullopt;
  return *rest && one.diagnosis.of_all_numbers() && only_if(one).empty();
}

std::optional<bool> DiagnoseStudy::stated_fits_rest(const DiagnosedCase& one) const {
  if (!assumed) return std::nullopt;
  const std::vector<Explanation>& found = one.diagnosis.explanations;
  return !found.empty() && !one.diagnosis.overflowed &&
         case_differences(one, found.front(), *assumed).empty();
}

void print_diagnosis(const DiagnoseStudy& study, bool details, const Console& console) {
  print_agreement(study, console);
  for (const DiagnosedCase& one : study.cases) {
    if (study.cases.size() > 1) console.print("\n");
    print_case(one, study, details, console);
  }
}

}  // namespace rope::app
