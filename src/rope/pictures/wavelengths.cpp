#include "rope/pictures/wavelengths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "rope/rotary/ranges_text.hpp"

namespace rope {
namespace {

/// What a logarithmic axis of wavelengths cannot show: a pair that does not turn has none.
std::string still_pairs(std::span<const RotaryVariant> variants) {
  std::size_t all = 0;
  std::string text;
  for (const RotaryVariant& variant : variants) {
    std::vector<std::size_t> still;
    const std::vector<double>& wavelength = variant.embedding.frequencies.wavelength;
    for (std::size_t k = 0; k < wavelength.size(); ++k)
      if (!std::isfinite(wavelength[k])) still.push_back(k);
    all += still.size();
    if (!still.empty()) text += (text.empty() ? "" : "; ") + ranges_text(still);
  }
  if (all == 0) return {};
  return fmt::format(
      "without {} (i = {}), λ = ∞",
      all == 1 ? "the pair that never turns" : fmt::format("the {} pairs that never turn", all),
      text);
}

/// Its label, with that of an earlier one whose curve it repeats.
std::string label_among(std::span<const RotaryVariant> variants, const RotaryVariant& variant) {
  const auto earlier = std::ranges::find_if(variants, [&](const RotaryVariant& other) {
    return other.embedding.frequencies.wavelength == variant.embedding.frequencies.wavelength;
  });
  if (&*earlier == &variant) return variant.label;
  return fmt::format("{} (= {})", variant.label, earlier->label);
}

/// A line for each reach, and where all have the same, what lies beyond it.
void add_reaches(std::span<const RotaryVariant> variants, plot::Panel& panel) {
  std::vector<std::int64_t> drawn;
  for (const RotaryVariant& variant : variants) {
    if (!variant.reach || std::ranges::find(drawn, *variant.reach) != drawn.end()) continue;
    drawn.push_back(*variant.reach);
    const bool window = variant.context && variant.reach < variant.context;
    panel.lines.push_back(
        {plot::Direction::horizontal, static_cast<double>(*variant.reach),
         plot::Text::plain(fmt::format("{} {}", window ? "window" : "context", *variant.reach))});
  }
  if (const std::optional<std::int64_t> reach = common_reach(variants))
    panel.regions.push_back({plot::Direction::horizontal, static_cast<double>(*reach),
                             std::numeric_limits<double>::infinity(),
                             plot::Text::plain("never completes a turn")});
}

}  // namespace

std::optional<std::int64_t> common_reach(std::span<const RotaryVariant> variants) {
  const std::optional<std::int64_t>& first = variants.front().reach;
  const bool common = std::ranges::all_of(
      variants, [&](const RotaryVariant& variant) { return variant.reach == first; });
  return common ? first : std::nullopt;
}

plot::Figure wavelengths_figure(std::span<const RotaryVariant> variants) {
  plot::Panel panel;
  panel.x.label = plot::Text::markup("pair i");
  panel.x.whole = true;
  panel.y.label = plot::Text::markup("wavelength λ_i (tokens)");
  panel.y.scale = plot::Scale::log10;
  for (const RotaryVariant& variant : variants) {
    const Frequencies& frequencies = variant.embedding.frequencies;
    plot::Series series;
    if (variants.size() > 1) series.label = plot::Text::plain(label_among(variants, variant));
    series.kind = plot::SeriesKind::line_points;
    for (std::size_t k = 0; k < frequencies.pairs(); ++k)
      series.x.push_back(static_cast<double>(k));
    series.y = frequencies.wavelength;
    panel.series.push_back(std::move(series));
  }
  add_reaches(variants, panel);
  plot::Figure figure;
  figure.title = plot::Text::plain("Wavelengths of a rotary position embedding");
  std::string subtitle = describe(variants);
  const std::string still = still_pairs(variants);
  if (!still.empty()) subtitle += (subtitle.empty() ? "" : "; ") + still;
  figure.subtitle = plot::Text::plain(subtitle);
  figure.panels.push_back(std::move(panel));
  constexpr std::size_t kMostWithin = 4;  // names for which there is room between the curves
  if (variants.size() > kMostWithin) figure.legend_of = 0;
  return figure;
}

namespace {

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

}  // namespace

std::string layer_label(const NamedInspection& inspection, const LayerRope& layer, bool several) {
  if (layer.name.empty()) return inspection.label;
  return several ? inspection.label + " " + layer.name : layer.name;
}

std::vector<const LayerRope*> rotating_layers(const std::vector<NamedInspection>& inspections) {
  std::vector<const LayerRope*> layers;
  for (const NamedInspection& inspection : inspections)
    for (const LayerRope& layer : inspection.model.layers)
      if (layer.rotates()) layers.push_back(&layer);
  return layers;
}

plot::Figure inspect_figure(const std::vector<NamedInspection>& inspections) {
  plot::Panel panel;
  panel.x.label = plot::Text::markup("pair i");
  panel.x.whole = true;
  panel.y.label = plot::Text::markup("wavelength λ_i (tokens)");
  panel.y.scale = plot::Scale::log10;
  const bool alone = rotating_layers(inspections).size() == 1;
  for (const NamedInspection& inspection : inspections)
    for (const LayerRope& layer : inspection.model.layers) {
      if (!layer.rotates()) continue;
      if (alone)
        add_bands(layer, panel);
      else
        add_curve(layer_label(inspection, layer, inspections.size() > 1), layer, panel);
    }
  const ModelRope& model = inspections.front().model;
  std::string subtitle = model.name;
  if (alone && inspections.size() == 1) {
    const LayerRope& layer = *rotating_layers(inspections).front();
    if (model.context)
      panel.lines.push_back({plot::Direction::horizontal, static_cast<double>(*model.context),
                             plot::Text::plain(fmt::format("context {}", *model.context))});
    if (layer.original_context && layer.original_context != model.context)
      panel.lines.push_back(
          {plot::Direction::horizontal, static_cast<double>(*layer.original_context),
           plot::Text::plain(fmt::format("before extension {}", *layer.original_context))});
    subtitle += fmt::format(": {}, base {}, attention factor {:.6g}", layer.rope_type, layer.base,
                            layer.scaled.attention_factor);
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

}  // namespace rope
