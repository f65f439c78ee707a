#include "inspect/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rope/documents/inspection.hpp"
#include "rope/documents/pairs.hpp"
#include "rope/model/presets.hpp"
#include "rope/rotary/layout.hpp"
#include "rope/rotary/ranges_text.hpp"
#include "rope/words/embedding_text.hpp"
#include "shown/pair_tables.hpp"
#include "shown/text.hpp"

namespace rope::app {
namespace {

/// " for 4096 tokens", ", frequencies scaled by llama3 from 8192 to 131072 tokens",
/// ", frequencies scaled by longrope for up to 4096 of its 131072 tokens"
std::string range_text(const Inspection& inspection, const LayerRope& layer) {
  const ModelRope& model = inspection.model;
  const bool scaled = layer.rope_type != "default";
  std::string text = scaled ? ", frequencies scaled by " + layer.rope_type : "";
  const bool windowed = model.reach(layer) != model.context;
  const std::string window =
      windowed ? fmt::format("; each token sees at most the last {}", *layer.window) : "";
  if (const std::optional<std::int64_t> length = inspection.length(layer))
    return text + fmt::format(" at {} tokens{}", *length, window);
  if (!model.context) return text + window;
  if (layer.serves)
    return text +
           fmt::format(" for up to {} of its {} tokens{}", *layer.serves, *model.context, window);
  if (layer.original_context && layer.original_context != model.context)
    return text + fmt::format("{} from {} to {} tokens{}", scaled ? "" : ", extended",
                              *layer.original_context, *model.context, window);
  return text + fmt::format(" for {} tokens{}", *model.context, window);
}

/// Those of pairs that do turn: a rule may leave some at rest.
std::size_t turning_dimensions(const LayerRope& layer) {
  const auto at_rest = std::ranges::count(layer.scaled.bands, Band::off);
  return layer.rotary_dim - 2 * static_cast<std::size_t>(at_rest);
}

/// "5, 11, 17 … 47", or runs: "0 … 4, 6 … 10".
std::string layers_text(const std::vector<std::size_t>& layers) {
  constexpr std::size_t kFewest = 5;  // of which a step is shown by the first three
  const auto step = [&](std::size_t i) { return layers[i + 1] - layers[i]; };
  bool even = layers.size() >= kFewest;
  for (std::size_t i = 0; even && i + 1 < layers.size(); ++i) even = step(i) == step(0);
  if (!even || step(0) == 1) return ranges_text(layers);
  return fmt::format("{}, {}, {} … {}", layers[0], layers[1], layers[2], layers.back());
}

/// "llama-2 rotates all 128 dimensions of each head (half layout: pairs (i, i+64)) with base 10000
/// for 4096 tokens."
std::string answer(const Inspection& inspection, const LayerRope& layer, const std::string& who) {
  const ModelRope& model = inspection.model;
  // The file's only kind of layers, beside parts that do rotate.
  const bool apart = layer.name.empty() && (model.vision || !model.others.empty());
  if (!layer.rotates())
    return who + " rotates nothing" + (apart ? " in its text model" : "") +
           (layer.layers.empty() ? "" : ": layers " + layers_text(layer.layers)) + ".";
  const std::size_t turning = turning_dimensions(layer);
  const std::string dimensions =
      turning < layer.head_dim
          ? fmt::format("{} of the {}", turning, layer.head_dim)
          : fmt::format("{}{}", model.latent_attention ? "" : "all ", layer.head_dim);
  // Once is enough where several kinds of layers rotate.
  const auto first = std::ranges::find_if(model.layers, &LayerRope::rotates);
  const std::string pairs = first != model.layers.end() && &layer == &*first
                                ? ": pairs " + pair_text(layer.layout, layer.rotary_dim)
                                : std::string();
  return fmt::format("{} rotates {} dimensions of each head ({} layout{}) with base {}{}.", who,
                     dimensions, name(layer.layout), pairs, layer.base,
                     range_text(inspection, layer));
}

/// "15 kept, 3 blended, 14 scaled", "all 64 scaled"
std::string band_text(const LayerRope& layer) {
  const std::vector<Band>& bands = layer.scaled.bands;
  if (!bands.empty() && std::ranges::count(bands, bands.front()) == std::ssize(bands))
    return fmt::format("all {} {}", bands.size(), name(bands.front()));
  std::string text;
  for (const Band band : {Band::kept, Band::blended, Band::scaled, Band::off}) {
    const auto count = std::ranges::count(bands, band);
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

/// Where the mean cosine turns negative, and what that means for the context.
std::string negative_text(const Inspection& inspection, const LayerRope& layer,
                          const LayerNumbers& numbers, bool details) {
  const FirstNegative& negative = numbers.negative.first;
  if (!negative.distance)
    return fmt::format("not negative up to distance {}", numbers.negative.searched);
  std::string text = fmt::format("first negative at distance {}", *negative.distance);
  if (const auto reach = inspection.reach(layer))
    text += fmt::format(", {} the {}", *negative.distance < *reach ? "within" : "beyond",
                        reach == layer.window               ? "window"
                        : reach == inspection.model.context ? "context"
                                                            : "length");
  if (details && negative.root)
    text += fmt::format(" (the curve crosses zero at {:.4f})", *negative.root);
  return text;
}

/// A rule of thumb: what training makes of the frequencies is not known.
std::string thumb_text(const LayerRope& layer, const LayerNumbers& numbers) {
  const auto& distance = numbers.negative.first.distance;
  std::string text = distance ? fmt::format("{} tokens", *distance)
                              : fmt::format("more than {} tokens", numbers.negative.searched);
  text += " of context, by a rule of thumb from Men et al.";
  if (layer.rotary_dim < layer.head_dim) text += " that ignores the unrotated dimensions";
  return text;
}

std::string incomplete_text(const Inspection& inspection, const LayerRope& layer,
                            const LayerNumbers& numbers) {
  const std::size_t pairs = layer.scaled.frequencies.pairs();
  const std::int64_t reach = *inspection.reach(layer);
  if (numbers.incomplete.empty())
    return fmt::format("none: every pair completes a turn within {} tokens", reach);
  return fmt::format("{} of {} pairs within {} tokens (i = {})", numbers.incomplete.size(), pairs,
                     reach, ranges_text(numbers.incomplete));
}

/// What is known of a layer type beside the answer.
Table facts_table(const Inspection& inspection, const LayerRope& layer, const LayerNumbers& numbers,
                  bool details) {
  const ModelRope& model = inspection.model;
  Table table({{"", Table::Align::left}, {"", Table::Align::left}});
  const double factor = layer.scaled.attention_factor;
  if (details) {
    table.add_row({"model_type", model.model_type.empty() ? "not given" : model.model_type});
    table.add_row({"schema", model.schema});
    table.add_row({"rope_type", layer.rope_type});
    table.add_row({"pairs", std::to_string(layer.scaled.frequencies.pairs())});
  }
  if (!layer.layers.empty())
    table.add_row(
        {"layers", fmt::format("{}: {}", layer.layers.size(), layers_text(layer.layers))});
  if (layer.spec.rule != layer.rope_type) table.add_row({"read as", layer.spec.rule});
  if (layer.spec.rule != "default") {
    table.add_row({"parameters", parameters_text(layer)});
    if (details && !layer.scaled.facts.empty()) table.add_row({"computed", facts_text(layer)});
    table.add_row({"pairs by band", band_text(layer)});
  }
  if (details)
    table.add_row({"attention factor",
                   fmt::format("{}, logits × {}", precise(factor), precise(factor * factor))});
  else if (factor != 1)
    table.add_row({"attention factor", fmt::format("{}, logits × {}", six_digits(factor),
                                                   six_digits(factor * factor))});
  if (layer.softmax_factor != 1)
    table.add_row({"softmax scale", fmt::format("× {} as well", precise(layer.softmax_factor))});
  if (inspection.reach(layer))
    table.add_row({"never turn once", incomplete_text(inspection, layer, numbers)});
  if (layer.axes.several()) table.add_row({"axes", describe_axes(layer.axes)});
  if (!layer.axes.own_series)
    table.add_row({"mean cosine", negative_text(inspection, layer, numbers, details)});
  if (details && !layer.axes.own_series)
    table.add_row({"rule of thumb", thumb_text(layer, numbers)});
  return table;
}

/// The vision part: what its rows and columns turn.
void print_vision(const ModelRope& model, bool details, const Console& console) {
  const LayerRope& layer = *model.vision;
  console.print("\n");
  console.say(console.paint(
      Ink::strong,
      fmt::format("Its vision part rotates {} of the {} dimensions of each head ({} layout) with "
                  "base {}: {}.",
                  layer.rotary_dim, layer.head_dim, name(layer.layout), layer.base,
                  describe_axes(layer.axes))));
  if (!details) return;
  print_pairs(layer_columns(layer, {}), {}, true, console);
}

}  // namespace

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

void print_inspection(const Inspection& inspection, bool details, const Console& console) {
  const ModelRope& model = inspection.model;
  const bool several = model.layers.size() > 1;
  const bool beside = several && !details;  // in one table of pairs, which fits the screen
  std::vector<PairsOfKind> kinds;
  if (several)
    console.say(console.paint(
        Ink::strong, fmt::format("{} has layers of {} kinds.", model.name, model.layers.size())));
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    const LayerRope& layer = model.layers[i];
    if (several && details) console.print("\n");
    console.say_answer(answer(inspection, layer, several ? layer.name : model.name));
    if (i == 0)
      for (const std::string& note : model.notes) console.say(sentence(note), 2);
    if (!layer.rotates()) continue;
    const LayerNumbers& numbers = inspection.numbers[i];
    console.print(facts_table(inspection, layer, numbers, details), "Rotary embedding");
    const std::vector<std::size_t> marks = pair_marks(layer.scaled.bands, numbers.incomplete);
    if (beside)
      kinds.push_back(
          {layer.name, &layer.scaled.frequencies, inspection.reach(layer), numbers.turns, marks});
    else
      print_pairs(layer_columns(layer, numbers), marks, details, console);
  }
  if (!kinds.empty()) print_kinds(kinds, console);
  if (model.vision) print_vision(model, details, console);
  print_engines(inspection, console);
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

void print_presets(const std::vector<std::string>& names, const Console& console) {
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
  console.print(table, "Presets");
}

}  // namespace rope::app
