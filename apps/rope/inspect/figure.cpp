#include <fmt/format.h>

#include <algorithm>

#include "inspect/report.hpp"
#include "shown/table.hpp"

namespace rope::app {
namespace {

/// The label of a curve or column.
std::string label_of(const NamedInspection& inspection, const LayerRope& layer, bool several) {
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

std::vector<const LayerRope*> rotating(const std::vector<NamedInspection>& inspections) {
  std::vector<const LayerRope*> layers;
  for (const NamedInspection& inspection : inspections)
    for (const LayerRope& layer : inspection.model.layers)
      if (layer.rotates()) layers.push_back(&layer);
  return layers;
}

}  // namespace

std::string inspect_csv(const std::vector<NamedInspection>& inspections) {
  const bool alone = rotating(inspections).size() == 1;
  std::size_t pairs = 0;
  std::vector<ColumnsOfOne> all;
  for (const NamedInspection& inspection : inspections)
    for (std::size_t i = 0; i < inspection.model.layers.size(); ++i) {
      const LayerRope& layer = inspection.model.layers[i];
      if (!layer.rotates()) continue;
      pairs = std::max(pairs, layer.scaled.frequencies.pairs());
      const std::string label = label_of(inspection, layer, inspections.size() > 1);
      all.push_back({alone ? "" : "[" + label + "]", pairs_of(layer, inspection.numbers[i])});
    }
  return csv_text(file_column("pair", indices(pairs)), all);
}

plot::Figure inspect_figure(const std::vector<NamedInspection>& inspections) {
  plot::Panel panel;
  panel.x.label = plot::Text::markup("pair k");
  panel.x.whole = true;
  panel.y.label = plot::Text::markup("wavelength λ_k (tokens)");
  panel.y.scale = plot::Scale::log10;
  const bool alone = rotating(inspections).size() == 1;
  for (const NamedInspection& inspection : inspections)
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
