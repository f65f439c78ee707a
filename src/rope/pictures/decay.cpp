#include "rope/pictures/decay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace rope {
namespace {

constexpr std::size_t kGrey = 6;  // the palette's last colour; those before it are for curves

plot::Axis distance_axis(const DecayStudy& study) {
  plot::Axis axis;
  axis.label = plot::Text::plain("distance Δ (tokens)");
  axis.scale = study.log_axis ? plot::Scale::log10 : plot::Scale::linear;
  axis.whole = true;
  return axis;
}

plot::Series series(const std::vector<double>& x, const std::vector<double>& y,
                    const std::string& label) {
  plot::Series series;
  series.x = x;
  series.y = y;
  series.label = plot::Text::plain(label);
  return series;
}

/// One standard deviation about the mean score of the random pairs, of the first curve: they differ
/// by chance alone.
plot::Series random_band(const DecayStudy& study, const std::vector<double>& x) {
  const VariantDecay& first = study.curves.front();
  plot::Series band;
  band.kind = plot::SeriesKind::band;
  band.label = plot::Text::plain(study.curves.size() == 1 ? "random q, k ± σ"
                                                          : "random ± σ, " + first.variant.label);
  band.x = x;
  for (std::size_t i = 0; i < x.size(); ++i) {
    band.y.push_back(first.random.mean[i] - first.random.deviation[i]);
    band.upper.push_back(first.random.mean[i] + first.random.deviation[i]);
  }
  band.colour = kGrey;
  return band;
}

plot::Panel bound_panel(const DecayStudy& study, const std::vector<double>& x) {
  plot::Panel panel;
  panel.x = distance_axis(study);
  panel.y.label = plot::Text::plain("upper bound factor f(Δ)");
  panel.y.min = 0;  // from another value on, the curve would seem to fall by more than it does
  const bool one = study.curves.size() == 1;
  for (const VariantDecay& result : study.curves)
    panel.series.push_back(series(x, result.curve.bound, one ? "" : result.variant.label));
  return panel;
}

/// The law of a curve: of several, it has the curve's colour; of one, a colour of its own, since
/// the law runs close to what it describes.
plot::Series law_series(const std::vector<double>& x, const VariantDecay& result,
                        std::optional<std::size_t> like) {
  plot::Series law = series(x, result.law, like ? "" : "log law");
  law.dashed = true;
  law.like = like;
  return law;
}

/// A line of the legend for the laws of all curves, in none of their colours.
plot::Series law_legend() {
  plot::Series law = series({}, {}, "log law of each");
  law.dashed = true;
  law.colour = kGrey;
  return law;
}

plot::Panel cosine_panel(const DecayStudy& study, const std::vector<double>& x) {
  plot::Panel panel;
  panel.x = distance_axis(study);
  panel.y.label =
      plot::Text::plain(study.random_pairs > 0 ? "mean cosine; score/√r" : "mean cosine");
  if (study.random_pairs > 0) panel.series.push_back(random_band(study, x));
  const std::size_t first = panel.series.size();
  const bool one = study.curves.size() == 1;
  for (const VariantDecay& result : study.curves)
    panel.series.push_back(series(x, result.curve.mean_cosine, one ? "mean cosine" : ""));
  bool laws = false;
  for (std::size_t i = 0; i < study.curves.size(); ++i) {
    if (study.curves[i].law.empty()) continue;
    laws = true;
    panel.series.push_back(
        law_series(x, study.curves[i], one ? std::nullopt : std::optional<std::size_t>(first + i)));
  }
  if (laws && !one) panel.series.push_back(law_legend());
  panel.lines.push_back({plot::Direction::horizontal, 0, {}});
  return panel;
}

/// What a logarithmic axis cannot show.
std::string left_out_of_picture(const DecayStudy& study) {
  if (!study.log_axis) return {};
  const auto count = std::ranges::count_if(study.distances, [](auto d) { return d <= 0; });
  if (count == 0) return {};
  const bool zero = std::ranges::none_of(study.distances, [](auto d) { return d < 0; });
  return fmt::format("; without {}, which {} no logarithm", zero ? "Δ = 0" : "Δ ≤ 0",
                     zero ? "has" : "have");
}

}  // namespace

plot::Figure decay_figure(const DecayStudy& study) {
  const std::vector<double> x(study.distances.begin(), study.distances.end());
  plot::Figure figure;
  figure.title = plot::Text::plain("Decay with distance");
  std::vector<RotaryVariant> variants;
  for (const VariantDecay& result : study.curves) variants.push_back(result.variant);
  figure.subtitle = plot::Text::plain(describe(variants) + left_out_of_picture(study));
  figure.panels = {bound_panel(study, x), cosine_panel(study, x)};
  return figure;
}

}  // namespace rope
