#include "compare/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rope/rotary/unseen_angles.hpp"
#include "rope/studies/comparison_sources.hpp"
#include "shown/columns.hpp"
#include "shown/rotary_json.hpp"

namespace rope::app {
namespace {

/// "*" where the source documents' table says otherwise.
std::string mark(const std::vector<SourceCell>& cells, const ComparedEncoding& result,
                 Property property) {
  const bool differs = std::ranges::any_of(cells, [&](const SourceCell& cell) {
    return cell.measured == &result && cell.property == property && !cell.agrees;
  });
  return differs ? "*" : "";
}

std::string verdict(bool yes, const std::string& number, const Console& console) {
  return console.paint(yes ? Ink::good : Ink::bad, yes ? "✓" : "✗") + " " + number;
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

std::string properties_table(const EncodingComparison& comparison,
                             const std::vector<SourceCell>& cells, const Console& console) {
  Table table({{"", Table::Align::left},
               {"relative", Table::Align::left},
               {"rounding"},
               {"sign of Δ", Table::Align::left},
               {"decay, R²"},
               {fmt::format("at {}", comparison.decay_reach)},
               {fmt::format("up to {}", comparison.settings.context.length), Table::Align::left}});
  for (const ComparedEncoding& result : comparison.results) {
    const std::string unseen = result.undefined.empty()
                                   ? fmt::format("{:.1f} % new", 100 * result.unseen)
                                   : std::string("undefined");
    table.add_row(
        {result.title,
         verdict(result.spread.explained(), short_number(result.spread.value), console) +
             mark(cells, result, Property::relative),
         short_number(result.spread.allowed),
         verdict(!result.directions.explained(), short_number(result.directions.value), console),
         law_text(result.law) + mark(cells, result, Property::decay), short_number(result.fall),
         verdict(result.undefined.empty(), unseen, console) +
             mark(cells, result, Property::beyond)});
  }
  return table.text();
}

std::string costs_table(const EncodingComparison& comparison,
                        const std::vector<SourceCell>& cells) {
  Table table({{"", Table::Align::left},
               {"parameters"},
               {"flops/token/layer"},
               {"of projections"},
               {"tables"},
               {"N × N a head"},
               {"", Table::Align::left}});
  const auto context = static_cast<double>(comparison.shape.context);
  for (const ComparedEncoding& result : comparison.results) {
    const Cost& cost = result.cost;
    table.add_row({result.title, grouped(cost.parameters), grouped(cost.flops),
                   fmt::format("{:.4f} %", 100 * result.cost_share), bytes_text(cost.table_bytes),
                   cost.squares > 0 ? bytes_text(cost.squares * context * context * 4) : "0",
                   mark(cells, result, Property::cost)});
  }
  return table.text();
}

/// Broken at blanks into lines of a hundred columns, all but the first set in.
std::string wrapped(std::string_view text) {
  constexpr std::size_t kColumns = 100;
  std::string result;
  std::size_t column = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    const auto width = static_cast<std::size_t>(std::ranges::count_if(
        word, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
    const bool breaks = column > 0 && column + 1 + width > kColumns;
    result += breaks ? "\n  " : column > 0 ? " " : "";
    result += word;
    column = (breaks ? 2 : column + (column > 0 ? 1 : 0)) + width;
    begin = end + 1;
  }
  return result + "\n";
}

std::string notes(const EncodingComparison& comparison) {
  const EncodingContext& context = comparison.settings.context;
  const auto& shifts = comparison.results.front().scores.shifts;
  std::string text = fmt::format(
      "relative: the largest change of a score when one q and one k at distances −{0} … {0} are "
      "both\n  shifted by 0 … {1} tokens, beside what rounding may change\n"
      "sign of Δ: the largest |score(Δ) − score(−Δ)|; decay: a vector's score with itself, less\n"
      "  that at 0; up to {3}: is there a score; new: the share of positions or distances from {2} "
      "on\n  unlike all below {2}, of angles the mean over the pairs, within {4} rad\n",
      comparison.reach, shifts.back(), context.trained, context.length, kSeenWithin);
  for (const ComparedEncoding& result : comparison.results)
    if (!result.remark.empty()) text += wrapped(result.title + ": " + result.remark);
  return text;
}

/// The number that decides a cell.
std::string because(const EncodingComparison& comparison, const SourceCell& cell) {
  const ComparedEncoding& result = *cell.measured;
  std::string unseen =
      fmt::format("{:.1f} % new up to {}", 100 * result.unseen, comparison.settings.context.length);
  switch (cell.reason) {
    case CellReason::spread:
      return fmt::format("spread {:.2g}, rounding {:.2g}", result.spread.value,
                         result.spread.allowed);
    case CellReason::mean_cosine:
      return fmt::format("p_i·p_j is RoPE's mean cosine, within {:.1g}", cell.number);
    case CellReason::learned_biases:
      return fmt::format("{} learned biases: any law", cell.number);
    case CellReason::law:
      return fmt::format("{}, R² {:.3f}", result.law.name, result.law.fit);
    case CellReason::law_of_equal:
      return fmt::format("{}, R² {:.3f}, but for q = k alone", result.law.name, result.law.fit);
    case CellReason::cost:
      return fmt::format("{:.0f} parameters, {:.2g} % of flops", result.cost.parameters,
                         100 * result.cost_share);
    case CellReason::undefined:
      return "not defined there";
    case CellReason::weight:
      return fmt::format("{}, weight {:.1g}", unseen, cell.number);
    case CellReason::unseen:
      break;
  }
  return unseen;
}

std::string sources_report(const EncodingComparison& comparison, const Console& console) {
  Table table({{"", Table::Align::left},
               {"", Table::Align::left},
               {"says", Table::Align::left},
               {"measured", Table::Align::left},
               {"", Table::Align::left}});
  for (const SourceCell& cell : source_cells(comparison))
    table.add_row({std::string(cell.measured->spec.entry->name), std::string(name(cell.property)),
                   std::string(cell.says), because(comparison, cell),
                   cell.agrees ? "agrees" : console.paint(Ink::bad, "* differs")});
  return table.text() +
         "  Its rows on short contexts and on ease of extension need trained models: not "
         "measured.\n";
}

io::JsonValue difference_json(const Difference& difference, std::string_view what, bool so) {
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
          {"relative", difference_json(spread, "holds", spread.explained())},
          {"direction", difference_json(directions, "known", !directions.explained())},
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

std::string compare_report(const EncodingComparison& comparison, bool sources,
                           const Console& console) {
  const std::vector<SourceCell> cells =
      sources ? source_cells(comparison) : std::vector<SourceCell>();
  const EncodingContext& context = comparison.settings.context;
  const ModelShape& shape = comparison.shape;
  std::string text =
      console.paint(Ink::strong,
                    fmt::format("Position encodings measured: heads of {}, trained on {} tokens, "
                                "read {}",
                                comparison.q.size(), context.trained, context.length)) +
      "\n" + properties_table(comparison, cells, console) + notes(comparison) + "\n" +
      console.paint(
          Ink::strong,
          fmt::format("What they cost: {} heads, {} layers, width {}, N = {} tokens", shape.heads,
                      shape.layers, shape.heads * comparison.q.size(), shape.context)) +
      "\n" + costs_table(comparison, cells) +
      "parameters of the whole model; tables and matrices of 4-byte numbers\n";
  return sources ? text + "\n" + sources_report(comparison, console) : text;
}

std::string compare_csv(const EncodingComparison& comparison) {
  std::vector<ColumnsOfOne> all;
  for (const ComparedEncoding& result : comparison.results)
    all.push_back({"[" + result.label + "]",
                   {file_column("added", result.scores.scores.front()),
                    file_column("added_shifted", result.scores.scores.back())}});
  return csv_text(file_column("distance", comparison.results.front().scores.distances), all);
}

std::string compare_json(const EncodingComparison& comparison, bool sources,
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
  const auto cell_json = [&](const SourceCell& cell) -> io::JsonValue {
    return {{"encoding", cell.measured->spec.entry->name},
            {"property", name(cell.property)},
            {"says", cell.says},
            {"agrees", cell.agrees},
            {"because", because(comparison, cell)}};
  };
  if (sources) document.add("sources", io::json_list(source_cells(comparison), cell_json));
  return document.document();
}

}  // namespace rope::app
