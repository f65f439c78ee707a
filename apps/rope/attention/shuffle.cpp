#include "attention/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "attention/wording.hpp"
#include "rope/documents/attention.hpp"
#include "shown/columns.hpp"
#include "shown/text.hpp"

namespace rope::app {
namespace {

std::string shuffled_answer(const ShuffledOrder& study) {
  const ShuffledCase& none = study.cases.front();
  std::string text =
      fmt::format("Without positions, each word gets the same output in {} as in {}{}.",
                  quoted_text(study.example.words), quoted_text(shuffled_words(study)),
                  beside_rounding(none.outputs));
  if (none.outputs.violated())
    text = fmt::format(
        "Without positions, outputs differ by more than rounding: by up to {} (rounding limit {}).",
        three_digits(none.outputs.error), three_digits(none.outputs.bound));
  std::vector<std::string> changed, same;
  for (std::size_t c = 2; c < study.cases.size(); ++c) {
    const ShuffledCase& one = study.cases[c];
    const std::string title = with_mask(one.title, one.mask);
    if (!one.outputs.violated())
      same.push_back(title);
    else
      changed.push_back(fmt::format("with {} by up to {}", title, three_digits(one.outputs.error)));
  }
  if (!changed.empty()) text += fmt::format(" Outputs change {}.", listed(changed));
  if (!same.empty())
    text += fmt::format(" With {}, outputs stay the same in this order.", listed(same));
  return text;
}

/// Whether a word stands there twice.
bool repeats_a_word(Words words) {
  std::ranges::sort(words);
  return std::ranges::adjacent_find(words) != words.end();
}

/// Whether the words are simply read backwards.
bool is_reversal(const std::vector<std::size_t>& order) {
  for (std::size_t t = 0; t < order.size(); ++t)
    if (order[t] != order.size() - 1 - t) return false;
  return true;
}

Table cases_table(const ShuffledOrder& study) {
  Table table({{"", Table::Align::left},
               {"moved", Table::Align::left},
               {"in place", Table::Align::left},
               {"outputs", Table::Align::left},
               {"one query", Table::Align::left},
               {"pooled", Table::Align::left}});
  for (const ShuffledCase& one : study.cases)
    table.add_row({with_mask(one.title, one.mask), beside_zero(one.moved),
                   beside_zero(one.in_place), beside_zero(one.outputs), beside_zero(one.one_query),
                   beside_zero(one.pooled)});
  return table;
}

Table case_bounds_table(const ShuffledOrder& study) {
  Table table({{"rounding limit", Table::Align::left},
               {"moved"},
               {"in place"},
               {"outputs"},
               {"one query"},
               {"pooled"}});
  for (const ShuffledCase& one : study.cases)
    table.add_row({with_mask(one.title, one.mask), three_digits(one.moved.bound),
                   three_digits(one.in_place.bound), three_digits(one.outputs.bound),
                   three_digits(one.one_query.bound), three_digits(one.pooled.bound)});
  return table;
}

Table words_table(const ShuffledOrder& study, const ShownRows& rows) {
  std::vector<Table::Column> headings = {{"change in the output of", Table::Align::left}};
  for (const ShuffledCase& one : study.cases)
    headings.push_back({one.title + (one.mask == Mask::causal ? ", causal" : "")});
  Table table(headings);
  for (std::size_t r = 0; r < rows.rows.size(); ++r) {
    if (rows.left_out > 0 && rows.gap_before(r)) table.add_row(Words(headings.size(), "…"));
    Words row = {shortened_word(study.example.words[rows.rows[r]], 2 * kLongestWord)};
    for (const ShuffledCase& one : study.cases)
      row.push_back(three_digits(one.of_word[rows.rows[r]]));
    table.add_row(std::move(row));
  }
  return table;
}

}  // namespace

void print_attention(const ShuffledOrder& study, bool details, const Console& console) {
  console.say(console.paint(Ink::strong, shuffled_answer(study)));
  if (repeats_a_word(study.example.words) && !is_reversal(study.order))
    console.say(
        "Equal words are matched in order: the first with the first, the second with the second.");
  console.print(cases_table(study), "What shuffling the words changes");
  constexpr std::size_t kFewCases = 3, kFewWords = 4;
  const std::size_t words = study.example.words.size();
  const ShownRows rows = shown_rows(words, details ? words : kFewWords);
  const bool by_word = details || study.cases.size() <= kFewCases;
  if (by_word) console.print(words_table(study, rows), "Change in the output of each word");
  std::string notes =
      !by_word || rows.left_out > 0 ? hint("--details shows the change for each word.") : "";
  const bool blind = std::any_of(study.cases.begin() + 2, study.cases.end(),
                                 [](const ShuffledCase& one) { return !one.outputs.violated(); });
  if (blind && is_reversal(study.order))
    notes += std::string(notes.empty() ? "" : " ") +
             "Reversing the words changes only the sign of distances, which some encodings ignore: "
             "try --shuffled.";
  if (!notes.empty()) console.say(notes);
  console.say(
      "X: the words, PX: the shuffled words, A: their weights, ‖·‖_F: the root of the sum of "
      "squares. Moved: "
      "‖A(PX) − P A(X) Pᵀ‖_F, 0 where weights move with the words; in place: ‖A(PX) − A(X)‖_F. "
      "Outputs: the largest change in a word's output; one query: the change for a query after the "
      "last word; pooled: the change in the mean of all outputs. = means within rounding, ≠ beyond "
      "it.");
  if (details) console.print(case_bounds_table(study), "Rounding limits");
  console.say(about_vectors(study.example.context));
}

}  // namespace rope::app
