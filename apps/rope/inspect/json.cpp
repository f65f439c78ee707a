#include "inspect/report.hpp"
#include "rope/model/presets.hpp"
#include "shown/rotary_json.hpp"

namespace rope::app {
namespace {

/// The fields of one layer type.
void add_layer(io::Json& object, const ModelRope& model, const LayerRope& layer,
               const LayerNumbers& numbers, const std::vector<std::string>& warnings) {
  object["rope_type"] = layer.rope_type;
  object["head_dim"] = layer.head_dim;
  object["rotary_dim"] = layer.rotary_dim;
  object["base"] = layer.rotates() ? io::Json(layer.base) : io::Json();
  object["layout"] = std::string(name(layer.layout));
  object["attention_factor"] = layer.scaled.attention_factor;
  object["logit_factor"] = layer.scaled.attention_factor * layer.scaled.attention_factor;
  object["softmax_factor"] = layer.softmax_factor;
  object["inv_freq"] = layer.scaled.frequencies.theta;
  object["wavelength"] = layer.scaled.frequencies.wavelength;
  io::Json bands = io::Json::array();
  for (const Band band : layer.scaled.bands) bands.push_back(std::string(name(band)));
  object["bands"] = std::move(bands);
  object["context"] = or_null(model.context);
  object["original_context"] = or_null(layer.original_context);
  object["scaling"] = scaling_json(layer.spec);
  io::Json facts = io::Json::object();
  for (const auto& [name, value] : layer.scaled.facts) facts[name] = value;
  object["facts"] = std::move(facts);
  if (!layer.sections.empty()) object["mrope_section"] = layer.sections;
  object["incomplete_pairs"] = numbers.incomplete;
  const FirstNegative& negative = numbers.negative.first;
  object["first_negative"] = {{"distance", or_null(negative.distance)},
                              {"root", negative.root ? io::Json(*negative.root) : io::Json()},
                              {"searched", numbers.negative.searched}};
  object["effective_context"] = or_null(negative.distance);
  object["warnings"] = warnings;
}

io::Json engines_json(const Inspection& inspection) {
  io::Json engines = io::Json::array();
  for (const EngineDifference& difference : inspection.engines) {
    io::Json one;
    one["engine"] = std::string(name(difference.engine));
    one["layers"] = difference.layer;
    one["seq_len"] = or_null(difference.seq_len);
    const bool reads = difference.refusal.empty();
    one["largest_difference"] = reads ? io::Json(difference.frequency) : io::Json();
    one["pair"] = reads ? io::Json(difference.pair) : io::Json();
    one["attention_factor"] =
        difference.attention_factor ? io::Json(*difference.attention_factor) : io::Json();
    one["refusal"] = reads ? io::Json() : io::Json(difference.refusal);
    one["reasons"] = difference.reasons;
    engines.push_back(std::move(one));
  }
  return engines;
}

/// The model, without the schema of the document.
void add_model(io::Json& object, const Inspection& inspection) {
  const ModelRope& model = inspection.model;
  object["name"] = model.name;
  object["model_type"] = model.model_type;
  object["config_schema"] = model.schema;
  object["engine"] = std::string(name(inspection.options.engine));
  object["seq_len"] = or_null(inspection.options.seq_len);
  object["notes"] = model.notes;
  object["engine_differences"] = engines_json(inspection);
  if (model.layers.size() == 1 && model.layers.front().name.empty()) {
    add_layer(object, model, model.layers.front(), inspection.numbers.front(),
              model.all_warnings());
    return;
  }
  object["context"] = or_null(model.context);
  object["layer_types"] = io::Json::object();
  for (std::size_t i = 0; i < model.layers.size(); ++i)
    add_layer(object["layer_types"][model.layers[i].name], model, model.layers[i],
              inspection.numbers[i], model.layers[i].warnings);
  object["warnings"] = model.all_warnings();
}

io::Json pair_differences(const LayerRope& a, const LayerRope& b) {
  io::Json pairs = io::Json::array();
  const std::vector<double>& x = a.scaled.frequencies.theta;
  const std::vector<double>& y = b.scaled.frequencies.theta;
  for (std::size_t k = 0; k < std::max(x.size(), y.size()); ++k) {
    io::Json pair;
    pair["pair"] = k;
    pair["a"] = k < x.size() ? io::Json(x[k]) : io::Json();
    pair["b"] = k < y.size() ? io::Json(y[k]) : io::Json();
    const bool both = k < x.size() && k < y.size() && x[k] != 0;
    pair["ratio"] = both ? io::Json(y[k] / x[k]) : io::Json();
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

}  // namespace

std::string inspect_json(const Inspection& inspection) {
  io::Json document;
  document["schema"] = "rope.inspect/1";
  add_model(document, inspection);
  return io::to_json_text(document);
}

std::string difference_json(const Inspection& a, const Inspection& b) {
  io::Json document;
  document["schema"] = "rope.inspect/1";
  document["models"] = io::Json::array({io::Json::object(), io::Json::object()});
  add_model(document["models"][0], a);
  add_model(document["models"][1], b);
  document["differences"] = io::Json::array();
  for (const LayerRope& x : a.model.layers)
    for (const LayerRope& y : b.model.layers) {
      const bool partners =
          x.name == y.name || a.model.layers.size() == 1 || b.model.layers.size() == 1;
      if (!partners) continue;
      io::Json one;
      one["a"] = x.name;
      one["b"] = y.name;
      one["pairs"] = pair_differences(x, y);
      document["differences"].push_back(std::move(one));
    }
  return io::to_json_text(document);
}

std::string preset_json() {
  io::Json document;
  document["schema"] = "rope.presets/1";
  document["presets"] = io::Json::array();
  for (const std::string& name : preset_names()) {
    const Preset known = preset(name);
    document["presets"].push_back({{"name", known.name},
                                   {"title", known.title},
                                   {"source", known.source},
                                   {"unverified", known.unverified}});
  }
  return io::to_json_text(document);
}

}  // namespace rope::app
