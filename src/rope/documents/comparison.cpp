#include "rope/documents/comparison.hpp"

#include <variant>

#include "rope/documents/columns.hpp"
#include "rope/documents/embedding.hpp"

namespace rope {
namespace {

io::JsonValue change_json(const Difference& difference, std::string_view what, bool so) {
  return {{"value", difference.error},
          {"allowed", difference.bound},
          {"distance", difference.distance},
          {"shift", difference.shift},
          {what, so}};
}

io::JsonValue properties_json(const EncodingComparison& comparison,
                              const ComparedEncoding& result) {
  const Difference& spread = result.spread;
  const Difference& directions = result.directions;
  return {{"name", result.spec.entry->name},
          {"label", result.label},
          {"parameters", parameters_json(result.spec, result.values)},
          {"map_parameters", parameters_json(result.spec, result.map_values)},
          {"relative", change_json(spread, "holds", !spread.violated())},
          {"direction", change_json(directions, "known", directions.violated())},
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

std::string comparison_csv(const EncodingComparison& comparison, CsvForm form) {
  std::vector<ColumnsOfOne> all;
  for (const ComparedEncoding& result : comparison.results)
    all.push_back({result.label,
                   {file_column("added", result.scores.scores.front()),
                    file_column("added_shifted", result.scores.scores.back())}});
  return csv_text(file_column("distance", comparison.results.front().scores.distances), all, form,
                  Labelled::always);
}

std::string comparison_json(const EncodingComparison& comparison,
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

}  // namespace rope
