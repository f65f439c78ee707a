#include "attention/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <vector>

#include "attention/wording.hpp"
#include "rope/attention/exponential.hpp"
#include "rope/attention/spread.hpp"
#include "shown/columns.hpp"
#include "shown/text.hpp"

namespace rope::app {
namespace {

std::string scale_text(const EntropyCurve& curve) {
  return curve.scaled ? "divided by √d" : "not divided";
}

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
          "over {} the entropy is {:.2f} of at most {:.2f} bits, the largest "
          "weight {}.",
          counted(static_cast<std::uint64_t>(lengths[high]), "key"), curve.entropy[high],
          most_entropy(static_cast<std::size_t>(lengths[high])), three_digits(curve.top[high]));
    else
      text += fmt::format(
          "from {} to {} keys the entropy goes from {:.2f} to {:.2f} bits, and the largest weight "
          "from {} to {}.",
          lengths[low], lengths[high], curve.entropy[low], curve.entropy[high],
          three_digits(curve.top[low]), three_digits(curve.top[high]));
  }
  return text;
}

std::vector<double> most_entropies(const AttentionEntropy& study) {
  return cells_of(study.request.lengths, [](std::int64_t length) {
    return most_entropy(static_cast<std::size_t>(length));
  });
}

std::string two_decimals(double value) { return fmt::format("{:.2f}", value); }

Columns entropy_columns(const AttentionEntropy& study, bool details) {
  Columns columns = {column("keys", "keys", study.request.lengths),
                     column("log2_keys", "log₂ n", most_entropies(study), two_decimals)};
  const bool one = std::ranges::all_of(study.curves, [&](const EntropyCurve& curve) {
    return curve.encoding == study.curves.front().encoding;
  });
  for (const EntropyCurve& curve : study.curves) {
    const std::string label = (curve.scaled ? "" : "_unscaled") + in_brackets(curve.encoding);
    const std::string heading = (one ? "" : curve.title + ", ") + scale_text(curve);
    columns.push_back(column("entropy" + label, heading + ": bits", curve.entropy, two_decimals));
    columns.push_back(column("top" + label, "top weight", curve.top, three_digits));
    if (!details) continue;
    std::vector<double> alike;
    for (const double bits : curve.entropy) alike.push_back(exponential(bits * std::numbers::ln2));
    columns.push_back(table_column("as if keys", alike));
  }
  return columns;
}

}  // namespace

void print_attention(const AttentionEntropy& study, bool details, const Console& console) {
  const EntropyRequest& request = study.request;
  console.say(console.paint(Ink::strong, entropy_answer(study)));
  const Columns columns = entropy_columns(study, details);
  const ShownRows rows = rows_to_show(rows_of(columns), details);
  console.print(table_of(columns, rows));
  say_left_out(rows, "lengths", console);
  console.say(fmt::format(
      "Measured: means of {} over the nearest n random keys of {} numbers, seed {}. log₂ n is the "
      "entropy of equal weights.{}",
      request.queries == 1 ? "1 random query" : fmt::format("{} random queries", request.queries),
      request.context.rotary.head_dim, request.context.seed,
      details ? " As if keys: 2 to the entropy, as many keys with equal weights." : ""));
}

std::string attention_csv(const AttentionEntropy& study) {
  return csv_text(entropy_columns(study, false));
}

std::string attention_json(const AttentionEntropy& study) {
  const EntropyRequest& request = study.request;
  io::JsonValue json = head_json(request.context, "entropy");
  json.add("queries", request.queries);
  json.add("keys", request.lengths);
  json.add("log2_keys", most_entropies(study));
  json.add("curves", io::json_list(study.curves, [](const EntropyCurve& curve) {
             io::JsonValue each = spec_json(curve.encoding, curve.title);
             each.add("scaled", curve.scaled);
             each.add("entropy", curve.entropy);
             each.add("top", curve.top);
             return each;
           }));
  return json.document();
}

}  // namespace rope::app
