#include "rope/documents/inspection.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "rope/documents/embedding.hpp"
#include "rope/documents/pairs.hpp"
#include "rope/model/presets.hpp"

namespace rope {
namespace {

/// The fields of one layer type.
io::JsonValue layer_json(std::optional<std::int64_t> context, const LayerRope& layer,
                         const LayerNumbers& numbers, const std::vector<std::string>& warnings) {
  const FirstNegative& negative = numbers.negative.first;
  const double factor = layer.scaled.attention_factor;
  io::JsonValue json = {
      {"rope_type", layer.rope_type},
      {"head_dim", layer.head_dim},
      {"rotary_dim", layer.rotary_dim},
      {"base", layer.rotates() ? std::optional(layer.base) : std::nullopt},
      {"layout", name(layer.layout)},
      {"attention_factor", factor},
      {"logit_factor", factor * factor},
      {"softmax_factor", layer.softmax_factor},
      {"inv_freq", layer.scaled.frequencies.theta},
      {"wavelength", layer.scaled.frequencies.wavelength},
      {"bands", io::json_list(layer.scaled.bands, [](Band band) { return name(band); })},
      {"context", context},
      {"original_context", layer.original_context},
      {"window", layer.window},
      {"scaling", scaling_json(layer.spec)},
      {"facts", layer.scaled.facts}};
  if (!layer.layers.empty()) json.add("layers", layer.layers);
  if (layer.axes.several()) json.add("axes", axes_json(layer.axes));
  if (!layer.sections.empty()) json.add("mrope_section", layer.sections);
  json.add({{"incomplete_pairs", numbers.incomplete},
            {"first_negative",
             {{"distance", negative.distance},
              {"root", negative.root},
              {"searched", numbers.negative.searched}}},
            {"effective_context", negative.distance},
            {"warnings", warnings}});
  return json;
}

io::JsonValue engine_json(const EngineDifference& difference) {
  const bool reads = difference.refusal.empty();
  return {{"engine", name(difference.engine)},
          {"layers", difference.layer},
          {"seq_len", difference.seq_len},
          {"largest_difference", reads ? std::optional(difference.frequency) : std::nullopt},
          {"pair", reads ? std::optional(difference.pair) : std::nullopt},
          {"attention_factor", difference.attention_factor},
          {"refusal", reads ? std::nullopt : std::optional(difference.refusal)},
          {"reasons", difference.reasons}};
}

/// The model, without the schema of the document.
io::JsonValue model_json(const Inspection& inspection) {
  const ModelRope& model = inspection.model;
  io::JsonValue json = {{"name", model.name},
                        {"model_type", model.model_type},
                        {"config_schema", model.schema},
                        {"engine", name(inspection.options.engine)},
                        {"seq_len", inspection.options.seq_len},
                        {"notes", model.notes},
                        {"engine_differences", io::json_list(inspection.engines, engine_json)}};
  if (!model.others.empty()) json.add("also_rotates", model.others);
  if (model.vision) json.add("vision", layer_json({}, *model.vision, {}, model.vision->warnings));
  if (model.layers.size() == 1 && model.layers.front().name.empty()) {
    json.add(layer_json(model.context, model.layers.front(), inspection.numbers.front(),
                        model.all_warnings()));
    return json;
  }
  io::JsonValue layers = io::JsonValue::object();
  for (std::size_t i = 0; i < model.layers.size(); ++i)
    layers.add(model.layers[i].name, layer_json(model.context, model.layers[i],
                                                inspection.numbers[i], model.layers[i].warnings));
  json.add(
      {{"context", model.context}, {"layer_types", layers}, {"warnings", model.all_warnings()}});
  return json;
}

}  // namespace

Columns layer_columns(const LayerRope& layer, const LayerNumbers& numbers) {
  const auto band_name = [](Band band) { return name(band); };
  Columns columns = pair_columns(layer.scaled.frequencies, numbers.turns);
  if (layer.scaled.bands.size() == layer.scaled.frequencies.pairs())
    columns.push_back(left(column("band", "band", cells_of(layer.scaled.bands, band_name))));
  if (layer.axes.several()) {
    std::vector<std::string> names;
    for (const std::uint8_t axis : layer.axes.of_pair) names.push_back(layer.axes.names[axis]);
    columns.push_back(left(column("axis", "axis", std::move(names))));
  }
  return columns;
}

Columns pair_differences(const LayerRope& a, const LayerRope& b, std::size_t pairs) {
  const auto padded = [&](std::vector<double> values) {
    values.resize(pairs, std::nan(""));
    return values;
  };
  const std::vector<double> x = padded(a.scaled.frequencies.theta);
  const std::vector<double> y = padded(b.scaled.frequencies.theta);
  std::vector<double> ratios, shown_ratios;
  for (std::size_t k = 0; k < pairs; ++k) {
    ratios.push_back(x[k] == 0 ? std::nan("") : y[k] / x[k]);
    shown_ratios.push_back(x[k] == y[k] ? 1 : y[k] / x[k]);  // neither turns
  }
  return {column("pair", "pair", indices(pairs)),
          column("a", "θ_i of A", x),
          column("b", "θ_i of B", y),
          file_column("ratio", ratios),
          table_column("B/A", shown_ratios),
          table_column("λ_i of A", padded(a.scaled.frequencies.wavelength)),
          table_column("λ_i of B", padded(b.scaled.frequencies.wavelength))};
}

std::string inspection_json(const Inspection& inspection) {
  io::JsonValue document = {{"schema", "rope.inspect/1"}};
  document.add(model_json(inspection));
  return document.document();
}

std::string difference_json(const Inspection& a, const Inspection& b) {
  std::vector<io::JsonValue> differences;
  for (const LayerRope& x : a.model.layers)
    for (const LayerRope& y : b.model.layers) {
      const bool partners =
          x.name == y.name || a.model.layers.size() == 1 || b.model.layers.size() == 1;
      if (!partners) continue;
      const std::size_t pairs =
          std::max(x.scaled.frequencies.pairs(), y.scaled.frequencies.pairs());
      differences.push_back(
          {{"a", x.name}, {"b", y.name}, {"pairs", json_rows(pair_differences(x, y, pairs))}});
    }
  return io::JsonValue{{"schema", "rope.inspect/1"},
                       {"models", std::vector{model_json(a), model_json(b)}},
                       {"differences", differences}}
      .document();
}

std::string preset_json(const std::vector<std::string>& names) {
  const auto preset_of = [](const std::string& name) -> io::JsonValue {
    const Preset known = preset(name);
    return {{"name", known.name},
            {"title", known.title},
            {"also_called", known.also_called},
            {"source", known.source},
            {"unverified", known.unverified}};
  };
  return io::JsonValue{{"schema", "rope.presets/1"}, {"presets", io::json_list(names, preset_of)}}
      .document();
}

std::string inspection_csv(const std::vector<NamedInspection>& inspections, CsvForm form) {
  std::size_t pairs = 0;
  std::vector<ColumnsOfOne> all;
  for (const NamedInspection& inspection : inspections)
    for (std::size_t i = 0; i < inspection.model.layers.size(); ++i) {
      const LayerRope& layer = inspection.model.layers[i];
      if (!layer.rotates()) continue;
      pairs = std::max(pairs, layer.scaled.frequencies.pairs());
      const std::string label = layer_label(inspection, layer, inspections.size() > 1);
      all.push_back({label, layer_columns(layer, inspection.numbers[i])});
    }
  return csv_text(file_column("pair", indices(pairs)), all, form);
}

}  // namespace rope
