#include "inspect/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rope/io/quote.hpp"
#include "rope/model/presets.hpp"
#include "rope/rotary/ranges_text.hpp"
#include "shown/pair_columns.hpp"

namespace rope::app {
namespace {

std::string line(const std::string& name, const std::string& text) {
  return fmt::format("  {:<19}{}\n", name, text);
}

std::string context_text(const ModelRope& model, const LayerRope& layer) {
  std::string text = model.context ? fmt::format("{} tokens", *model.context) : "not given";
  if (layer.original_context && layer.original_context != model.context)
    text += fmt::format(", extended from {}", *layer.original_context);
  return text;
}

/// "15 kept, 3 blended, 14 scaled"
std::string band_text(const LayerRope& layer) {
  std::string text;
  for (const Band band : {Band::kept, Band::blended, Band::scaled, Band::off}) {
    const auto count = std::ranges::count(layer.scaled.bands, band);
    if (count > 0 || band == Band::blended)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name(band));
  }
  return text;
}

std::string facts_text(const LayerRope& layer) {
  std::string text;
  for (const auto& [name, value] : layer.scaled.facts)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, precise(value));
  return text;
}

std::string parameters_text(const LayerRope& layer) {
  std::string text;
  for (const auto& [name, value] : layer.spec.numbers)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, precise(value));
  for (const auto& [name, list] : layer.spec.lists)
    text += fmt::format("{}{} of {} numbers", text.empty() ? "" : ", ", name, list.size());
  return text;
}

/// Where the sum of cosines turns negative, and what that means for the context.
std::string negative_text(const ModelRope& model, const LayerNumbers& numbers) {
  const FirstNegative& negative = numbers.negative.first;
  std::string text;
  if (negative.distance)
    text = fmt::format("at distance {}", *negative.distance);
  else
    text = fmt::format("not up to {} tokens", numbers.negative.searched);
  if (negative.root) text += fmt::format(" (root {:.4f})", *negative.root);
  if (negative.distance && model.context)
    text += *negative.distance < *model.context ? ", within the context" : ", beyond the context";
  return text;
}

/// A rule of thumb: what training makes of the frequencies is not known.
std::string effective_text(const LayerRope& layer, const LayerNumbers& numbers) {
  const auto& distance = numbers.negative.first.distance;
  std::string text = distance ? fmt::format("{} tokens", *distance)
                              : fmt::format("more than {} tokens", numbers.negative.searched);
  text += ", by a rule of thumb (Men et al.)";
  if (layer.rotary_dim < layer.head_dim)
    text += fmt::format("\n{:21}that leaves out the dimensions that do not rotate", "");
  return text;
}

std::string incomplete_text(const ModelRope& model, const LayerRope& layer,
                            const LayerNumbers& numbers) {
  const std::size_t pairs = layer.scaled.frequencies.pairs();
  if (numbers.incomplete.empty())
    return fmt::format("every pair completes a turn within {} tokens", *model.context);
  return fmt::format("{} of {} pairs within {} tokens (k = {})", numbers.incomplete.size(), pairs,
                     *model.context, ranges_text(numbers.incomplete));
}

std::string layer_report(const ModelRope& model, const LayerRope& layer,
                         const LayerNumbers& numbers) {
  std::string text = line("rope_type", layer.rope_type);
  if (!layer.rotates()) return text + line("head_dim", std::to_string(layer.head_dim));
  if (layer.spec.rule != layer.rope_type) text += line("read as", layer.spec.rule);
  text += line("head_dim", std::to_string(layer.head_dim));
  text += line("rotary_dim",
               fmt::format("{} ({} pairs)", layer.rotary_dim, layer.scaled.frequencies.pairs()));
  text += line("base", fmt::format("{}", layer.base));
  text += line("layout", std::string(name(layer.layout)));
  text += line("context", context_text(model, layer));
  const double factor = layer.scaled.attention_factor;
  text += line("attention factor",
               fmt::format("{}, logits × {}", precise(factor), precise(factor * factor)));
  if (layer.softmax_factor != 1)
    text += line("softmax scale", fmt::format("× {} beside it", precise(layer.softmax_factor)));
  if (layer.spec.rule != "default") {
    text += line("parameters", parameters_text(layer));
    if (!layer.scaled.facts.empty()) text += line("found", facts_text(layer));
    text += line("bands", band_text(layer));
  }
  if (model.context) text += line("never turn once", incomplete_text(model, layer, numbers));
  text += line("Σcos Δθ_k < 0", negative_text(model, numbers));
  text += line("effective context", effective_text(layer, numbers));
  return text + pair_table(pairs_of(layer, numbers));
}

}  // namespace

Columns pairs_of(const LayerRope& layer, const LayerNumbers& numbers) {
  const auto band_name = [](Band band) { return name(band); };
  Columns columns = pair_columns(layer.scaled.frequencies, numbers.turns);
  columns.push_back(left(column("band", "band", cells_of(layer.scaled.bands, band_name))));
  return columns;
}

std::string precise(double value) {
  if (!(std::abs(value) < 1e15)) return fmt::format("{}", value);
  std::string text = fmt::format("{:.12f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return value != 0 && std::abs(value) < 1e-6 ? fmt::format("{}", value) : text;
}

std::string heading(const ModelRope& model) {
  return fmt::format("{}: {}, schema {}", model.name,
                     model.model_type.empty() ? "no model_type" : model.model_type, model.schema);
}

std::string inspect_report(const Inspection& inspection, const Console& console) {
  const ModelRope& model = inspection.model;
  std::string text = console.paint(Ink::strong, heading(model)) + "\n";
  for (const std::string& note : model.notes) text += "  " + note + "\n";
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    const LayerRope& layer = model.layers[i];
    if (!layer.name.empty()) text += "\n" + console.paint(Ink::strong, layer.name) + "\n";
    text += layer_report(model, layer, inspection.numbers[i]);
  }
  return text + engines_text(inspection);
}

namespace {

/// The values of all layers, each once and none empty: "1000000, 10000".
template <typename Value>
std::string of_layers(const ModelRope& model, Value value) {
  std::vector<std::string> values;
  for (const LayerRope& layer : model.layers)
    if (std::string one = value(layer);
        !one.empty() && std::ranges::find(values, one) == values.end())
      values.push_back(std::move(one));
  return fmt::format("{}", fmt::join(values, ", "));
}

std::string head_text(const LayerRope& layer) {
  return layer.rotary_dim == layer.head_dim
             ? std::to_string(layer.head_dim)
             : fmt::format("{}/{}", layer.rotary_dim, layer.head_dim);
}

}  // namespace

std::string preset_report(const std::vector<std::string>& names) {
  Table table({{"preset", Table::Align::left},
               {"rotated"},
               {"base"},
               {"scaling", Table::Align::left},
               {"context"},
               {"layout", Table::Align::left}});
  for (const std::string& name : names) {
    const ModelRope model = preset_model(name);
    const auto or_none = [](std::string text) { return text.empty() ? "none" : std::move(text); };
    const auto base = [](const LayerRope& layer) { return fmt::format("{}", layer.base); };
    const auto rule = [](const LayerRope& layer) {
      return layer.rope_type == "default" ? std::string() : layer.rope_type;
    };
    table.add_row(
        {name, of_layers(model, head_text), of_layers(model, base), or_none(of_layers(model, rule)),
         model.context ? std::to_string(*model.context) : "",
         of_layers(model,
                   [](const LayerRope& layer) { return std::string(rope::name(layer.layout)); })});
  }
  return table.text();
}

}  // namespace rope::app
