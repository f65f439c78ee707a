#include "extend/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rope/attention/base_bounds.hpp"
#include "rope/error.hpp"
#include "rope/parameters/suggest.hpp"
#include "rope/scaling/scaling.hpp"
#include "shown/table.hpp"
#include "shown/text.hpp"

namespace rope::app {
namespace {

/// How many pairs are kept, blended and scaled: "20/8/36"; "20/8/36/4" where 4 no longer turn.
std::string bands_text(const RotaryEmbedding& embedding) {
  if (embedding.bands.empty()) return "";
  const auto of = [&](Band band) { return std::ranges::count(embedding.bands, band); };
  std::string text = fmt::format("{}/{}/{}", of(Band::kept), of(Band::blended), of(Band::scaled));
  if (const auto at_rest = of(Band::off); at_rest > 0) text += fmt::format("/{}", at_rest);
  return text;
}

std::string negative_text(const FirstNegative& negative) {
  return negative.distance ? std::to_string(*negative.distance) : "none";
}

/// With the factor where the name leaves open how much is changed.
std::string rule_name(const ExtensionStudy& study, const ExtensionResult& result) {
  if (result.embedding.base != study.trained.base)
    return fmt::format("base ×{:.6g}", *result.embedding.base / *study.trained.base);
  if (!result.own) return result.short_label;
  const auto& numbers = result.embedding.scaling.numbers;
  const auto factor = numbers.find("factor");
  return result.short_label + (factor == numbers.end()
                                   ? std::string(" (own)")
                                   : fmt::format(" (own, ×{:g})", factor->second));
}

/// What each rule makes of the angles.
Table rules_table(const ExtensionStudy& study) {
  Table table({{"rule", Table::Align::left},
               {"reach"},
               {"pairs at new angles"},
               {"neighbour gap"},
               {"mean cosine < 0"}});
  for (const ExtensionResult& result : study.results) {
    table.add_row({rule_name(study, result),
                   study.never_turned() > 0 ? six_digits(study.slow_reach(result)) : "–",
                   std::to_string(result.pairs_at_new_angles()), three_digits(result.adjacent_gap),
                   negative_text(result.negative)});
  }
  return table;
}

/// What each rule makes of the frequencies.
Table frequencies_table(const ExtensionStudy& study) {
  Table table({{"rule", Table::Align::left},
               {"bands"},
               {"attention factor"},
               {"reach, last pair"},
               {"unseen share"}});
  for (const ExtensionResult& result : study.results)
    table.add_row({rule_name(study, result), bands_text(result.embedding),
                   six_digits(result.embedding.attention_factor),
                   six_digits(result.coverage.reach.back()),
                   fmt::format("{:.3f}", *std::ranges::max_element(result.coverage.unseen))});
  return table;
}

/// What becomes of the angles without a rule.
std::string without_rule(const ExtensionStudy& study) {
  const std::size_t pairs = study.trained.pairs();
  const std::size_t strange = study.results.front().pairs_at_new_angles();
  if (study.length == study.trained_length)
    return fmt::format("Both lengths are {} tokens: there is nothing to extend.", study.length);
  const std::string from = fmt::format("Stretching the context from {} to {} tokens pushes",
                                       study.trained_length, study.length);
  if (strange == 0)
    return fmt::format("{} no pair to angles never seen in training, whatever the rule.", from);
  return fmt::format("{} {} of {} to angles never seen in training", from, strange,
                     counted(pairs, "pair"));
}

/// What the rule that keeps all pairs and presses neighbours most pays for it.
std::string price_text(const ExtensionStudy& study) {
  const ExtensionResult* const pressed = study.most_pressed();
  const double shrunk = study.results.front().adjacent_gap / pressed->adjacent_gap;
  if (!(shrunk >= 2)) return "";
  return fmt::format(
      " That alone does not make one rule better: {} also makes neighbouring tokens look more "
      "alike, with a gap (1 − mean cosine) {:.0f} times smaller than without scaling.",
      pressed->short_label, shrunk);
}

/// Which rules keep the pairs among the angles of training.
std::string answer(const ExtensionStudy& study) {
  std::string text = without_rule(study);
  if (text.ends_with('.')) return text;
  std::vector<std::string> keeping;
  std::string own;
  for (const ExtensionResult& result : study.results) {
    const std::size_t strange = result.pairs_at_new_angles();
    if (strange == 0) keeping.push_back((result.own ? "its own " : "") + result.short_label);
    if (result.own && strange > 0)
      own = fmt::format(
          "; {}, the model's own rule, pushes {} there before any training at the new length",
          result.short_label, strange);
  }
  if (keeping.empty())
    return text + own + "; none of the rules shown keeps every pair within its trained angles.";
  return fmt::format("{}{}; with {}, every pair stays within its trained angles.{}", text, own,
                     alternatives(std::vector<std::string_view>(keeping.begin(), keeping.end())),
                     price_text(study));
}

std::string never_turned_text(const ExtensionStudy& study) {
  const std::vector<bool>& flags = study.results.front().coverage.never_turned;
  const std::size_t number = study.never_turned();
  if (number == 0)
    return fmt::format("every pair completed a turn within {} tokens", study.trained_length);
  const auto first = std::ranges::find(flags, true) - flags.begin();
  return fmt::format("for the {} that completed no turn within {} tokens: {} … {}",
                     counted(number, "pair"), study.trained_length, first, flags.size() - 1);
}

/// Why fewer pairs meet new angles than completed no turn, where no rule is applied.
std::string almost_turned_text(const ExtensionStudy& study) {
  const std::size_t almost = study.almost_turned();
  if (almost == 0 || study.length == study.trained_length) return "";
  return fmt::format("; {} {} a full turn by less than that", counted(almost, "pair"),
                     almost == 1 ? "misses" : "miss");
}

std::string legend(const ExtensionStudy& study) {
  return fmt::format(
      "Reach: turns in {} tokens ÷ turns in {} ({}). New angle: more than {} rad from "
      "every angle seen{}. Neighbour gap: 1 − mean cosine at distance 1; a smaller gap makes "
      "neighbours harder to distinguish. Mean cosine < 0: the first such distance up to {}.",
      study.length, study.trained_length, never_turned_text(study), kSeenWithin,
      almost_turned_text(study), study.length - 1);
}

/// Rounded up: the base that is printed serves the length.
double smallest_base(const ExtensionStudy& study) {
  return std::ceil(study.smallest_base->base * 100) / 100;
}

/// The base that was searched for.
std::string searched_base_text(const ExtensionStudy& study) {
  const std::string serves =
      fmt::format("the mean cosine is not negative within {} tokens", study.length);
  if (!study.round_base)
    return fmt::format("Base {:.2f} is the smallest found for which {}.", smallest_base(study),
                       serves);
  const auto text = [](double base) {
    return base == std::floor(base) && base < 1e15 ? fmt::format("{:.0f}", base)
                                                   : number_text(base);
  };
  const RoundBase& round = *study.round_base;
  return fmt::format(
      "Use base {}, the smallest with two significant digits that has a margin: at all bases tried "
      "from {} to {}, 0.1 % apart, {}.",
      text(round.base), text(round.from), text(round.to), serves);
}

/// What lies about that base, and the smallest of all.
std::string smallest_base_text(const ExtensionStudy& study) {
  // Rounded down: below the base that is printed none serves the length.
  const double none_below = std::floor(study.smallest_base->none_below * 100) / 100;
  return (study.smallest_base->certified()
              ? fmt::format("The smallest of all is {:.2f} (certified: none below {:.2f} works)",
                            smallest_base(study), none_below)
              : fmt::format("The smallest of all is bracketed between {:.2f} and {:.2f}",
                            none_below, smallest_base(study))) +
         ": do not round it, because some larger bases fail. Some models break the rule: llama-2 "
         "uses 10000 for 4096 tokens.";
}

/// The rule of thumb of Men et al., at this base.
std::string base_text(const ExtensionStudy& study) {
  const FirstNegative& negative = study.results.front().negative;
  return fmt::format(
      "By a rule of thumb from Men et al., a base for {} tokens should keep the mean cosine from "
      "going negative. Base {} {}{}.",
      study.length, six_digits(*study.trained.base),
      negative.distance ? fmt::format("fails, first at distance {}", *negative.distance)
                        : "does so",
      study.smallest_base ? "" : " (--search-base finds the smallest that works)");
}

/// What NTK-aware scaling would take.
std::string ntk_text(const ExtensionStudy& study) {
  const std::size_t slow = study.never_turned();
  const std::string own =
      fmt::format("NTK-aware scaling (base × {:.7g}) gives only the slowest pair a reach of 1",
                  study.ntk_factor);
  if (slow < 2) return own + ".";
  return own + fmt::format("; for all {} slow pairs it takes base × {:.5g}.", slow,
                           study.covering_factor);
}

std::string rerope_text(const ExtensionStudy& study) {
  const std::int64_t window = study.rerope.window;
  return fmt::format(
      "ReRoPE maps distances to min(|Δ|, {}), Leaky ReRoPE larger ones to {} + (|Δ| − {})/{:.5g}. "
      "The largest distances are {} and {:.6g}, both seen in training. The two methods need no new "
      "frequencies, but they do need a second pass over the keys.",
      window, window, window, study.rerope.leak, window, study.rerope(study.length - 1));
}

void print_details(const ExtensionStudy& study, const Console& console) {
  console.print("\n");
  console.print(frequencies_table(study), "Frequencies of each rule");
  console.say(
      "Bands: pairs kept/blended/scaled. Unseen share: for the worst pair, the share of positions "
      "beyond training that give it a new angle.");
  for (const ExtensionResult& result : study.results)
    if (result.label != result.short_label) console.say(result.label, 2);
  console.print("\n");
  console.say(ntk_text(study));
  if (study.critical_base)
    console.say(
        fmt::format("Critical base of Liu et al. (\"Gradient\"): {:.1f}.", *study.critical_base));
  console.say(rerope_text(study));
}

}  // namespace

void print_extension(const ExtensionStudy& study, const std::string& setting, bool details,
                     const Console& console) {
  if (study.smallest_base) console.say(console.paint(Ink::strong, searched_base_text(study)));
  console.say(console.paint(Ink::strong, answer(study)));
  console.say(setting);
  console.print(rules_table(study), "Angles of each rule");
  console.say(legend(study));
  if (details) print_details(study, console);
  if (details || study.smallest_base) console.say(base_text(study));
  if (study.smallest_base) console.say(smallest_base_text(study));
  if (!details)
    console.say(
        hint("--details adds bands, attention factors, and the base that the length needs."));
}

}  // namespace rope::app
