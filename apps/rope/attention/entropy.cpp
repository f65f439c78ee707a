#include "attention/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <vector>

#include "attention/wording.hpp"
#include "rope/attention/exponential.hpp"
#include "rope/attention/spread.hpp"
#include "rope/documents/attention.hpp"
#include "shown/columns.hpp"
#include "shown/text.hpp"

namespace rope::app {
namespace {

std::string entropy_answer(const AttentionEntropy& study) {
  const std::vector<std::int64_t>& lengths = study.request.lengths;
  const auto low = static_cast<std::size_t>(std::ranges::min_element(lengths) - lengths.begin());
  const auto high = static_cast<std::size_t>(std::ranges::max_element(lengths) - lengths.begin());
  std::string text;
  for (const EntropyCurve& curve : study.curves) {
    if (!text.empty()) text += ' ';
    text += fmt::format("{}, scores {}: ", curve.title, scale_text(curve));
    if (low == high)
      text += fmt::format(
          "over {}, the entropy is {:.2f} of at most {:.2f} bits, and the largest weight is {}.",
          counted(static_cast<std::uint64_t>(lengths[high]), "key"), curve.entropy[high],
          most_entropy(static_cast<std::size_t>(lengths[high])), three_digits(curve.top[high]));
    else
      text += fmt::format(
          "from {} to {} keys, the entropy goes from {:.2f} to {:.2f} bits, and the largest weight "
          "from {} to {}.",
          lengths[low], lengths[high], curve.entropy[low], curve.entropy[high],
          three_digits(curve.top[low]), three_digits(curve.top[high]));
  }
  return text;
}

}  // namespace

void print_attention(const AttentionEntropy& study, bool details, const Console& console) {
  const EntropyRequest& request = study.request;
  console.say(console.paint(Ink::strong, entropy_answer(study)));
  const Columns columns = entropy_columns(study, details);
  const ShownRows rows = rows_to_show(rows_of(columns), details);
  console.print(table_of(columns, rows), "Entropy of attention by the number of keys");
  say_left_out(rows, "lengths", console);
  console.say(fmt::format(
      "Measured values are means over {}, each attending to the n nearest random keys ({} numbers "
      "each, seed {}). log₂ n is the entropy of equal weights.{}",
      request.queries == 1 ? "1 random query" : fmt::format("{} random queries", request.queries),
      request.context.rotary.head_dim, request.context.seed,
      details ? " Equal keys: 2^entropy, the number of equally weighted keys with that entropy."
              : ""));
}

}  // namespace rope::app
