#include "inspect_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "rope/io/csv.hpp"
#include "rope/io/quote.hpp"
#include "rope/model/presets.hpp"
#include "table.hpp"

namespace rope::app {
namespace {

/// How far to look for the first negative sum: 2^20 tokens, less where the pairs are so many that
/// it would take seconds.
std::int64_t searched_distance(std::size_t pairs) {
  constexpr std::int64_t kMost = std::int64_t{1} << 20;
  constexpr std::int64_t kCosines = std::int64_t{1} << 27;
  return std::clamp<std::int64_t>(kCosines / static_cast<std::int64_t>(pairs), 4096, kMost);
}

/// A number as a config or a paper would quote it: up to 12 places behind the point.
std::string precise(double value) {
  if (!(std::abs(value) < 1e15)) return fmt::format("{}", value);
  std::string text = fmt::format("{:.12f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return value != 0 && std::abs(value) < 1e-6 ? fmt::format("{}", value) : text;
}

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
  const FirstNegative& negative = numbers.negative;
  std::string text;
  if (negative.distance)
    text = fmt::format("at distance {}", *negative.distance);
  else
    text = fmt::format("not up to {} tokens", numbers.searched);
  if (negative.root) text += fmt::format(" (root {:.4f})", *negative.root);
  if (negative.distance && model.context)
    text += *negative.distance < *model.context ? ", within the context" : ", beyond the context";
  return text;
}

std::string effective_text(const LayerRope& layer, const LayerNumbers& numbers) {
  const auto& distance = numbers.negative.distance;
  std::string text = distance ? fmt::format("{} tokens", *distance)
                              : fmt::format("more than {} tokens", numbers.searched);
  text += " by the bound of Men et al.";
  if (layer.rotary_dim < layer.head_dim) text += ", of the rotated dimensions alone";
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

std::string pair_table(const LayerRope& layer, const LayerNumbers& numbers) {
  std::vector<Table::Column> columns = {{"pair"}, {"θ_k (rad/token)"}, {"λ_k (tokens)"}};
  if (!numbers.turns.empty()) columns.push_back({"turns"});
  columns.push_back({"band", Table::Align::left});
  Table table(columns);
  const Frequencies& frequencies = layer.scaled.frequencies;
  const ShownRows shown = shown_rows(frequencies.pairs(), 16);
  for (std::size_t i = 0; i < shown.rows.size(); ++i) {
    if (i == shown.gap_after) table.add_row(std::vector<std::string>(columns.size(), "…"));
    const std::size_t k = shown.rows[i];
    std::vector<std::string> row = {std::to_string(k), six_digits(frequencies.theta[k]),
                                    six_digits(frequencies.wavelength[k])};
    if (!numbers.turns.empty()) row.push_back(six_digits(numbers.turns[k]));
    row.emplace_back(name(layer.scaled.bands[k]));
    table.add_row(row);
  }
  std::string text = table.text();
  if (shown.left_out > 0)
    text += fmt::format("{} pairs are left out: -o - --format csv prints all\n", shown.left_out);
  return text;
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
  return text + pair_table(layer, numbers);
}

std::string heading(const ModelRope& model) {
  return fmt::format("{}: {}, schema {}", model.name,
                     model.model_type.empty() ? "no model_type" : model.model_type, model.schema);
}

/// The layer of the other model to compare with: of the same name, or the only one.
const LayerRope* partner(const LayerRope& layer, const ModelRope& other) {
  if (other.layers.size() == 1) return &other.layers.front();
  const auto found = std::ranges::find(other.layers, layer.name, &LayerRope::name);
  return found == other.layers.end() ? nullptr : &*found;
}

struct Difference {
  std::string field, a, b;
};

std::vector<Difference> field_differences(const Inspection& a, const LayerRope& x,
                                          const Inspection& b, const LayerRope& y) {
  const auto optional = [](const std::optional<std::int64_t>& value) {
    return value ? std::to_string(*value) : std::string("-");
  };
  std::vector<Difference> all = {
      {"rope_type", x.rope_type, y.rope_type},
      {"head_dim", std::to_string(x.head_dim), std::to_string(y.head_dim)},
      {"rotary_dim", std::to_string(x.rotary_dim), std::to_string(y.rotary_dim)},
      {"base", fmt::format("{}", x.base), fmt::format("{}", y.base)},
      {"layout", std::string(name(x.layout)), std::string(name(y.layout))},
      {"attention_factor", precise(x.scaled.attention_factor), precise(y.scaled.attention_factor)},
      {"context", optional(a.model.context), optional(b.model.context)},
      {"original_context", optional(x.original_context), optional(y.original_context)}};
  std::erase_if(all, [](const Difference& one) { return one.a == one.b; });
  return all;
}

/// θ of b over θ of a; 1 where neither turns.
double theta_ratio(const LayerRope& a, const LayerRope& b, std::size_t k) {
  const double x = a.scaled.frequencies.theta[k];
  const double y = b.scaled.frequencies.theta[k];
  return x == y ? 1 : y / x;
}

std::size_t shared_pairs(const LayerRope& a, const LayerRope& b) {
  return std::min(a.scaled.frequencies.pairs(), b.scaled.frequencies.pairs());
}

std::string layer_differences(const Inspection& a, const LayerRope& x, const Inspection& b,
                              const LayerRope& y) {
  std::string text;
  const std::vector<Difference> fields = field_differences(a, x, b, y);
  if (!fields.empty()) {
    Table table({{"", Table::Align::left}, {"A"}, {"B"}});
    for (const Difference& one : fields) table.add_row({one.field, one.a, one.b});
    text += table.text();
  }
  const std::size_t pairs = shared_pairs(x, y);
  std::vector<std::size_t> differ;
  for (std::size_t k = 0; k < pairs; ++k)
    if (theta_ratio(x, y, k) != 1) differ.push_back(k);
  if (differ.empty())
    return text + fmt::format("the frequencies of all {} pairs are the same\n", pairs);
  text +=
      fmt::format("{} of {} pairs differ (k = {})\n", differ.size(), pairs, ranges_text(differ));
  Table table({{"pair"}, {"θ_k of A"}, {"θ_k of B"}, {"B/A"}, {"λ_k of A"}, {"λ_k of B"}});
  const ShownRows shown = shown_rows(pairs, 16);
  for (std::size_t i = 0; i < shown.rows.size(); ++i) {
    if (i == shown.gap_after) table.add_row(std::vector<std::string>(6, "…"));
    const std::size_t k = shown.rows[i];
    const Frequencies& p = x.scaled.frequencies;
    const Frequencies& q = y.scaled.frequencies;
    table.add_row({std::to_string(k), six_digits(p.theta[k]), six_digits(q.theta[k]),
                   six_digits(theta_ratio(x, y, k)), six_digits(p.wavelength[k]),
                   six_digits(q.wavelength[k])});
  }
  text += table.text();
  if (shown.left_out > 0)
    text += fmt::format("{} pairs are left out: -o - --format csv prints all\n", shown.left_out);
  return text;
}

/// The label of a curve or column.
std::string label_of(const Inspection& inspection, const LayerRope& layer, bool several) {
  if (layer.name.empty()) return inspection.label;
  return several ? inspection.label + " " + layer.name : layer.name;
}

/// Series of the pairs in each band.
void add_bands(const LayerRope& layer, plot::Panel& panel) {
  const std::vector<double>& wavelength = layer.scaled.frequencies.wavelength;
  for (const Band band : {Band::kept, Band::blended, Band::scaled}) {
    plot::Series series;
    series.kind = plot::SeriesKind::points;
    for (std::size_t k = 0; k < wavelength.size(); ++k) {
      if (layer.scaled.bands[k] != band) continue;
      series.x.push_back(static_cast<double>(k));
      series.y.push_back(wavelength[k]);
    }
    if (series.x.empty()) continue;
    series.label = plot::Text::plain(fmt::format("{} ({})", name(band), series.x.size()));
    series.colour = static_cast<std::size_t>(band);
    panel.series.push_back(std::move(series));
  }
}

void add_curve(const std::string& label, const LayerRope& layer, plot::Panel& panel) {
  plot::Series series;
  series.label = plot::Text::plain(label);
  series.kind = plot::SeriesKind::line_points;
  series.y = layer.scaled.frequencies.wavelength;
  for (std::size_t k = 0; k < series.y.size(); ++k) series.x.push_back(static_cast<double>(k));
  panel.series.push_back(std::move(series));
}

std::vector<const LayerRope*> rotating(const std::vector<Inspection>& inspections) {
  std::vector<const LayerRope*> layers;
  for (const Inspection& inspection : inspections)
    for (const LayerRope& layer : inspection.model.layers)
      if (layer.rotates()) layers.push_back(&layer);
  return layers;
}

}  // namespace

Inspection inspect(std::string label, const ModelReader& read, const ReadOptions& options) {
  Inspection inspection{std::move(label), read(options), {}, {}, options};
  if (options.engine == Engine::hf) inspection.engines = engine_differences(read, options.seq_len);
  for (const LayerRope& layer : inspection.model.layers) {
    LayerNumbers numbers;
    const Frequencies& frequencies = layer.scaled.frequencies;
    if (layer.rotates()) {
      numbers.searched = searched_distance(frequencies.pairs());
      numbers.negative = first_negative(frequencies, numbers.searched);
      for (std::size_t k = 0; inspection.model.context && k < frequencies.pairs(); ++k) {
        numbers.turns.push_back(static_cast<double>(*inspection.model.context) /
                                frequencies.wavelength[k]);
        if (!(numbers.turns.back() >= 1)) numbers.incomplete.push_back(k);
      }
    }
    inspection.numbers.push_back(std::move(numbers));
  }
  return inspection;
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

std::string difference_report(const Inspection& a, const Inspection& b, const Console& console) {
  std::string text = console.paint(Ink::strong, "A  " + heading(a.model)) + "\n" +
                     console.paint(Ink::strong, "B  " + heading(b.model)) + "\n";
  const bool turned = a.model.layers.size() == 1 && b.model.layers.size() > 1;
  const Inspection& outer = turned ? b : a;
  const Inspection& inner = turned ? a : b;
  for (const LayerRope& layer : outer.model.layers) {
    if (!layer.name.empty()) text += "\n" + console.paint(Ink::strong, layer.name) + "\n";
    const LayerRope* const other = partner(layer, inner.model);
    if (other == nullptr) {
      text += "  only one of the two has such layers\n";
    } else {
      text +=
          turned ? layer_differences(a, *other, b, layer) : layer_differences(a, layer, b, *other);
    }
  }
  return text;
}

std::string preset_report() {
  Table table({{"preset", Table::Align::left},
               {"head_dim"},
               {"rotary_dim"},
               {"base"},
               {"scaling", Table::Align::left},
               {"context"},
               {"layout", Table::Align::left}});
  for (const std::string& name : preset_names()) {
    const ModelRope model = preset_model(name);
    for (const LayerRope& layer : model.layers)
      table.add_row({layer.name.empty() ? name : name + ", " + layer.name,
                     std::to_string(layer.head_dim), std::to_string(layer.rotary_dim),
                     fmt::format("{}", layer.base), layer.rope_type,
                     model.context ? std::to_string(*model.context) : "",
                     std::string(rope::name(layer.layout))});
  }
  return table.text();
}

std::string inspect_csv(const std::vector<Inspection>& inspections) {
  const std::vector<const LayerRope*> layers = rotating(inspections);
  std::size_t rows = 0;
  for (const LayerRope* layer : layers) rows = std::max(rows, layer->scaled.frequencies.pairs());
  std::vector<std::int64_t> pairs;
  for (std::size_t k = 0; k < rows; ++k) pairs.push_back(static_cast<std::int64_t>(k));
  std::vector<io::CsvColumn> columns = {{"pair", std::move(pairs)}};
  for (const Inspection& inspection : inspections)
    for (std::size_t i = 0; i < inspection.model.layers.size(); ++i) {
      const LayerRope& layer = inspection.model.layers[i];
      if (!layer.rotates()) continue;
      const std::string label = label_of(inspection, layer, inspections.size() > 1);
      const auto title = [&](const char* name) {
        return layers.size() > 1 ? fmt::format("{}[{}]", name, label) : std::string(name);
      };
      const auto numbers = [&](std::vector<double> cells) {
        cells.resize(rows, std::numeric_limits<double>::quiet_NaN());
        return cells;
      };
      std::vector<std::string> bands(rows);
      for (std::size_t k = 0; k < layer.scaled.bands.size(); ++k)
        bands[k] = name(layer.scaled.bands[k]);
      columns.push_back({title("theta"), numbers(layer.scaled.frequencies.theta)});
      columns.push_back({title("wavelength"), numbers(layer.scaled.frequencies.wavelength)});
      columns.push_back({title("turns"), numbers(inspection.numbers[i].turns)});
      columns.push_back({title("band"), std::move(bands)});
    }
  return io::to_csv(columns);
}

plot::Figure inspect_figure(const std::vector<Inspection>& inspections) {
  plot::Panel panel;
  panel.x.label = plot::Text::markup("pair k");
  panel.x.whole = true;
  panel.y.label = plot::Text::markup("wavelength λ_k (tokens)");
  panel.y.scale = plot::Scale::log10;
  const bool alone = rotating(inspections).size() == 1;
  for (const Inspection& inspection : inspections)
    for (const LayerRope& layer : inspection.model.layers) {
      if (!layer.rotates()) continue;
      if (alone)
        add_bands(layer, panel);
      else
        add_curve(label_of(inspection, layer, inspections.size() > 1), layer, panel);
    }
  const ModelRope& model = inspections.front().model;
  std::string subtitle = model.name;
  if (alone && inspections.size() == 1) {
    const LayerRope& layer = *rotating(inspections).front();
    if (model.context)
      panel.lines.push_back({plot::Direction::horizontal, static_cast<double>(*model.context),
                             plot::Text::plain(fmt::format("context {}", *model.context))});
    if (layer.original_context && layer.original_context != model.context)
      panel.lines.push_back(
          {plot::Direction::horizontal, static_cast<double>(*layer.original_context),
           plot::Text::plain(fmt::format("before extension {}", *layer.original_context))});
    subtitle += fmt::format(": {}, base {}, attention factor {}", layer.rope_type, layer.base,
                            six_digits(layer.scaled.attention_factor));
  } else if (inspections.size() > 1) {
    subtitle += " and " + inspections.back().model.name;
  }
  plot::Figure figure;
  figure.title = plot::Text::plain("Wavelengths of a model");
  if (inspections.size() > 1) figure.title = plot::Text::plain("Wavelengths of two models");
  figure.subtitle = plot::Text::plain(subtitle);
  figure.panels.push_back(std::move(panel));
  return figure;
}

}  // namespace rope::app
