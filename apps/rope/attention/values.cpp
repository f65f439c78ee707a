#include "attention/report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "attention/wording.hpp"
#include "rope/documents/attention.hpp"
#include "shown/columns.hpp"
#include "shown/text.hpp"

namespace rope::app {
namespace {

std::string shifted_title(const ShiftedCurve& curve, Mask mask) {
  switch (curve.values) {
    case ValueRotation::none:
      return with_mask(encoding_words(curve.encoding, curve.title), mask);
    case ValueRotation::rotated:
      return "V rotated too";
    case ValueRotation::turned_back:
      break;
  }
  return "V rotated and the output turned back";
}

/// Of several encodings: which change no output, and how far the others do.
std::string shifted_answer_of_several(const ShiftedValues& study) {
  std::vector<std::string> same, same_turned_back, changed;
  std::vector<double> rotated;
  for (const ShiftedCurve& curve : study.curves) {
    const Measured& last = curve.change.back();
    const std::string title = encoding_words(curve.encoding, curve.title);
    if (curve.values == ValueRotation::rotated) {
      rotated.push_back(last.error);
    } else if (curve.values == ValueRotation::turned_back) {
      if (!last.violated()) same_turned_back.push_back(title);
    } else if (!last.violated()) {
      same.push_back(title);
    } else {
      changed.push_back(fmt::format("{} with {}", three_digits(last.error), title));
    }
  }
  std::string text = fmt::format(
      "{} shift of all positions by {}",
      study.example.mask == Mask::causal ? "Under the causal mask, a" : "A", study.shifts.back());
  if (!same.empty())
    text += fmt::format(" changes no output with {}, up to rounding", listed(same));
  if (!changed.empty())
    text +=
        fmt::format("{} changes outputs by up to {}", same.empty() ? "" : ", and", listed(changed));
  const auto [least, most] = std::ranges::minmax(rotated);
  text += fmt::format("; with V rotated too, they change by {} to {}", three_digits(least),
                      three_digits(most));
  if (!same_turned_back.empty())
    text += fmt::format(", and once the output is turned back, not at all with {}",
                        listed(same_turned_back));
  return text + ".";
}

std::string shifted_answer(const ShiftedValues& study) {
  if (study.curves.size() > kValueRotations.size()) return shifted_answer_of_several(study);
  std::string text;
  for (const ShiftedCurve& curve : study.curves) {
    const Measured& last = curve.change.back();
    const std::string title = shifted_title(curve, study.example.mask);
    text += text.empty() ? fmt::format("With {}, a shift of all positions by {} changes ", title,
                                       study.shifts.back())
                         : fmt::format(" With {}, it changes ", title);
    text += last.violated() ? fmt::format("outputs by up to {}.", three_digits(last.error))
                            : "no output" + beside_rounding(last) + ".";
  }
  return text;
}

/// A few shifts, evenly spaced, the first and the last among them.
ShownRows few_shifts(std::size_t count, std::size_t steps = 5) {
  ShownRows rows;
  for (std::size_t step = 0; step <= steps; ++step)
    if (const std::size_t row = (count - 1) * step / steps;
        rows.rows.empty() || rows.rows.back() != row)
      rows.rows.push_back(row);
  return rows;
}

/// Of several encodings: a row a curve.
Table curves_table(const ShiftedValues& study) {
  constexpr std::size_t kShiftsAcross = 4, kFewCurves = 9;
  const ShownRows shifts = few_shifts(study.shifts.size(), kShiftsAcross);
  const bool few = study.curves.size() <= kFewCurves;
  std::vector<Table::Column> headings = {{"change at a shift of", Table::Align::left}};
  for (const std::size_t s : shifts.rows)
    if (study.shifts[s] != 0) headings.push_back({std::to_string(study.shifts[s])});
  headings.push_back({"rounding"});
  Table table(headings);
  for (const ShiftedCurve& curve : study.curves) {
    if (!few && curve.values == ValueRotation::turned_back) continue;
    const bool rotated = curve.values == ValueRotation::rotated;
    const bool plain = curve.values == ValueRotation::none;
    std::vector<std::string> row = {curve.title + (plain     ? ""
                                                   : rotated ? ", V rotated"
                                                             : ", V turned back")};
    double most = 0;
    for (const std::size_t s : shifts.rows) {
      if (study.shifts[s] == 0) continue;
      row.push_back(three_digits(curve.change[s].error));
      most = std::max(most, curve.change[s].bound);
    }
    row.push_back(rotated ? "–" : three_digits(most));
    table.add_row(std::move(row));
  }
  return table;
}

}  // namespace

void print_attention(const ShiftedValues& study, bool details, const Console& console) {
  console.say(console.paint(Ink::strong, shifted_answer(study)));
  const ShownRows rows =
      details ? rows_to_show(study.shifts.size(), true) : few_shifts(study.shifts.size());
  if (details || study.curves.size() <= kValueRotations.size()) {
    console.print(table_of(shifted_columns(study), rows),
                  "Change of the outputs by the shift of all positions");
    if (rows.rows.size() < study.shifts.size()) console.say(hint("--details shows every shift."));
  } else {
    console.print(curves_table(study), "Change of the outputs by the shift of all positions");
    console.say("Rounding: what rounding alone could change" +
                hint("; --details shows every shift") + ".");
  }
  console.say(
      "Shown: the largest change in the outputs of " + quoted_text(study.example.words) +
      " when every position grows by the shift. A rotated value carries its position until the "
      "output is turned back.");
  console.say(about_vectors(study.example.context));
}

}  // namespace rope::app
