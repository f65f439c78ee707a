#include "rope/pictures/score.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "rope/pictures/looks.hpp"
#include "rope/pictures/squares.hpp"
#include "rope/rotary/rotation.hpp"

namespace rope {
namespace {

constexpr std::size_t kSumLook = 2;  // not nearly the colour of the line at 0

std::string integer_text(std::int64_t value) {
  return plot::with_minus_signs(std::to_string(value));
}

std::string number_label(double value) {
  return plot::with_minus_signs(fmt::format("{:.3g}", value + 0.0));
}

/// A bar for each pair, one pair wide.
void add_bar(plot::Series& bars, double pair, double from, double to) {
  constexpr double kHalfWidth = 0.5;
  for (const double edge : {pair - kHalfWidth, pair + kHalfWidth}) {
    bars.x.push_back(edge);
    bars.y.push_back(std::min(from, to));
    bars.upper.push_back(std::max(from, to));
  }
}

/// The tops of bars, with a corner at each side of them.
void add_top(plot::Series& line, double pair, double height) {
  constexpr double kHalfWidth = 0.5;
  for (const double edge : {pair - kHalfWidth, pair + kHalfWidth}) {
    line.x.push_back(edge);
    line.y.push_back(height);
  }
}

plot::Panel terms_panel(const ScoreTerms& terms) {
  plot::Panel panel;
  panel.y.label = plot::Text::plain("adds");
  panel.x.whole = true;
  plot::Series most, bars, tops;
  most.kind = bars.kind = plot::SeriesKind::band;
  most.colour = plot::kGrey;
  most.label = plot::Text::plain("adds at most, at any distance");
  bars.colour = tops.colour = kSumLook;
  tops.label = plot::Text::plain("adds at this distance");
  for (const PairTerm& each : terms.pairs) {
    const auto pair = static_cast<double>(each.pair);
    add_bar(most, pair, -each.most, each.most);
    add_bar(bars, pair, 0, each.term);
    add_top(tops, pair, each.term);
  }
  panel.series = {std::move(most), std::move(bars), std::move(tops)};
  panel.lines.push_back({plot::Direction::horizontal, 0, {}});
  return panel;
}

plot::Panel sums_panel(const ScoreTerms& terms) {
  plot::Panel panel;
  panel.x.label = plot::Text::markup("pair i");
  panel.x.whole = true;
  panel.y.label = plot::Text::plain("sum of pairs 0 … i");
  plot::Series sums;
  sums.colour = kSumLook;
  // What passes through belongs to no pair: the sum begins with it, and ends with the score.
  for (const PairTerm& each : terms.pairs)
    add_top(sums, static_cast<double>(each.pair), terms.passing + each.sum);
  panel.series = {std::move(sums)};
  panel.lines.push_back({plot::Direction::horizontal, 0, {}});
  panel.lines.push_back({plot::Direction::horizontal, terms.score,
                         plot::Text::plain("score " + number_label(terms.score))});
  return panel;
}

/// The score of one formula, as a bar whose place among the bars is its number.
void add_side(plot::Panel& panel, const std::string& formula, double value, std::size_t look) {
  constexpr double kHalfWidth = 0.36;
  const std::size_t bars = panel.series.size() / 2;  // each with its edge
  const auto place = static_cast<double>(bars + 1);
  plot::Series bar, edge;
  bar.kind = plot::SeriesKind::band;
  bar.colour = edge.colour = look;
  edge.label =
      plot::Text::markup(fmt::format("{:.0f}: {} = {}", place, formula,
                                     plot::with_minus_signs(fmt::format("{:.7g}", value + 0.0))));
  bar.x = {place - kHalfWidth, place + kHalfWidth};
  bar.y.assign(2, std::min(value, 0.0));
  bar.upper.assign(2, std::max(value, 0.0));
  edge.x = bar.x;
  edge.y.assign(2, value);
  panel.series.push_back(std::move(bar));
  panel.series.push_back(std::move(edge));
}

/// R_m x of a vector of one pair, as an arrow from the origin.
plot::Arrow turned_arrow(const ScoreVectors& vectors, const std::vector<double>& x, std::int64_t m,
                         const std::string& label, std::size_t look) {
  std::vector<double> y(x.size());
  const RotationRow row = rotation_row(vectors.embedding, m, vectors.level);
  rotate_elementwise(vectors.embedding, row, x, y);
  plot::Arrow arrow;
  arrow.to_x = y[0];
  arrow.to_y = y[1];
  arrow.label = plot::Text::markup(label);
  arrow.colour = look;
  return arrow;
}

plot::Panel plane_panel(const std::string& title, std::vector<plot::Arrow> arrows) {
  constexpr double kRoomForLabels = 1.35;
  double longest = 0;
  for (const plot::Arrow& arrow : arrows)
    longest = std::max(longest, std::hypot(arrow.to_x, arrow.to_y));
  plot::Panel panel;
  panel.title = plot::Text::markup(title);
  panel.plane.emplace();
  panel.plane->reach = kRoomForLabels * (longest > 0 ? longest : 1);
  panel.plane->arrows = std::move(arrows);
  return panel;
}

/// The two sides of one pair as arrows: q and k both turned, and k alone turned by n − m, which
/// is the same angle between them, and by m − n, which is not.
std::vector<plot::Panel> side_planes(const ScoreVectors& vectors, const ScoreSides& sides) {
  const auto [m, n] = std::pair(sides.m, sides.n);
  const auto name = [](std::int64_t position, const char* of) {
    return fmt::format("R_{{{}}} {}", integer_text(position), of);
  };
  plot::Arrow wrong = turned_arrow(vectors, vectors.k, m - n, name(m - n, "k"), kWrongLook);
  wrong.dashed = true;
  return {plane_panel("⟨R_m q, R_n k⟩",
                      {turned_arrow(vectors, vectors.k, n, name(n, "k"), kKeyLook),
                       turned_arrow(vectors, vectors.q, m, name(m, "q"), kQueryLook)}),
          plane_panel("q^T R_{n−m} k, with the wrong sign dashed",
                      {std::move(wrong),
                       turned_arrow(vectors, vectors.k, n - m, name(n - m, "k"), kKeyLook),
                       turned_arrow(vectors, vectors.q, 0, "q", kQueryLook)})};
}

/// Ticks for positions that are not 0, 1, 2 …
std::vector<plot::Mark> position_marks(std::span<const std::int64_t> positions) {
  constexpr std::size_t kMostMarks = 8;
  bool counted = true;
  for (std::size_t i = 0; i < positions.size(); ++i)
    counted = counted && positions[i] == static_cast<std::int64_t>(i);
  if (counted) return {};
  const std::size_t step = (positions.size() + kMostMarks - 1) / kMostMarks;
  std::vector<plot::Mark> marks;
  for (std::size_t i = 0; i < positions.size(); i += step)
    marks.push_back({static_cast<double>(i), plot::Text::plain(integer_text(positions[i]))});
  return marks;
}

plot::Panel map_panel(const RowMatrix& scores, std::span<const std::int64_t> positions) {
  plot::Panel panel;
  plot::HeatMap map;
  map.rows = map.columns = positions.size();
  map.values.assign(scores.data(), scores.data() + scores.size());
  map.bar_label = plot::Text::plain("score/√d");
  map.row_marks = map.column_marks = position_marks(positions);
  panel.heat_map = std::move(map);
  return panel;
}

}  // namespace

plot::Figure score_terms_figure(const ScoreTerms& terms, const std::string& subtitle) {
  plot::Figure figure;
  figure.title = plot::Text::plain(
      fmt::format("What each pair adds to the score at n − m = {}", integer_text(terms.distance)));
  figure.subtitle = plot::Text::plain(
      subtitle + (terms.passing != 0
                      ? fmt::format("; the sum begins with {}, from dimensions that pass through",
                                    number_label(terms.passing))
                      : std::string()));
  figure.panels = {terms_panel(terms), sums_panel(terms)};
  return figure;
}

plot::Figure score_sides_figure(const ScoreVectors& vectors, const ScoreSides& sides,
                                const std::string& subtitle) {
  constexpr std::size_t kLeftLook = 1, kRightLook = 2, kShiftedLook = 5;
  constexpr int kHeightOfSquares = 760;  // three planes beside one another leave no white above
  plot::Panel panel;
  add_side(panel, "⟨R_m q, R_n k⟩", sides.left, kLeftLook);
  add_side(panel, "q^T R_{n−m} k", sides.right, kRightLook);
  add_side(panel, "⟨R_{m+1} q, R_{n+1} k⟩", sides.shifted, kShiftedLook);
  add_side(panel, "q^T R_{m−n} k, the wrong sign", sides.wrong_sign, kWrongLook);
  panel.x.whole = true;
  panel.x.min = 0.5;
  panel.x.max = 4.5;
  panel.y.label = plot::Text::plain("score");
  panel.lines.push_back({plot::Direction::horizontal, 0, {}});
  plot::Figure figure;
  figure.title = plot::Text::markup(
      fmt::format("Both sides of ⟨R_m q, R_n k⟩ = q^T R_{{n−m}} k at m = {}, n = {}",
                  integer_text(sides.m), integer_text(sides.n)));
  figure.subtitle = plot::Text::plain(subtitle);
  if (vectors.embedding.head_dim == 2) {
    figure.panels = side_planes(vectors, sides);
    figure.height = kHeightOfSquares;
  }
  figure.panels.push_back(std::move(panel));
  figure.columns = figure.panels.size();
  figure.legend_of = figure.panels.size() - 1;
  return figure;
}

plot::Figure score_curves_figure(std::span<const NamedScoreCurve> curves,
                                 const std::vector<std::int64_t>& distances,
                                 const std::string& subtitle) {
  std::vector<std::size_t> order(distances.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return distances[i]; });
  plot::Panel panel;
  panel.x.label = plot::Text::plain("distance n − m (tokens)");
  panel.x.whole = true;
  panel.y.label = plot::Text::plain("score/(|q||k|)");
  for (const NamedScoreCurve& named : curves) {
    plot::Series series;
    if (curves.size() > 1)
      series.label = named.drawn.empty() ? plot::Text::plain(named.label) : named.drawn;
    // The first colour is nearly that of the lines at 0 and at the largest score.
    if (curves.size() < plot::kCurveColours) series.colour = panel.series.size() + 1;
    for (const std::size_t i : order) {
      series.x.push_back(static_cast<double>(distances[i]));
      series.y.push_back(named.curve.scores[i] / named.curve.norms);
    }
    panel.series.push_back(std::move(series));
  }
  panel.lines.push_back({plot::Direction::horizontal, 0, {}});
  if (curves.size() == 1) {
    const std::int64_t at = distances[curves.front().curve.largest.front()];
    panel.lines.push_back({plot::Direction::vertical, static_cast<double>(at),
                           plot::Text::plain("largest shown: at " + integer_text(at))});
  }
  plot::Figure figure;
  figure.title = plot::Text::plain("The score of one q and one k by distance");
  figure.subtitle = plot::Text::plain(subtitle);
  figure.panels.push_back(std::move(panel));
  return figure;
}

plot::Figure score_grid_figure(std::span<const GridEncoding> grid,
                               std::span<const std::int64_t> positions,
                               const std::string& subtitle) {
  plot::Figure figure;
  figure.title = plot::Text::plain("The score of one q and one k at positions m and n");
  figure.subtitle = plot::Text::plain(subtitle);
  for (const GridEncoding& encoding : grid) {
    plot::Panel whole = map_panel(encoding.whole.scores, positions);
    whole.title = plot::Text::plain(encoding.whole.name);
    figure.panels.push_back(std::move(whole));
    for (const ScoreMap& term : encoding.terms) {
      plot::Panel part = map_panel(term.scores, positions);
      // Both are words of this program: p_n is set as mathematics.
      part.title = plot::Text::markup(std::string(encoding.spec.entry->title) + ": " + term.name);
      figure.panels.push_back(std::move(part));
    }
  }
  figure.columns = columns_of_squares(figure.panels.size());
  // The outer panels name the axes of all.
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    if (i + figure.columns >= figure.panels.size())
      figure.panels[i].x.label = plot::Text::plain("key n");
    if (i % figure.columns == 0) figure.panels[i].y.label = plot::Text::plain("query m");
  }
  return figure;
}

}  // namespace rope
