#include "extend/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rope/attention/base_bounds.hpp"
#include "rope/pictures/embedding_text.hpp"
#include "rope/plot/theme.hpp"
#include "rope/scaling/scaling.hpp"
#include "shown/columns.hpp"
#include "shown/rotary_json.hpp"

namespace rope::app {
namespace {

std::size_t count(const std::vector<bool>& flags) {
  return static_cast<std::size_t>(std::ranges::count(flags, true));
}

/// The pairs that completed no turn in training.
const std::vector<bool>& never_turned(const ExtensionStudy& study) {
  return study.results.front().coverage.never_turned;
}

/// The largest of a quantity over the pairs that completed no turn; 0 if there is none.
double largest_of(const ExtensionStudy& study, const std::vector<double>& values) {
  double largest = 0;
  for (std::size_t k = 0; k < values.size(); ++k)
    if (never_turned(study)[k]) largest = std::max(largest, values[k]);
  return largest;
}

/// Pairs that see new angles at all.
std::size_t pairs_with_unseen(const ExtensionResult& result) {
  return static_cast<std::size_t>(
      std::ranges::count_if(result.coverage.unseen, [](double share) { return share > 0; }));
}

std::string bands_text(const RotaryEmbedding& embedding) {
  if (embedding.bands.empty()) return "";
  const auto of = [&](Band band) { return std::ranges::count(embedding.bands, band); };
  return fmt::format("{}/{}/{}", of(Band::kept), of(Band::blended),
                     of(Band::scaled) + of(Band::off));
}

std::string negative_text(const ExtensionStudy& study, const FirstNegative& negative) {
  return negative.distance ? std::to_string(*negative.distance)
                           : fmt::format("none below {}", study.length);
}

std::string rules_table(const ExtensionStudy& study) {
  Table table({{"", Table::Align::left},
               {"kept/blended/scaled"},
               {"A"},
               {"reach, last pair"},
               {"reach, largest"},
               {"pairs with new angles"},
               {"unseen, largest"},
               {"gap of neighbours"},
               {"mean cosine < 0"}});
  for (const ExtensionResult& result : study.results) {
    const AngleCoverage& c = result.coverage;
    table.add_row(
        {result.short_label, bands_text(result.embedding),
         six_digits(result.embedding.attention_factor), six_digits(c.reach.back()),
         six_digits(largest_of(study, c.reach)), std::to_string(pairs_with_unseen(result)),
         fmt::format("{:.3f}", *std::ranges::max_element(c.unseen)),
         fmt::format("{:.4f}", result.adjacent_gap), negative_text(study, result.negative)});
  }
  return table.text();
}

std::string never_turned_text(const ExtensionStudy& study) {
  const std::vector<bool>& flags = never_turned(study);
  const std::size_t number = count(flags);
  if (number == 0)
    return fmt::format("every pair completes a turn in {} tokens", study.trained_length);
  const auto first = std::ranges::find(flags, true) - flags.begin();
  return fmt::format("{} of {} pairs completed no turn in {} tokens (k = {} … {})", number,
                     flags.size(), study.trained_length, first, flags.size() - 1);
}

std::string base_text(const ExtensionStudy& study) {
  if (!study.trained.base) return "";
  const double base = *study.trained.base;
  std::string text = fmt::format(
      "NTK-aware: b·{:.7g} keeps the last pair alone within its angles; all that completed no turn "
      "need b·{:.5g}.\n",
      study.ntk_factor, study.covering_factor);
  if (study.critical_base)
    text +=
        fmt::format("Critical base of Liu et al. (\"Gradient\"): {:.1f}.\n", *study.critical_base);
  const FirstNegative& negative = study.results.front().negative;
  text += fmt::format(
      "Men et al.: a base for {} tokens keeps the mean cosine from being negative.\n"
      "Base {} {}{}.\n",
      study.length, six_digits(base),
      negative.distance ? fmt::format("fails, first at distance {}", *negative.distance)
                        : "does so",
      study.smallest_base || study.length > kLongestBaseSearch
          ? ""
          : " (--search-base finds the smallest)");
  // Rounded up: the base that is printed serves the length too.
  if (study.smallest_base)
    text += fmt::format(
        "The smallest base that does is {:.2f}: necessary, not sufficient, as some\n"
        "larger bases fail too.\n",
        std::ceil(*study.smallest_base * 100) / 100);
  return text;
}

std::string rerope_text(const ExtensionStudy& study) {
  const std::int64_t window = study.rerope.window;
  return fmt::format(
      "ReRoPE maps distances to min(Δ, {}), Leaky ReRoPE to {} + (Δ − {})/{:.5g} beyond it: the "
      "largest distances are\n{} and {:.6g}, both seen in training. They need no other "
      "frequencies, "
      "but a second pass over the keys.\n",
      window, window, window, study.rerope.leak, window, study.rerope(study.length - 1));
}

/// What a rule makes of every pair.
Columns columns_of(const ExtensionResult& result) {
  return {file_column("theta", result.embedding.frequencies.theta),
          file_column("reach", result.coverage.reach),
          file_column("unseen", result.coverage.unseen)};
}

io::JsonValue rule_json(const ExtensionResult& result) {
  io::JsonValue rule = {{"label", result.label},
                        {"rotary", rotary_json(result.embedding)},
                        {"adjacent_gap", result.adjacent_gap},
                        {"first_negative", result.negative.distance},
                        {"mean_cosine", result.decay.mean_cosine},
                        {"bound", result.decay.bound}};
  rule.add(json_lists(columns_of(result)));
  return rule;
}

}  // namespace

std::string extend_report(const ExtensionStudy& study, const Console& console) {
  std::string text =
      console.paint(Ink::strong, fmt::format("{}, from {} to {} tokens", describe(study.trained),
                                             study.trained_length, study.length)) +
      "\n" + rules_table(study);
  for (const ExtensionResult& result : study.results)
    if (result.label != result.short_label) text += fmt::format("  {}\n", result.label);
  text += "\n" + never_turned_text(study) +
          ". reach: largest angle beside the largest in training, of " + "those pairs;\n" +
          fmt::format(
              "unseen: share of the positions beyond training whose angle is further than {} "
              "rad from every angle seen;\n",
              kSeenWithin) +
          "gap of neighbours: 1 − mean cosine at distance 1.\n\n";
  return text + base_text(study) + rerope_text(study);
}

std::string extend_csv(const ExtensionStudy& study) {
  std::vector<ColumnsOfOne> all;
  for (const ExtensionResult& result : study.results)
    all.push_back({"[" + result.short_label + "]", columns_of(result)});
  return csv_text(file_column("pair", indices(study.trained.pairs())), all);
}

std::string extend_json(const ExtensionStudy& study) {
  return io::JsonValue{{"schema", "rope.extend/2"},
                       {"rotary", rotary_json(study.trained)},
                       {"trained_length", study.trained_length},
                       {"length", study.length},
                       {"pairs_without_a_turn", count(never_turned(study))},
                       {"ntk_factor", study.ntk_factor},
                       {"covering_factor", study.covering_factor},
                       {"critical_base", study.critical_base},
                       {"smallest_base", study.smallest_base},
                       {"rerope", {{"window", study.rerope.window}, {"leak", study.rerope.leak}}},
                       {"distance", study.distances},
                       {"rules", io::json_list(study.results, rule_json)}}
      .document();
}

}  // namespace rope::app
