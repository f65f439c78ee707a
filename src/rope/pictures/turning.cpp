#include "rope/pictures/turning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "rope/pictures/looks.hpp"

namespace rope {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;
constexpr std::size_t kMostAcross = 10;  // small multiples of one pair
// How far a plane reaches beyond its longest arrow; with room for labels.
constexpr double kSeemsTheSame = 0.05;  // apart, of the longest arrow: one would hide the other
constexpr std::size_t kFewPanels = 4;   // beside each other, with room for words above them
constexpr double kMargin = 1.1, kMarginOfLabels = 1.3;

std::string signed_text(std::int64_t number) {
  return plot::with_minus_signs(std::to_string(number));
}

std::string short_number(double value) {
  return plot::with_minus_signs(fmt::format("{:.3g}", value));
}

double length(const PlanePoint& p) { return std::hypot(p.x, p.y); }

double distance(const PlanePoint& a, const PlanePoint& b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

bool differ(const PlanePoint& a, const PlanePoint& b) { return a.x != b.x || a.y != b.y; }

/// Draws what stands in the planes of one study.
class PlaneDrawer {
 public:
  explicit PlaneDrawer(const TurningStudy& study) : study_(study), reaches_(study.pairs.size(), 0) {
    for (std::size_t i = 0; i < study.turned.size(); ++i) {
      const TurnedPair& at = study.turned[i];
      double& reach = reaches_[i % study.pairs.size()];
      for (const PlanePoint& p : {at.query, at.key, at.wrong_query, at.wrong_key})
        if (std::isfinite(length(p))) reach = std::max(reach, length(p));
    }
    for (double& reach : reaches_)
      if (!(reach > 0)) reach = 1;
  }

  /// `labels`: whether the arrows carry their names.
  plot::Panel draw(std::size_t position, std::size_t pair, bool labels) const {
    const TurnedPair& now = study_.at(position, pair);
    plot::Plane plane;
    plane.reach = (labels ? kMarginOfLabels : kMargin) * reaches_[pair];
    add_circle(length(now.query), plane);
    constexpr double kSeemsAnother = 1e-3;  // of the circles' size
    if (std::fabs(length(now.key) - length(now.query)) > kSeemsAnother * reaches_[pair])
      add_circle(length(now.key), plane);
    if (study_.key.empty())
      add_way(now, plane);
    else
      add_angle(now, plane);
    if (!study_.key.empty()) {
      add_arrow(now.key, labels ? "k" : "", kKeyLook, false, plane);
      if (!plane.arrows.empty())
        plane.arrows.back().wide = distance(now.key, now.query) < kSeemsTheSame * reaches_[pair];
    }
    add_arrow(now.query, labels ? "q" : "", kQueryLook, false, plane);
    if (differ(now.wrong_key, now.key))
      add_arrow(now.wrong_key, labels ? "k'" : "", kWrongLook, true, plane);
    if (differ(now.wrong_query, now.query))
      add_arrow(now.wrong_query, labels ? "q'" : "", kWrongLook, true, plane);
    plot::Panel panel;
    panel.plane = std::move(plane);
    return panel;
  }

 private:
  static void add_circle(double radius, plot::Plane& plane) {
    if (!(radius > 0) || !std::isfinite(radius)) return;
    plot::Arc circle;
    circle.radius = radius;
    circle.to = kTurn;
    plane.arcs.push_back(circle);
  }

  static void add_arrow(const PlanePoint& to, const char* label, std::size_t look, bool dashed,
                        plot::Plane& plane) {
    if (!std::isfinite(length(to))) return;
    plot::Arrow arrow;
    arrow.to_x = to.x;
    arrow.to_y = to.y;
    arrow.label = plot::Text::plain(label);
    arrow.colour = look;
    arrow.dashed = dashed;
    plane.arrows.push_back(std::move(arrow));
  }

  /// The way of q since position 0, or the last whole turn of it.
  static void add_way(const TurnedPair& now, plot::Plane& plane) {
    const double way = std::clamp(kTurn * now.turns, -kTurn, kTurn);
    if (!(std::fabs(way) > 0) || !(length(now.query) > 0)) return;
    plot::Arc arc;
    arc.radius = 0.45 * length(now.query);
    arc.to = std::atan2(now.query.y, now.query.x);
    arc.from = arc.to - way;
    arc.colour = kQueryLook;
    arc.head = true;
    plane.arcs.push_back(arc);
  }

  /// The angle from q to k.
  static void add_angle(const TurnedPair& now, plot::Plane& plane) {
    const double shorter = std::min(length(now.query), length(now.key));
    if (!(shorter > 0) || !std::isfinite(shorter)) return;
    plot::Arc arc;
    arc.radius = 0.35 * shorter;
    arc.from = std::atan2(now.query.y, now.query.x);
    arc.to = arc.from + std::remainder(std::atan2(now.key.y, now.key.x) - arc.from, kTurn);
    plane.arcs.push_back(arc);
  }

  const TurningStudy& study_;
  std::vector<double> reaches_;  // of each pair
};

/// "m = 5", or "m = 5, n = 2" where there is a key.
std::string places_text(const TurningStudy& study, std::size_t position) {
  const std::int64_t m = study.positions[position];
  const std::string text = "m = " + signed_text(m);
  return study.key.empty() ? text : text + ", n = " + signed_text(m + study.distance);
}

/// "pair 0", "pairs 0, 20 and 63", "64 pairs".
std::string pairs_text(const TurningStudy& study) {
  const std::vector<std::size_t>& pairs = study.pairs;
  constexpr std::size_t kMostNamed = 6;
  if (pairs.size() == 1) return fmt::format("pair {}", pairs.front());
  if (pairs.size() > kMostNamed) return fmt::format("{} pairs", pairs.size());
  std::string text = "pairs";
  for (std::size_t i = 0; i < pairs.size(); ++i)
    text += fmt::format("{} {}", i == 0 ? "" : i + 1 == pairs.size() ? " and" : ",", pairs[i]);
  return text;
}

/// What stands in the picture, above all planes.
std::vector<plot::Series> legend_of(const TurningStudy& study) {
  const auto entry = [](const std::string& label, std::size_t look, bool dashed) {
    plot::Series series;
    series.label = plot::Text::markup(label);
    series.colour = look;
    series.dashed = dashed;
    return series;
  };
  std::vector<plot::Series> legend = {entry("R_m q", kQueryLook, false)};
  if (!study.key.empty()) legend.push_back(entry("R_n k", kKeyLook, false));
  if (study.mistake)
    legend.push_back(entry(std::string(study.mistake->sentence), kWrongLook, true));
  return legend;
}

/// How large the mistake is, which may be too small to be seen; empty without one.
std::string mistake_text(const TurningStudy& study) {
  const std::optional<std::size_t> worst = study.pair_of_largest_error();
  if (!study.mistake || !worst) return "";
  const AngleKept& kept = study.all_kept[*worst];
  if (!kept.shows_mistake()) return "; with the mistake, no angle is off";
  return fmt::format(
      "; with the mistake, the angle is off by up to {} rad (worst case: pair {}, m = {})",
      short_number(kept.off_by), *worst, signed_text(kept.off_at));
}

plot::Figure figure_of(const TurningStudy& study, const RotaryVariant& variant,
                       const std::string& title) {
  plot::Figure figure;
  figure.title = plot::Text::markup(title);
  figure.subtitle = plot::Text::plain(describe(variant) + mistake_text(study));
  return figure;
}

/// Three digits at least, and none behind the point from a thousand tokens on.
std::string wavelength_text(double tokens) {
  if (!std::isfinite(tokens)) return "∞";
  return tokens < 1000 || tokens >= 1e6 ? fmt::format("{:.3g}", tokens)
                                        : fmt::format("{:.0f}", tokens);
}

/// Where a pair is among those that are shown, and at which position, whatever the place.
std::string place_text(const TurningStudy& study, std::size_t position, std::size_t pair) {
  const std::string place = places_text(study, position);
  return study.pairs.size() == 1 ? place : fmt::format("pair {}, {}", study.pairs[pair], place);
}

/// As high as so many rows of circles need that fill the width. The legend stands above them where
/// there is more than q.
void arrange(const TurningStudy& study, std::size_t rows, double beside, plot::Figure& figure) {
  constexpr double kHeader = 150;
  const double cell = figure.width / static_cast<double>(figure.columns) + beside;
  figure.height = static_cast<int>(
      std::clamp(kHeader + static_cast<double>(rows) * cell, 500.0, 1.0 * figure.width));
  if (study.key.empty() && !study.mistake) return;
  figure.panels.front().series = legend_of(study);
  figure.legend_of = 0;
}

std::string title_of(const TurningStudy& study) {
  const std::string pairs = pairs_text(study);
  if (study.key.empty()) return "R_m q in the planes of " + pairs;
  return fmt::format("R_m q and R_n k in the planes of {}, n − m = {}", pairs,
                     signed_text(study.distance));
}

}  // namespace

plot::Figure turning_figure(const TurningStudy& study, const RotaryVariant& variant) {
  const std::size_t positions = study.positions.size(), pairs = study.pairs.size();
  if (positions == 1) return turning_frame(study, variant, 0, false);
  const PlaneDrawer drawer(study);
  plot::Figure figure = figure_of(study, variant, title_of(study));
  // A pair a row; the positions of one pair alone fill several rows.
  const std::size_t rows = pairs > 1 ? pairs : (positions + kMostAcross - 1) / kMostAcross;
  figure.columns = pairs > 1 ? positions : (positions + rows - 1) / rows;
  for (std::size_t pair = 0; pair < pairs; ++pair)
    for (std::size_t i = 0; i < positions; ++i) {
      plot::Panel panel = drawer.draw(i, pair, positions * pairs == 1);
      if (pair == 0) panel.title = plot::Text::plain(places_text(study, i));
      if (pairs > 1 && i == 0)
        panel.y.label = plot::Text::plain(fmt::format("pair {}", study.pairs[pair]));
      figure.panels.push_back(std::move(panel));
    }
  arrange(study, rows, 10, figure);
  return figure;
}

plot::Figure turning_lines(const TurningStudy& study, const RotaryVariant& variant) {
  const PlaneDrawer drawer(study);
  plot::Figure figure = figure_of(study, variant, title_of(study));
  constexpr std::size_t kMostBeside = 3;
  figure.columns =
      std::min(study.pairs.size() > 1 ? study.pairs.size() : study.positions.size(), kMostBeside);
  for (std::size_t i = 0; i < study.positions.size(); ++i)
    for (std::size_t pair = 0; pair < study.pairs.size(); ++pair) {
      figure.panels.push_back(drawer.draw(i, pair, !study.key.empty()));
      figure.panels.back().title = plot::Text::plain(place_text(study, i, pair));
    }
  return figure;
}

plot::Figure turning_frame(const TurningStudy& study, const RotaryVariant& variant,
                           std::size_t position, bool clocks) {
  const PlaneDrawer drawer(study);
  const std::size_t pairs = study.pairs.size();
  const bool few = pairs <= kFewPanels;
  plot::Figure figure =
      figure_of(study, variant, title_of(study) + ", " + places_text(study, position));
  if (!few) figure.subtitle = plot::Text::plain(figure.subtitle.bytes() + "; pair: turns so far");
  figure.columns = few ? pairs : std::min<std::size_t>(pairs, 8);
  figure.any_columns = !few;
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    plot::Panel panel = drawer.draw(position, pair, !clocks && few);
    const std::size_t k = study.pairs[pair];
    const std::string turns = short_number(study.at(position, pair).turns);
    panel.title = plot::Text::plain(few ? fmt::format("pair {}: {} turns", k, turns)
                                        : fmt::format("{}: {}", k, turns));
    panel.x.label =
        plot::Text::markup("λ = " + wavelength_text(study.embedding.frequencies.wavelength[k]));
    figure.panels.push_back(std::move(panel));
  }
  arrange(study, (pairs + figure.columns - 1) / figure.columns, few ? 60 : 20, figure);
  return figure;
}

plot::Animation turning_animation(const TurningStudy& study, const RotaryVariant& variant,
                                  bool clocks) {
  plot::Animation animation;
  constexpr int kWidth = 1080;  // a frame takes as long as it has pixels, and as many bytes
  for (std::size_t i = 0; i < study.positions.size(); ++i) {
    plot::Figure frame = turning_frame(study, variant, i, clocks);
    frame.height = std::max(frame.height * kWidth / frame.width, plot::kMinHeight);
    frame.width = kWidth;
    animation.frames.push_back(std::move(frame));
  }
  return animation;
}

}  // namespace rope
