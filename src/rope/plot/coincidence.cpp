#include "rope/plot/coincidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "rope/plot/axis.hpp"
#include "rope/plot/curve.hpp"

namespace rope::plot {
namespace {

/// Two curves that lie less than this apart, as a part of all that the panel shows, seem one.
constexpr double kTellApart = 0.01;

double height_of(double y, Scale scale) { return scale == Scale::linear ? y : std::log10(y); }

/// How far apart two curves of a panel must lie somewhere to be seen as two.
double tell_apart(const Panel& panel) {
  Extent seen;
  for (const Series& series : panel.series)
    for (const double y : series.y)
      if (drawable(y, panel.y.scale)) seen.add(height_of(y, panel.y.scale));
  return seen.empty() ? 0 : kTellApart * (seen.high - seen.low);
}

/// Whether one curve hides the other everywhere.
bool coincide(const Series& a, const Series& b, Scale scale, double apart) {
  if (a.x != b.x || a.x.empty() || a.kind == SeriesKind::band || b.kind == SeriesKind::band)
    return false;
  for (std::size_t i = 0; i < a.y.size(); ++i) {
    const bool drawn = drawable(a.y[i], scale);
    if (drawn != drawable(b.y[i], scale)) return false;
    if (drawn && std::fabs(height_of(a.y[i], scale) - height_of(b.y[i], scale)) > apart)
      return false;
  }
  return true;
}

/// Whether it is a curve of its own, and not a law or a mean that belongs to one.
bool stands_alone(const Series& series) {
  return !series.like && !series.dotted && series.colour != kGrey;
}

/// Whether a label says by itself what its curve equals: "dynamic (= ntk)".
bool says_so(const Text& label, const Text& other) {
  return label.readable().find("= " + other.readable()) != std::string::npos;
}

/// The remark with both texts in it. Markup stays markup where both are.
Text filled(const Text& remark, const Text& first, const Text& second) {
  const auto fill = [&](const std::string& one, const std::string& other) {
    return fmt::format(fmt::runtime(remark.bytes()), one, other);
  };
  if (first.is_markup() && second.is_markup())
    return Text::markup(fill(first.bytes(), second.bytes()));
  return Text::plain(fill(first.readable(), second.readable()));
}

/// One curve that lies on another in a panel, both with a line in the legend.
struct Pair {
  std::size_t panel, over, under;
};

std::vector<Pair> labelled_pairs(const Figure& figure) {
  std::vector<Pair> pairs;
  for (std::size_t p = 0; p < figure.panels.size(); ++p) {
    const Panel& panel = figure.panels[p];
    if (panel.blank) continue;
    const std::vector<std::optional<std::size_t>> under = lies_on(panel);
    for (std::size_t i = 0; i < under.size(); ++i)
      if (under[i]) pairs.push_back({p, i, *under[i]});
  }
  return pairs;
}

/// Whether a panel shows the curves that the shared legend names, one by one.
bool shows_the_named(const Figure& figure, std::size_t panel) {
  return !figure.panels[panel].blank &&
         figure.panels[panel].series.size() == figure.panels[*figure.legend_of].series.size();
}

/// Whether the two curves of the shared legend lie on each other wherever they are seen.
bool in_all_panels(const Figure& figure, const std::vector<Pair>& pairs, const Pair& pair) {
  for (std::size_t p = 0; p < figure.panels.size(); ++p)
    if (shows_the_named(figure, p) && std::ranges::none_of(pairs, [&](const Pair& other) {
          return other.panel == p && other.over == pair.over && other.under == pair.under;
        }))
      return false;
  return true;
}

}  // namespace

std::vector<std::optional<std::size_t>> lies_on(const Panel& panel) {
  std::vector<std::optional<std::size_t>> under(panel.series.size());
  const double apart = tell_apart(panel);
  for (std::size_t i = 0; i < under.size(); ++i)
    for (std::size_t j = 0; j < i && !under[i] && stands_alone(panel.series[i]); ++j)
      if (coincide(panel.series[j], panel.series[i], panel.y.scale, apart)) under[i] = j;
  return under;
}

Figure with_coincidences(Figure figure) {
  const std::vector<Pair> pairs = labelled_pairs(figure);
  const Figure before = figure;
  for (const Pair& pair : pairs) {
    if (figure.legend_of && !shows_the_named(before, pair.panel)) continue;
    const std::size_t legend = figure.legend_of.value_or(pair.panel);
    const std::vector<Series>& named = before.panels[legend].series;
    if (named.size() <= pair.over || named[pair.over].label.empty() ||
        named[pair.under].label.empty())
      continue;
    if (says_so(named[pair.over].label, named[pair.under].label)) continue;
    if (!figure.legend_of || in_all_panels(before, pairs, pair))
      figure.panels[legend].series[pair.over].label =
          filled(figure.remarks.lies_on, named[pair.over].label, named[pair.under].label);
  }
  return figure;
}

}  // namespace rope::plot
