#include "compare/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "compare/sources.hpp"
#include "rope/encodings/alibi.hpp"
#include "rope/io/csv.hpp"
#include "rope/io/json.hpp"
#include "rope/rotary/unseen_angles.hpp"
#include "shown/rotary_json.hpp"
#include "shown/table.hpp"

namespace rope::app {
namespace {

/// "*" where the source documents' table says otherwise.
std::string mark(const std::vector<SourceCell>& cells, const EncodingResult& result,
                 Property property) {
  const bool differs = std::ranges::any_of(cells, [&](const SourceCell& cell) {
    return cell.encoding == result.entry->name && cell.property == property && !cell.agrees;
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

std::string properties_table(const ComparisonStudy& study, const std::vector<SourceCell>& cells,
                             const Console& console) {
  Table table({{"", Table::Align::left},
               {"relative", Table::Align::left},
               {"rounding"},
               {"sign of Δ", Table::Align::left},
               {"decay, R²"},
               {fmt::format("at {}", study.decay_reach)},
               {fmt::format("up to {}", study.length), Table::Align::left}});
  for (const EncodingResult& result : study.results) {
    const std::string unseen = result.undefined.empty()
                                   ? fmt::format("{:.1f} % new", 100 * result.unseen)
                                   : std::string("undefined");
    table.add_row(
        {std::string(result.entry->title),
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

std::string costs_table(const ComparisonStudy& study, const std::vector<SourceCell>& cells) {
  Table table({{"", Table::Align::left},
               {"parameters"},
               {"flops/token/layer"},
               {"of projections"},
               {"tables"},
               {"N × N a head"},
               {"", Table::Align::left}});
  const auto context = static_cast<double>(study.shape.context);
  for (const EncodingResult& result : study.results) {
    const Cost& cost = result.cost;
    table.add_row({std::string(result.entry->title), grouped(cost.parameters), grouped(cost.flops),
                   fmt::format("{:.4f} %", 100 * cost.flops / projection_flops(study)),
                   bytes_text(cost.table_bytes),
                   cost.squares > 0 ? bytes_text(cost.squares * context * context * 4) : "0",
                   mark(cells, result, Property::cost)});
  }
  return table.text();
}

std::string alibi_text(const ComparisonStudy& study) {
  const std::vector<double> slopes = alibi_slopes(study.settings.heads);
  const auto [flat, steep] = std::ranges::minmax(slopes);
  return fmt::format(
      "ALiBi: slopes {1:.4g} to {2:.4g} of {0} heads, here {6:.4g} of head {5}; 99 % of the weight "
      "of equal\n  contents lies within {3} to {4} tokens\n",
      study.settings.heads, steep, flat, alibi_window(steep, 0.99), alibi_window(flat, 0.99),
      study.settings.head, slopes[static_cast<std::size_t>(study.settings.head)]);
}

std::string notes(const ComparisonStudy& study) {
  const auto& shifts = study.results.front().scores.shifts;
  std::string text = fmt::format(
      "relative: the largest change of a score when one q and one k at distances −{0} … {0} are "
      "both\n  shifted by 0 … {1} tokens, beside what rounding may change\n"
      "sign of Δ: the largest |score(Δ) − score(−Δ)|; decay: a vector's score with itself, less\n"
      "  that at 0; up to {3}: is there a score; new: the share of positions or distances from {2} "
      "on\n  unlike all below {2}, of angles the mean over the pairs, within {4} rad\n",
      study.reach, shifts.back(), study.settings.trained, study.length, kSeenWithin);
  const auto has = [&](std::string_view name) {
    return std::ranges::any_of(
        study.results, [&](const EncodingResult& result) { return result.entry->name == name; });
  };
  if (has("sinusoidal"))
    text += fmt::format(
        "sinusoidal: p_i·p_j alone is relative (spread {:.2g}); W_Q, W_K and the contents undo "
        "it\n",
        study.table_spread);
  if (has("alibi")) text += alibi_text(study);
  return text;
}

io::Json number_or_null(double value) {
  return std::isfinite(value) ? io::Json(value) : io::Json(nullptr);
}

io::Json difference_json(const Difference& difference) {
  return {{"value", number_or_null(difference.value)},
          {"allowed", number_or_null(difference.allowed)},
          {"distance", difference.distance},
          {"shift", difference.shift}};
}

io::Json properties_json(const ComparisonStudy& study, const EncodingResult& result) {
  io::Json json;
  json["name"] = std::string(result.entry->name);
  json["relative"] = difference_json(result.spread);
  json["relative"]["holds"] = result.spread.explained();
  json["direction"] = difference_json(result.directions);
  json["direction"]["known"] = !result.directions.explained();
  json["decay"] = {{"law", std::string(result.law.name)},
                   {"slope", result.law.slope},
                   {"r_squared", result.law.fit},
                   {"distance", study.decay_reach},
                   {"change", result.fall}};
  json["cost"] = {{"parameters", result.cost.parameters},
                  {"flops", result.cost.flops},
                  {"share_of_projections", result.cost.flops / projection_flops(study)},
                  {"table_bytes", result.cost.table_bytes},
                  {"squares_per_head", result.cost.squares}};
  json["beyond"] = {{"defined", result.undefined.empty()},
                    {"because", result.undefined},
                    {"unseen", result.unseen}};
  return json;
}

io::Json curves_json(const ComparisonStudy& study, const EncodingResult& result) {
  io::Json json;
  json["distance"] = result.scores.distances;
  json["shifts"] = result.scores.shifts;
  json["scores"] = result.scores.scores;
  json["map"] = io::Json::array();
  for (std::int64_t i = 0; i < study.tokens; ++i) {
    io::Json row = io::Json::array();
    for (const double value : row_of(result.map, i)) row.push_back(number_or_null(value));
    json["map"].push_back(std::move(row));
  }
  return json;
}

/// Adds the raw numbers, a table as a list of its rows.
void add_numbers(const EncodingResult& result, const std::vector<std::int64_t>& at,
                 io::Json& json) {
  for (const NumberTable& table : result.encoding->numbers(at)) {
    const auto add = [&](const auto& values) {
      if (table.columns == 0) {
        json[table.name] = values;
        return;
      }
      io::Json rows = io::Json::array();
      const auto columns = static_cast<std::ptrdiff_t>(table.columns);
      for (auto row = values.begin(); row != values.end(); row += columns)
        rows.push_back(std::vector(row, row + columns));
      json[table.name] = std::move(rows);
    };
    std::visit(add, table.values);
  }
}

io::Json settings_json(const ComparisonStudy& study) {
  const EncodingSettings& s = study.settings;
  return {{"rotary", rotary_json(s.rotary)},
          {"heads", s.heads},
          {"head", s.head},
          {"alibi_bias", std::string(name(s.alibi_bias))},
          {"layers", study.shape.layers},
          {"trained_length", s.trained},
          {"length", study.length},
          {"tokens", study.tokens},
          {"sinusoidal_form", std::string(name(s.form))},
          {"buckets", s.buckets},
          {"max_distance", s.max_distance},
          {"bidirectional", s.bidirectional},
          {"clip", s.clip},
          {"window", s.window},
          {"leak", number_or_null(s.leak)},
          {"log_n", s.log_n},
          {"share", s.share},
          {"seed", s.seed}};
}

}  // namespace

std::string compare_report(const ComparisonStudy& study, const Console& console) {
  const std::vector<SourceCell> cells =
      study.sources ? source_cells(study) : std::vector<SourceCell>();
  std::string text =
      console.paint(Ink::strong,
                    fmt::format("Position encodings measured: heads of {}, trained on {} tokens, "
                                "read {}",
                                study.q.size(), study.settings.trained, study.length)) +
      "\n" + properties_table(study, cells, console) + notes(study) + "\n" +
      console.paint(Ink::strong,
                    fmt::format("What they cost: {} heads, {} layers, width {}, N = {} tokens",
                                study.shape.heads, study.shape.layers,
                                study.shape.heads * study.q.size(), study.shape.context)) +
      "\n" + costs_table(study, cells) +
      "parameters of the whole model; tables and matrices of 4-byte numbers\n";
  return study.sources ? text + "\n" + sources_report(study, console) : text;
}

std::string compare_csv(const ComparisonStudy& study) {
  const ShiftedScores& first = study.results.front().scores;
  std::vector<io::CsvColumn> columns = {{"distance", first.distances}};
  for (const EncodingResult& result : study.results) {
    columns.push_back({fmt::format("added[{}]", result.entry->name), result.scores.scores.front()});
    columns.push_back(
        {fmt::format("added_shifted[{}]", result.entry->name), result.scores.scores.back()});
  }
  return io::to_csv(columns);
}

std::string compare_json(const ComparisonStudy& study) {
  io::Json document;
  document["schema"] = "rope.compare/1";
  document["settings"] = settings_json(study);
  if (study.entries.size() == 1) {
    const EncodingResult& only = study.results.front();
    document["encoding"] = std::string(only.entry->name);
    add_numbers(only, study.at, document);
    document["properties"] = properties_json(study, only);
    document["curves"] = curves_json(study, only);
    return io::to_json_text(document);
  }
  document["encodings"] = io::Json::array();
  for (const EncodingResult& result : study.results) {
    io::Json json = properties_json(study, result);
    json.update(curves_json(study, result));
    document["encodings"].push_back(std::move(json));
  }
  if (!study.sources) return io::to_json_text(document);
  document["sources"] = io::Json::array();
  for (const SourceCell& cell : source_cells(study))
    document["sources"].push_back({{"encoding", std::string(cell.encoding)},
                                   {"property", std::string(name(cell.property))},
                                   {"says", std::string(cell.says)},
                                   {"agrees", cell.agrees},
                                   {"because", cell.because}});
  return io::to_json_text(document);
}

}  // namespace rope::app
