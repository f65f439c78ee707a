#include "rope/pictures/decay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace rope {
namespace {

std::string distance_text(std::int64_t distance) {
  std::string text = std::to_string(distance);
  return distance < 0 ? "−" + text.substr(1) : text;
}

/// Some five distances to name along a side.
std::vector<plot::Mark> marks(const DecayMap& map) {
  const std::size_t count = map.distances.size();
  const std::size_t step = std::max<std::size_t>((count - 1) / 4, 1);
  std::vector<plot::Mark> marks;
  for (std::size_t i = 0; i < count; i += step)
    marks.push_back({static_cast<double>(i), plot::Text::plain(distance_text(map.distances[i]))});
  return marks;
}

using Values = std::vector<double>;

constexpr std::size_t kBins = 400;     // across the axis: finer than that nothing is told apart
constexpr std::size_t kCrowded = 8;    // values in a bin from which on only their range is seen
constexpr double kRandomHeight = 0.6;  // of the panel of random pairs, beside the others

plot::Axis distance_axis(const DecayStudy& study, bool labelled) {
  plot::Axis axis;
  if (labelled) axis.label = plot::Text::plain("distance Δ (tokens)");
  axis.scale = study.log_axis ? plot::Scale::log10 : plot::Scale::linear;
  axis.whole = study.parts == 1;
  return axis;
}

/// The distances that share each part of the axis: [first, end) of the list.
using Bins = std::vector<std::pair<std::size_t, std::size_t>>;

/// Bins of a list so long that a curve of all its values would be a solid block; else none.
Bins bins_of(const DecayStudy& study, const Values& x) {
  if (x.size() < kBins * kCrowded || !std::ranges::is_sorted(x)) return {};
  const auto place = [&](double distance) {
    return study.log_axis ? std::log(distance) : distance;
  };
  const auto start =
      static_cast<std::size_t>(study.log_axis ? std::ranges::upper_bound(x, 0.0) - x.begin() : 0);
  const double low = place(x[start]);
  const double width = (place(x.back()) - low) / static_cast<double>(kBins);
  const auto bin = [&](std::size_t i) {
    return std::min(std::floor((place(x[i]) - low) / width), static_cast<double>(kBins - 1));
  };
  Bins bins;
  for (std::size_t first = start; first < x.size();) {
    std::size_t end = first + 1;
    while (end < x.size() && bin(end) == bin(first)) ++end;
    bins.emplace_back(first, end);
    first = end;
  }
  return bins;
}

/// A curve as it is; or, where its values crowd, their mean over each bin and the range they fill.
struct Drawn {
  plot::Series line;
  std::optional<plot::Series> range;
};

Drawn drawn(const Values& x, const Values& y, const Bins& bins, const std::string& label) {
  Drawn result;
  plot::Series& line = result.line;
  line.label = plot::Text::plain(label);
  if (bins.empty()) {
    line.x = x;
    line.y = y;
    return result;
  }
  plot::Series range;
  range.kind = plot::SeriesKind::band;
  const auto add_to_range = [&](double at, double low, double high) {
    range.x.push_back(at);
    range.y.push_back(low);
    range.upper.push_back(high);
  };
  const auto add_to_line = [&](double at, double mean) {
    line.x.push_back(at);
    line.y.push_back(mean);
  };
  for (const auto& [first, end] : bins) {
    if (end - first < kCrowded) {
      for (std::size_t i = first; i < end; ++i) {
        add_to_range(x[i], y[i], y[i]);
        add_to_line(x[i], y[i]);
      }
      continue;
    }
    double low = y[first];
    double high = y[first];
    double sum = 0;
    for (std::size_t i = first; i < end; ++i) {
      low = std::min(low, y[i]);
      high = std::max(high, y[i]);
      sum += y[i];
    }
    add_to_range(x[first], low, high);
    add_to_range(x[end - 1], low, high);
    add_to_line(x[(first + end) / 2], sum / static_cast<double>(end - first));
  }
  result.range = std::move(range);
  return result;
}

/// Adds a curve to a panel. Returns which series it is.
std::size_t add_curve(Drawn curve, std::size_t look, bool dashed, plot::Panel* panel) {
  if (curve.range) {
    curve.range->colour = look;
    panel->series.push_back(std::move(*curve.range));
  }
  curve.line.colour = look;
  curve.line.dashed = dashed;
  panel->series.push_back(std::move(curve.line));
  return panel->series.size() - 1;
}

/// f(0), which depends on the number of pairs alone.
double bound_at_zero(const VariantDecay& result) {
  return (static_cast<double>(result.variant.embedding.pairs()) + 1) / 2;
}

bool relative(const DecayStudy& study) {
  if (study.relative) return *study.relative;
  return std::ranges::any_of(study.curves, [&](const VariantDecay& result) {
    return bound_at_zero(result) != bound_at_zero(study.curves.front());
  });
}

/// The curves that an earlier one hides: dashed, both are seen.
std::vector<bool> hidden_curves(const DecayStudy& study) {
  constexpr double kSeenApart = 0.02;
  std::vector<bool> hidden(study.curves.size(), false);
  for (std::size_t i = 1; i < hidden.size(); ++i) {
    for (std::size_t j = 0; j < i && !hidden[i]; ++j) {
      const Values& a = study.curves[j].curve.mean_cosine;
      const Values& b = study.curves[i].curve.mean_cosine;
      double apart = 0;
      for (std::size_t n = 0; n < a.size(); ++n) apart = std::max(apart, std::fabs(a[n] - b[n]));
      hidden[i] = !hidden[j] && apart < kSeenApart;
    }
  }
  return hidden;
}

/// A line of the legend for the laws of all curves, in none of their colours.
plot::Series law_legend() {
  plot::Series law;
  law.label = plot::Text::plain("log law of each");
  law.dotted = true;
  law.colour = plot::kGrey;
  return law;
}

plot::Panel bound_panel(const DecayStudy& study, const Values& x, const Bins& bins) {
  plot::Panel panel;
  panel.x = distance_axis(study, false);
  panel.y.min = 0;  // from another value on, the curve would seem to fall by more than it does
  const bool divided = relative(study);
  panel.y.label = plot::Text::plain(divided ? "bound f(Δ)/f(0)" : "bound f(Δ)");
  const bool one = study.curves.size() == 1;
  const std::vector<bool> hidden = hidden_curves(study);
  for (std::size_t i = 0; i < study.curves.size(); ++i) {
    const VariantDecay& result = study.curves[i];
    Values bound = result.curve.bound;
    if (divided)
      for (double& value : bound) value /= bound_at_zero(result);
    add_curve(drawn(x, bound, bins, one ? "" : result.variant.label), i, hidden[i], &panel);
  }
  const auto has_law = [](const VariantDecay& result) { return !result.law.empty(); };
  if (!one && std::ranges::any_of(study.curves, has_law)) panel.series.push_back(law_legend());
  return panel;
}

plot::Panel cosine_panel(const DecayStudy& study, const Values& x, const Bins& bins) {
  plot::Panel panel;
  panel.x = distance_axis(study, study.random_pairs == 0);
  panel.y.label = plot::Text::plain("mean cosine");
  const bool one = study.curves.size() == 1;
  const std::vector<bool> hidden = hidden_curves(study);
  std::vector<std::size_t> curves;
  for (std::size_t i = 0; i < study.curves.size(); ++i) {
    const Values& cosine = study.curves[i].curve.mean_cosine;
    curves.push_back(
        add_curve(drawn(x, cosine, bins, one ? "mean cosine" : ""), i, hidden[i], &panel));
  }
  for (std::size_t i = 0; i < curves.size(); ++i) {
    if (study.curves[i].law.empty()) continue;
    // Of several, a law has the curve's colour; of one, its own: it runs close to the curve.
    plot::Series law;
    law.x = x;
    law.y = study.curves[i].law;
    law.dotted = true;
    if (one) {
      law.label = plot::Text::plain("log law");
      law.colour = 1;
    } else {
      law.like = curves[i];
    }
    panel.series.push_back(std::move(law));
  }
  panel.lines.push_back({plot::Direction::horizontal, 0, {}});
  return panel;
}

/// The scores of the random pairs of the first curve, which differ from those of others by chance
/// alone.
plot::Panel random_panel(const DecayStudy& study, const Values& x) {
  const VariantDecay& first = study.curves.front();
  plot::Panel panel;
  panel.height = kRandomHeight;
  panel.title = plot::Text::plain(
      fmt::format("scores of random q and k do not decay: mean ± standard deviation of {} samples",
                  study.random_pairs) +
      (study.curves.size() == 1 ? std::string() : ", " + first.variant.label));
  panel.x = distance_axis(study, true);
  panel.y.label = plot::Text::plain("score/√r");
  plot::Series band;
  band.kind = plot::SeriesKind::band;
  band.x = x;
  for (std::size_t i = 0; i < x.size(); ++i) {
    band.y.push_back(first.random.mean[i] - first.random.deviation[i]);
    band.upper.push_back(first.random.mean[i] + first.random.deviation[i]);
  }
  band.colour = plot::kGrey;
  plot::Series mean;
  mean.x = x;
  mean.y = first.random.mean;
  mean.colour = plot::kGrey;
  panel.series = {std::move(band), std::move(mean)};
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

std::vector<double> DecayStudy::tokens() const {
  std::vector<double> all;
  all.reserve(distances.size());
  for (const std::int64_t distance : distances)
    all.push_back(static_cast<double>(distance) / static_cast<double>(parts));
  return all;
}

plot::Figure decay_figure(const DecayStudy& study) {
  const Values x = study.tokens();
  const Bins bins = bins_of(study, x);
  plot::Figure figure;
  figure.title = plot::Text::plain("Decay with distance");
  std::vector<RotaryVariant> variants;
  for (const VariantDecay& result : study.curves) variants.push_back(result.variant);
  std::string subtitle = describe(variants) + left_out_of_picture(study);
  if (!bins.empty())
    subtitle += fmt::format("; lines: means over 1/{} of the axis, shaded: all values", kBins);
  figure.subtitle = plot::Text::plain(subtitle);
  figure.panels = {bound_panel(study, x, bins), cosine_panel(study, x, bins)};
  if (study.random_pairs > 0) figure.panels.push_back(random_panel(study, x));
  if (study.curves.size() > 1) figure.legend_of = 0;
  return figure;
}

plot::Figure decay_map_figure(const DecayMap& map, const RotaryEmbedding& embedding,
                              const std::string& setting) {
  plot::HeatMap heat;
  heat.rows = heat.columns = map.distances.size();
  heat.values = map.mean_cosine;
  heat.max = 1;
  if (std::ranges::min(map.mean_cosine) < 0)
    heat.min = -1;
  else  // shades of one colour of two would hide all that there is to see
    heat.colours = plot::ColourMap::sequential;
  heat.bar_label = plot::Text::plain("mean cosine");
  heat.row_marks = heat.column_marks = marks(map);
  plot::Panel panel;
  panel.y.label = plot::Text::plain("distance in " + embedding.axes.names[map.row_axis]);
  panel.x.label = plot::Text::plain("distance in " + embedding.axes.names[map.column_axis]);
  panel.heat_map = std::move(heat);
  plot::Figure figure;
  figure.title = plot::Text::plain("How alike two tokens stay, by their distance on two axes");
  figure.subtitle = plot::Text::plain(setting);
  figure.width = 1200;
  figure.panels.push_back(std::move(panel));
  return figure;
}

}  // namespace rope
