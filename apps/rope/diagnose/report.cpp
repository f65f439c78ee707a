// What `rope diagnose` says to people.

#include "diagnose/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "rope/rotary/ranges_text.hpp"
#include "rope/words/explanation_text.hpp"
#include "rope/words/no_explanation.hpp"
#include "shown/table.hpp"
#include "shown/text.hpp"

namespace rope::app {
namespace {

constexpr words::Extent kShort = {2, 4};
constexpr words::Extent kDetailed = {5, 8};
constexpr const char* kDiffers = "What differs from your assumptions";

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
  std::vector<Advice> unusual = words::unusual(one);
  if (!study.assumed) return advice_text(unusual, console, "What is unusual");
  const std::vector<Advice> all = on_which_all_agree(
      one, [&](const Explanation& e) { return case_differences(one, e, *study.assumed); });
  std::erase_if(unusual, [&](const Advice& remark) {
    return std::any_of(all.begin(), all.end(), [&](const Advice& other) {
      // Frequencies that are those assumed have no wrong exponent.
      const bool right = other.remedy.name.text() == "pairs-in-part" &&
                         remark.remedy.name.text().starts_with("exponent");
      return right || other.finding == remark.finding ||
             (!remark.remedy.text.empty() &&
              other.remedy.text.find(remark.remedy.text) != std::string::npos);
    });
  });
  std::string text = advice_text(unusual, console, "What is unusual");
  if (!all.empty()) return text + advice_text(all, console, kDiffers);
  // Nothing differs from the first one if that is what is stated, as the answer says.
  return text +
         advice_text(case_differences(one, one.diagnosis.explanations.front(), *study.assumed),
                     console, "If the first is right, this differs from your assumptions");
}

/// "Tokens 3 … 5", or how many where rows have tokens of their own or others are left out as well.
std::string dropped_text(const DiagnosedCase& one) {
  if (one.row_tokens > 0 || one.diagnosis.unwritten.any()) return counted(one.left_out, "token");
  std::vector<std::size_t> tokens;
  for (std::size_t token = 0; token < one.kept.size() + one.left_out; ++token)
    if (!std::ranges::binary_search(one.kept, token)) tokens.push_back(token);
  return fmt::format("Token{} {}", tokens.size() == 1 ? "" : "s", ranges_text(tokens));
}

/// "these tensors", "tensors 2", "these tables", "these frequencies"
std::string subject_of(const DiagnosedCase& one, const DiagnoseStudy& study) {
  if (!one.diagnosis.of_all_numbers()) return "the rest";
  if (one.frequencies) return "these frequencies";
  if (one.columns) return "these tables";
  if (study.cases.size() == 1) return "these tensors";
  return fmt::format("tensor pair {}", &one - study.cases.data() + 1);
}

/// What was looked at, and what of it counts.
std::string setting_text(const DiagnosedCase& one) {
  const Diagnosis& d = one.diagnosis;
  std::string text = one.title;
  if (one.split_heads > 0)
    text += fmt::format(", read as {} of {}", counted(one.split_heads, "head"), one.shape.back());
  if (d.token_axis > 0)
    text +=
        fmt::format("; the {} run along axis {}",
                    counted(one.row_tokens > 0 ? one.row_tokens : d.tokens, "token"), d.token_axis);
  if (one.row_tokens > 0) text += ", and every row of the batch has positions of its own";
  text += "\n";
  if (one.trace == Trace::turned_back)
    text +=
        "The reference was turned back as stated; this hides anything that both programs do in the "
        "same way.\n";
  if (one.left_out > 0)
    text +=
        fmt::format("{} {} a NaN or an infinity and {} not counted.\n", dropped_text(one),
                    one.left_out == 1 ? "contains" : "contain", one.left_out == 1 ? "is" : "are");
  if (!one.container.empty() && !one.frequencies &&
      std::string(limits(d.storage).name) != one.container)
    text += fmt::format("The numbers are {}, stored as {} in the file.\n", limits(d.storage).name,
                        one.container);
  return text;
}

std::string case_text(const DiagnosedCase& one, const DiagnoseStudy& study,
                      const words::Extent& extent, const Console& console) {
  const Diagnosis& d = one.diagnosis;
  if (d.explanations.empty() && d.best_fit) {
    // Of two programs the x that both had is not at hand.
    const std::string& remedy = d.best_fit->remedy.text;
    return (remedy.empty() || one.trace != Trace::none ? std::string() : sentence(remedy) + "\n") +
           advice_text(best_fit_differences(one, study.assumed), console, kDiffers);
  }
  if (d.explanations.empty()) {
    const words::Reason reason = no_explanation(one, study.assumed && study.assumed->frequencies);
    return (reason.remedy.empty() ? std::string() : reason.remedy + "\n") +
           near_miss_text(one, extent.runs);
  }
  std::string text;
  const std::size_t count = d.explanations.size();
  for (std::size_t i = 0; i < std::min(extent.explanations, count); ++i)
    text += explanation_text(one, d.explanations[i], extent);
  if (count > extent.explanations)
    text += fmt::format(
        "  … and {} more{}\n", count - extent.explanations,
        hint(fmt::format(" (--details shows up to {}, --json all)", kDetailed.explanations)));
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
                    stated_fits_rest(one, study.assumed).value_or(false);
  const Ink ink = good ? Ink::good : Ink::bad;
  for (const Advice& exception : exceptions(one)) {
    console.say(console.paint(Ink::bad, sentence(exception.finding)));
    console.say(sentence(exception.remedy.text), 2);
  }
  if (one.trace == Trace::not_rotated) {
    console.say(console.paint(
        Ink::bad,
        "The port's vectors are not rotated: rotated as stated, they equal the reference."));
    console.say("Rotate them, or give the port's vectors after the rotation.", 2);
  } else {
    console.say(console.paint(ink, sentence(answer(one, study.assumed, subject_of(one, study)))));
  }
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
        all.empty() ? fmt::format("Tensors 1 and {} are rotated in the same way.", i + 1)
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

bool DiagnoseStudy::agree() const {
  return std::all_of(cases.begin(), cases.end(), [&](const DiagnosedCase& one) {
    return disagreements(cases.front(), one).empty();
  });
}

void print_diagnosis(const DiagnoseStudy& study, bool details, const Console& console) {
  print_agreement(study, console);
  for (const DiagnosedCase& one : study.cases) {
    if (study.cases.size() > 1) console.print("\n");
    print_case(one, study, details, console);
  }
}

}  // namespace rope::app
