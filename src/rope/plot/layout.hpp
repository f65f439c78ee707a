#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "rope/plot/axis.hpp"
#include "rope/plot/curve.hpp"
#include "rope/plot/figure.hpp"
#include "rope/plot/free_space.hpp"
#include "rope/plot/theme.hpp"

namespace rope::plot {

enum class Align { left, centre, right };

/// One line of text at its place; positions are in pixels from the top left corner.
struct PlacedText {
  Text text;
  double x = 0;  ///< an end or the middle of the line, depending on `align`
  double y = 0;  ///< the middle of its height
  double size = 0;
  Align align = Align::left;
  Rgb colour;
  bool bold = false;
  bool upright = false;  ///< read from bottom to top
  bool cut = false;      ///< it ends in "…", or a word is broken, for lack of room
  bool covers = false;   ///< the text lies on a curve or another label
};

struct LegendEntry {
  std::size_t series = 0;  ///< or class
  double x = 0;            ///< the left end of its sample line
  double y = 0;            ///< the middle of its line
  Text label;
};

struct Legend {
  Box box;
  std::vector<LegendEntry> entries;
  Text note;  ///< a text below the entries, if not all curves are listed
};

struct ColourBar {
  Box box;
  std::vector<Tick> ticks;
};

struct PanelLayout {
  Box box;
  Grid grid;
  std::vector<Tick> x_ticks;
  bool bare_x = false;  ///< without numbers, which a panel further down in the column shows
  std::vector<Tick> y_ticks;
  std::vector<Stroke> strokes;
  bool legend_above = false;  ///< above the plot, below the title, for lack of room inside
  std::optional<Legend> legend;
  std::vector<PlacedText> texts;
  double colour_min = 0;
  double colour_max = 1;
  std::optional<ColourBar> bar;
};

/// The places of everything in a figure.
struct Layout {
  double scale = 1;  ///< the scale of fonts and line widths; 1 at 1600 by 1000 pixels
  std::vector<PlacedText> texts;
  std::optional<Legend> legend;  ///< above all panels
  std::vector<PanelLayout> panels;
};

/// Sizes in pixels at scale 1.
inline constexpr double kTickSize = 23;
inline constexpr double kLabelSize = 23.3;
inline constexpr double kTitleSize = 33;
inline constexpr double kPanelTitleSize = 25;
inline constexpr double kTickGap = 16;      ///< from the y axis to its numbers
inline constexpr double kTickDepth = 55;    ///< from the x axis to the bottom of its numbers
inline constexpr double kSampleWidth = 46;  ///< of a curve's sample in the legend
inline constexpr double kSampleGap = 14;

/// Lays out a figure: nothing is cut off, and nothing covers the data if there is room next to it.
/// On paper, where words do not shrink, other things give way: if panels in a column share an x
/// axis, only the last has numbers. Long labels take two lines, and a legend that does not fit in
/// its panel is placed above it. The figure must be valid.
Layout lay_out(const Figure& figure);

/// Lays out the words of one panel, whose box and grid are already set: the labels of its lines and
/// regions, then the legend. Returns the width that the legend needs next to the panel, or 0 if it
/// fits inside.
double place_labels(const Figure& figure, std::size_t panel, double scale, PanelLayout* layout);

/// The height that the label of a horizontal region takes up, with the free space around it.
double region_label_height(double scale);

/// Puts the legend next to the panel.
void place_legend_outside(const Figure& figure, std::size_t panel, double scale,
                          PanelLayout* layout);

/// The legend of a panel's curves or classes in rows: it is as wide as `place`, starts at its top,
/// and is as high as its rows.
Legend legend_in_rows(const Figure& figure, std::size_t panel, const Box& place, double scale);

/// Adds the words of a legend to `texts`.
void add_words(const Legend& legend, const Figure& figure, std::size_t panel, double scale,
               std::vector<PlacedText>* texts);

/// Places the numbers in the cells of a small heat map, whose box and colours are already set.
void place_numbers(const Figure& figure, std::size_t panel, double scale, PanelLayout* layout);

}  // namespace rope::plot
