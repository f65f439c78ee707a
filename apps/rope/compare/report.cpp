#include "compare/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rope/rotary/unseen_angles.hpp"
#include "shown/columns.hpp"
#include "shown/rotary_json.hpp"
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
                   fmt::format("{}, {:.2g}", yes_or_no(result.spread.explained(), console),
                               result.spread.value + 0.0),
                   yes_or_no(!result.directions.explained(), console), law_text(result.law),
                   yes_or_no(defined, console),
                   defined ? fmt::format("{:.1f} %", 100 * result.unseen) : std::string("–")});
  }
  return table;
}

/// The numbers behind the words of the first table.
Table numbers_table(const EncodingComparison& comparison) {
  Table table({{"encoding", Table::Align::left},
               {"shifted by both"},
               {"rounding"},
               {"Δ for −Δ"},
               {fmt::format("at {}", comparison.decay_reach)}});
  for (const ComparedEncoding& result : comparison.results)
    table.add_row({result.title, short_number(result.spread.value),
                   short_number(result.spread.allowed), short_number(result.directions.value),
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
    if (result.spread.explained())
      relative.push_back(result.title);
    else
      absolute.push_back(fmt::format("{} by up to {:.3g}", result.title, result.spread.value));
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
    text +=
        fmt::format("{} of {}", text.empty() ? "Shifting both tokens changes scores" : "; those",
                    listed(absolute));
  return text + ".";
}

/// What was measured.
std::string setting(const EncodingComparison& comparison) {
  const EncodingContext& context = comparison.settings.context;
  return fmt::format("q·k/√d, d = {}; trained on {} tokens, to read {}; shifted by up to {}",
                     comparison.q.size(), context.trained, context.length,
                     comparison.results.front().scores.shifts.back());
}

std::string legend(const EncodingComparison& comparison) {
  const EncodingContext& context = comparison.settings.context;
  return fmt::format(
      "Direction: does the score tell before from after? Decay: the law of a vector's score with "
      "itself, none if no line or logarithm explains 90 %. Reads all: is there a score up to {}? "
      "New: of the angles, distances or positions it uses from {} on, the share that training "
      "never showed: not a ranking.",
      context.length, context.trained);
}

void print_details(const EncodingComparison& comparison, const Console& console) {
  const ModelShape& shape = comparison.shape;
  console.print("\n");
  console.print(numbers_table(comparison));
  console.say(fmt::format(
      "Shifted by both: the largest change of a score when one q and one k at distances −{0} … {0} "
      "are both shifted by 0 … {1} tokens, beside what rounding may change. Δ for −Δ: the largest "
      "|score(Δ) − score(−Δ)|. At {2}: a vector's score with itself, less that at 0. New, of "
      "angles: the mean over the pairs, within {3} rad.",
      comparison.reach, comparison.results.front().scores.shifts.back(), comparison.decay_reach,
      kSeenWithin));
  for (const ComparedEncoding& result : comparison.results)
    if (!result.remark.empty()) console.say(result.title + ": " + result.remark + ".");
  console.print("\n");
  console.say(console.paint(
      Ink::strong,
      fmt::format("What they cost: {} heads, {} layers, width {}, N = {} tokens", shape.heads,
                  shape.layers, shape.heads * comparison.q.size(), shape.context)));
  console.print(costs_table(comparison));
  console.say(
      "Parameters of the whole model. Flops per token and layer, and their share of those of the "
      "projections W_Q, W_K, W_V and W_O. Tables, and N × N matrices per head, of 4-byte numbers.");
}

io::JsonValue change_json(const Difference& difference, std::string_view what, bool so) {
  return {{"value", difference.value},
          {"allowed", difference.allowed},
          {"distance", difference.distance},
          {"shift", difference.shift},
          {what, so}};
}

/// A parameter as it is given: a number, true or false, or a word.
io::JsonValue parameter_json(const Parameter& parameter, double value) {
  switch (parameter.domain) {
    case ParameterDomain::choice:
      return parameter_text(parameter, value);
    case ParameterDomain::flag:
      return value != 0;
    case ParameterDomain::whole:
      return static_cast<std::int64_t>(value);
    default:
      return value;
  }
}

io::JsonValue parameters_json(const ComparedEncoding& result) {
  io::JsonValue json = io::JsonValue::object();
  for (const Parameter& parameter : result.spec.entry->parameters)
    json.add(parameter.name, parameter_json(parameter, result.values.number(parameter.name)));
  return json;
}

io::JsonValue properties_json(const EncodingComparison& comparison,
                              const ComparedEncoding& result) {
  const Difference& spread = result.spread;
  const Difference& directions = result.directions;
  return {{"name", result.spec.entry->name},
          {"label", result.label},
          {"parameters", parameters_json(result)},
          {"relative", change_json(spread, "holds", spread.explained())},
          {"direction", change_json(directions, "known", !directions.explained())},
          {"decay",
           {{"law", result.law.name},
            {"slope", result.law.slope},
            {"r_squared", result.law.fit},
            {"distance", comparison.decay_reach},
            {"change", result.fall}}},
          {"cost",
           {{"parameters", result.cost.parameters},
            {"flops", result.cost.flops},
            {"share_of_projections", result.cost_share},
            {"table_bytes", result.cost.table_bytes},
            {"squares_per_head", result.cost.squares}}},
          {"beyond",
           {{"defined", result.undefined.empty()},
            {"because", result.undefined},
            {"unseen", result.unseen}}}};
}

io::JsonValue curves_json(const EncodingComparison& comparison, const ComparedEncoding& result) {
  const auto row = [&](std::int64_t i) { return row_of(result.map, i); };
  return {
      {"distance", result.scores.distances},
      {"shifts", result.scores.shifts},
      {"scores", result.scores.scores},
      {"map", io::json_list(indices(static_cast<std::size_t>(comparison.settings.tokens)), row)}};
}

/// The raw numbers, a table as a list of its rows.
io::JsonValue numbers_json(const ComparedEncoding& result, const std::vector<std::int64_t>& at) {
  io::JsonValue json = io::JsonValue::object();
  for (const NumberTable& table : result.encoding->numbers(at)) {
    const auto add = [&](const auto& values) {
      if (table.columns == 0) {
        json.add(table.name, values);
        return;
      }
      std::vector<io::JsonValue> rows;
      const auto columns = static_cast<std::ptrdiff_t>(table.columns);
      for (auto row = values.begin(); row != values.end(); row += columns)
        rows.emplace_back(std::vector(row, row + columns));
      json.add(table.name, rows);
    };
    std::visit(add, table.values);
  }
  return json;
}

io::JsonValue settings_json(const EncodingComparison& comparison) {
  const EncodingContext& context = comparison.settings.context;
  return {{"rotary", rotary_json(context.rotary)},
          {"heads", context.heads},
          {"layers", comparison.shape.layers},
          {"trained_length", context.trained},
          {"length", context.length},
          {"tokens", comparison.settings.tokens},
          {"seed", context.seed}};
}

}  // namespace

void print_comparison(const EncodingComparison& comparison, bool details, const Console& console) {
  console.say(console.paint(Ink::strong, answer(comparison)));
  console.say(setting(comparison));
  console.print(properties_table(comparison, console));
  console.say(legend(comparison));
  if (details)
    print_details(comparison, console);
  else
    console.say("--details adds the numbers behind the words, what they cost, and notes.");
}

std::string compare_csv(const EncodingComparison& comparison) {
  std::vector<ColumnsOfOne> all;
  for (const ComparedEncoding& result : comparison.results)
    all.push_back({"[" + result.label + "]",
                   {file_column("added", result.scores.scores.front()),
                    file_column("added_shifted", result.scores.scores.back())}});
  return csv_text(file_column("distance", comparison.results.front().scores.distances), all);
}

std::string compare_json(const EncodingComparison& comparison,
                         const std::vector<std::int64_t>& at) {
  io::JsonValue document = {{"schema", "rope.compare/2"}, {"settings", settings_json(comparison)}};
  if (comparison.settings.encodings.size() == 1) {
    const ComparedEncoding& only = comparison.results.front();
    document.add("encoding", only.spec.entry->name);
    document.add(numbers_json(only, at));
    document.add("properties", properties_json(comparison, only));
    document.add("curves", curves_json(comparison, only));
    return document.document();
  }
  document.add("encodings", io::json_list(comparison.results, [&](const ComparedEncoding& result) {
                 io::JsonValue json = properties_json(comparison, result);
                 json.add(curves_json(comparison, result));
                 return json;
               }));
  return document.document();
}

}  // namespace rope::app
