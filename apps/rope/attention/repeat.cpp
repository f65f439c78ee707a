#include "attention/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "attention/wording.hpp"
#include "rope/documents/attention.hpp"
#include "shown/columns.hpp"
#include "shown/text.hpp"

namespace rope::app {
namespace {

std::string repeated_answer(const RepeatedToken& study) {
  const AttentionExample& example = study.example;
  std::string text;
  std::vector<std::string> equal;  // encodings with which they stay so
  Measured most{0, study.curves.front().allowed.back()};
  for (const RepeatedCurve& curve : study.curves) {
    if (!curve.explained()) continue;
    equal.push_back(with_mask(encoding_words(curve.encoding, curve.title), example.mask));
    most.error = std::max(most.error, curve.apart.back());
  }
  if (!equal.empty())
    text =
        fmt::format("With {}, {} equal tokens are still equal after {}{}.", listed(equal),
                    example.words.size(), counted(example.layers, "layer"), beside_rounding(most));
  for (const RepeatedCurve& curve : study.curves) {
    if (curve.explained()) continue;
    const Measured end = {curve.apart.back(), curve.allowed.back()};
    const std::string title = with_mask(encoding_words(curve.encoding, curve.title), example.mask);
    if (!text.empty()) text += ' ';
    if (curve.at_input)
      text += fmt::format(
          "With {}, added at the input, equal tokens differ by {} there and by {} after "
          "the layers.",
          title, three_digits(curve.apart.front()), three_digits(end.error));
    else
      text += fmt::format(
          "With {}, equal tokens differ by more than rounding: by up to {} (rounding limit {}).",
          title, three_digits(end.error), three_digits(end.bound));
  }
  return text;
}

}  // namespace

void print_attention(const RepeatedToken& study, bool details, const Console& console) {
  console.say(console.paint(Ink::strong, repeated_answer(study)));
  const Columns columns = repeated_columns(study);
  constexpr std::size_t kMostAcross = 4, kFewRows = 4;  // the columns of more do not fit a line
  const bool wide = study.curves.size() > kMostAcross && !details;
  const std::size_t count = rows_of(columns);
  const ShownRows rows = wide ? shown_rows(count, kFewRows) : rows_to_show(count, details);
  console.print(table_of(columns, rows), "Difference between equal tokens, by layer");
  say_left_out(rows, "layers", console);
  console.say(
      "Shown: the largest difference between the hidden states of any two positions. Scores set "
      "the weights of an average; the average of equal values is that value.");
  console.say(about_vectors(study.example.context));
}

}  // namespace rope::app
