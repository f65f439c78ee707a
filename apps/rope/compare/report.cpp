#include "compare/report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "named/encoding_option.hpp"
#include "rope/rotary/unseen_angles.hpp"
#include "shown/table.hpp"
#include "shown/text.hpp"

namespace rope::app {
namespace {

std::string yes_or_no(bool yes, const Console& console) {
  return console.paint(yes ? Ink::good : Ink::bad, yes ? "yes" : "no");
}

std::string short_number(double value) { return fmt::format("{:.3g}", value + 0.0); }

/// 8388608 as "8 388 608".
std::string grouped(double value) {
  std::string digits = fmt::format("{:.0f}", value);
  for (std::size_t i = digits.size(); i > 3;) {
    i -= 3;
    digits.insert(i, " ");
  }
  return digits;
}

std::string bytes_text(double bytes) {
  if (bytes < 1e4) return fmt::format("{:.0f} B", bytes);
  if (bytes < 1e7) return fmt::format("{:.0f} kB", bytes / 1e3);
  if (bytes < 1e10) return fmt::format("{:.0f} MB", bytes / 1e6);
  return fmt::format("{:.0f} GB", bytes / 1e9);
}

std::string law_text(const DecayLaw& law) {
  if (law.name == "constant") return "constant";
  return fmt::format("{} {:.2f}", law.name, law.fit);
}

Table properties_table(const EncodingComparison& comparison, const Console& console) {
  Table table({{"encoding", Table::Align::left},
               {"relative", Table::Align::left},
               {"direction", Table::Align::left},
               {"decay, R²"},
               {"reads all", Table::Align::left},
               {"new"}});
  for (const ComparedEncoding& result : comparison.results) {
    const bool defined = result.undefined.empty();
    table.add_row({result.title,
                   fmt::format("{}, {:.2g}", yes_or_no(!result.spread.violated(), console),
                               result.spread.error + 0.0),
                   yes_or_no(result.directions.violated(), console), law_text(result.law),
                   yes_or_no(defined, console),
                   defined ? fmt::format("{:.1f} %", 100 * result.unseen) : std::string("–")});
  }
  return table;
}

/// The numbers behind the words of the first table.
Table numbers_table(const EncodingComparison& comparison) {
  Table table({{"encoding", Table::Align::left},
               {"both shifted"},
               {"rounding"},
               {"Δ for −Δ"},
               {fmt::format("at {}", comparison.decay_reach)}});
  for (const ComparedEncoding& result : comparison.results)
    table.add_row({result.title, short_number(result.spread.error),
                   short_number(result.spread.bound), short_number(result.directions.error),
                   short_number(result.fall)});
  return table;
}

Table costs_table(const EncodingComparison& comparison) {
  Table table({{"encoding", Table::Align::left},
               {"parameters"},
               {"flops"},
               {"share"},
               {"tables"},
               {"N × N"}});
  const auto context = static_cast<double>(comparison.shape.context);
  for (const ComparedEncoding& result : comparison.results) {
    const Cost& cost = result.cost;
    table.add_row({result.title, grouped(cost.parameters), grouped(cost.flops),
                   fmt::format("{:.4f} %", 100 * result.cost_share), bytes_text(cost.table_bytes),
                   cost.squares > 0 ? bytes_text(cost.squares * context * context * 4) : "0"});
  }
  return table;
}

/// Which encodings are relative, as far as was measured, and which are not.
std::string answer(const EncodingComparison& comparison) {
  constexpr std::size_t kMostNamed = 4;
  std::vector<std::string> relative, absolute;
  for (const ComparedEncoding& result : comparison.results) {
    if (!result.spread.violated())
      relative.push_back(result.title);
    else
      absolute.push_back(fmt::format("{} (by up to {:.3g})", result.title, result.spread.error));
  }
  const std::size_t count = comparison.results.size();
  std::string text;
  if (!relative.empty())
    text = fmt::format(
        "{} {} relative: shifting both tokens changes no score by more than rounding",
        relative.size() <= kMostNamed ? listed(relative)
                                      : fmt::format("{} of {} encodings", relative.size(), count),
        relative.size() == 1 ? "is" : "are");
  if (!absolute.empty())
    text += text.empty()
                ? "Shifting both tokens changes the scores of " + listed(absolute)
                : fmt::format("; {} {} not", listed(absolute), absolute.size() == 1 ? "is" : "are");
  return text + ".";
}

/// What was measured.
std::string setting(const EncodingComparison& comparison) {
  const EncodingContext& context = comparison.settings.context;
  return fmt::format("q·k/√d, d = {}; trained on {} tokens, target {}; shifted by up to {}",
                     comparison.q.size(), context.trained, context.length, comparison.last_shift);
}

std::string legend(const EncodingComparison& comparison) {
  const EncodingContext& context = comparison.settings.context;
  return fmt::format(
      "Direction: does token order matter? Decay: none if no line or logarithm explains 90 %. "
      "Reads all: up to {} tokens? New: the share of what is used beyond {} tokens that training "
      "never showed.",
      context.length, context.trained);
}

/// What counts for parameters that were not given: in the table, and in a map where that differs.
std::string values_of(const EncodingComparison& comparison, bool details) {
  std::vector<EncodingInUse> measured;
  for (const ComparedEncoding& result : comparison.results)
    measured.push_back({result.title, result.spec, result.values, result.map_values});
  return values_in_use(measured, comparison.settings.context, details);
}

void print_details(const EncodingComparison& comparison, const Console& console) {
  const ModelShape& shape = comparison.shape;
  console.print("\n");
  console.print(numbers_table(comparison), "Scores of each encoding in numbers");
  console.say(fmt::format(
      "Both shifted: the spread of the score of the same q and k at one distance, over {0} "
      "consecutive positions, the first of them between 0 and {1}, where scores are defined. "
      "Rounding: the largest change that rounding allows. Δ for −Δ: the largest |score(Δ) − "
      "score(−Δ)|. At {2}: a vector's score with its own copy at that distance, minus its score at "
      "0. New, for angles: the mean over the pairs; an angle within {3} rad of a trained one is "
      "not new.",
      2 * comparison.reach + 1, comparison.last_shift, comparison.decay_reach, kSeenWithin));
  for (const ComparedEncoding& result : comparison.results)
    if (!result.remark.empty()) console.say(result.title + ": " + result.remark + ".");
  console.print("\n");
  console.say(console.paint(
      Ink::strong,
      fmt::format("What they cost: {} heads, {} layers, width {}, N = {} tokens", shape.heads,
                  shape.layers, shape.heads * comparison.q.size(), shape.context)));
  console.print(costs_table(comparison), "");
  console.say(
      "Parameters are counted over the whole model. Flops are per token and layer, and are also "
      "given as a share of the flops in the projections W_Q, W_K, W_V and W_O. Tables, and N × N "
      "matrices per head, use 4-byte numbers.");
}

}  // namespace

void print_comparison(const EncodingComparison& comparison, bool details, const Console& console) {
  console.say(console.paint(Ink::strong, answer(comparison)));
  console.say(setting(comparison));
  if (const std::string values = values_of(comparison, details); !values.empty())
    console.say(values);
  console.print(properties_table(comparison, console), "What each encoding can do");
  if (details) {
    console.say(legend(comparison));
    print_details(comparison, console);
  } else {
    console.say(legend(comparison) + hint(" --details adds numbers, costs and notes."));
  }
}

}  // namespace rope::app
