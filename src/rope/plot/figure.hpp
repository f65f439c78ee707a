#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rope/language/language.hpp"
#include "rope/plot/text.hpp"

namespace rope::plot {

using rope::Language;

enum class Style { light, dark };
enum class Scale { linear, log10 };
enum class Direction { horizontal, vertical };

/// One axis. Without `min` and `max`, its ends follow the data.
struct Axis {
  Text label;
  Scale scale = Scale::linear;
  std::optional<double> min;
  std::optional<double> max;
  bool whole = false;  ///< the axis counts whole things: it has ticks only at integers
};

enum class SeriesKind {
  line,         ///< straight lines from point to point
  points,       ///< a dot at each point
  line_points,  ///< both
  steps,        ///< y is constant until the next x
  band,         ///< the area between y and `upper`
};

/// The number of colours that curves take in turn; further looks repeat the same colours dashed,
/// then dotted.
inline constexpr std::size_t kCurveColours = 6;

/// The look of anything drawn behind the curves.
inline constexpr std::size_t kGrey = static_cast<std::size_t>(-1);

/// One curve. It may have no points and only a line in the legend. A point that is not finite, or
/// not positive on a logarithmic axis, is a gap.
struct Series {
  Text label;  ///< its line in the legend; empty: none
  std::vector<double> x;
  std::vector<double> y;      ///< a band's lower edge
  std::vector<double> upper;  ///< a band's upper edge; empty for every other kind
  SeriesKind kind = SeriesKind::line;
  std::optional<std::size_t> colour;  ///< the number of its look; if not given, the next free one
  std::optional<std::size_t> like;    ///< instead of `colour`: the index of an earlier curve of the
                                      ///< panel, whose colour it takes
  bool dashed = false;
  bool dotted = false;
};

/// A thin dashed line across the panel: horizontal at y = `at`, or vertical at x = `at`.
struct ReferenceLine {
  Direction direction = Direction::horizontal;
  double at = 0;
  Text label;
};

/// A shaded stripe across the panel: y (horizontal) or x (vertical) between two values. An infinite
/// value means the edge of the panel.
struct Region {
  Direction direction = Direction::horizontal;
  double from = 0;
  double to = 0;
  Text label;
};

enum class ColourMap {
  diverging,   ///< blue, white, red; the range is symmetric about 0
  sequential,  ///< dark to bright
};

/// A tick that the caller chose.
struct Mark {
  double at = 0;
  Text label;
};

/// A matrix as coloured cells, row 0 at the top. The panel's x axis labels the columns, its y axis
/// the rows. A value that is not finite leaves its cell empty. Marks, if given, replace the ticks
/// at the indices; cell i reaches from i − 1/2 to i + 1/2. Cells of a small matrix show their
/// numbers.
struct HeatMap {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> values;  ///< row by row, rows × columns
  ColourMap colours = ColourMap::diverging;
  std::optional<double> min;  ///< a diverging map uses the larger of |min| and |max|
  std::optional<double> max;
  Text bar_label;
  /// If there are any classes, each value is the index of one. Each class has its own colour,
  /// explained by the legend instead of a bar.
  std::vector<Text> classes;
  std::vector<Mark> row_marks;
  std::vector<Mark> column_marks;
  bool square_cells = true;  ///< true for a matrix; false if columns and rows have different units
};

/// An arrow from one point of a plane to another, or a plain line between them.
struct Arrow {
  double from_x = 0;
  double from_y = 0;
  double to_x = 0;
  double to_y = 0;
  Text label;              ///< next to its head
  std::size_t colour = 0;  ///< the number of its look, as for a curve
  bool dashed = false;
  bool head = true;
  bool wide = false;  ///< drawn wide, so that it shows under another arrow that lies on it
  bool label_at_middle = false;  ///< instead of at its head, as for a side of a shape
};

/// Part of a circle: an angle between two arrows, or the path of a turn. It runs from `from` to
/// `to`, in radians, counter-clockwise if `to` is larger; a difference of 2π gives the whole
/// circle.
struct Arc {
  double x = 0;
  double y = 0;
  double radius = 1;
  double from = 0;
  double to = 0;
  Text label;  ///< next to its middle
  std::size_t colour = kGrey;
  bool dashed = false;
  bool head = false;  ///< an arrow head at its end
};

/// The plane around its origin, with equal units on both axes. It is drawn without ticks, because
/// its circles and labels show sizes.
struct Plane {
  double reach = 1.2;  ///< −reach … reach is shown on both axes
  bool cross = true;   ///< thin lines through the origin
  std::vector<Arc> arcs;
  std::vector<Arrow> arrows;
};

/// A chart of curves, a heat map, or a plane. Curves may lie in a plane too.
struct Panel {
  bool blank = false;  ///< nothing is drawn: the space stays empty
  double height = 1;   ///< relative to that of other rows; a row is as high as its tallest panel
  Text title;
  Axis x;
  Axis y;
  std::vector<Series> series;
  std::vector<ReferenceLine> lines;
  std::vector<Region> regions;
  std::optional<HeatMap> heat_map;
  std::optional<Plane> plane;
};

/// The smallest width, the smallest height and the longest side of a picture, in pixels.
inline constexpr int kMinWidth = 320;
inline constexpr int kMinHeight = 240;
inline constexpr int kMaxSide = 8000;

/// Pixels per inch of a PDF page.
inline constexpr double kPdfPixelsPerInch = 160;

/// Remarks that the drawing code adds, most of them for lack of room; `{}` stands for a number or a
/// label.
struct Remarks {
  Text curves = Text::plain("{} of {} curves");
  Text panels = Text::plain("{} of {} panels");
  Text more = Text::plain("+ {} more");
  Text lies_on = Text::plain("{} (lies on {})");
  Text keys = Text::plain("← → step   space plays and stops   q quits");
};

/// A picture as data: it states what is drawn, not how. Panels fill `columns` columns, row by row.
struct Figure {
  Text title;
  Text subtitle;
  int width = 1600;  ///< pixels
  int height = 1000;
  /// Pixels per inch, for a picture that has a size on paper: its labels are then 6 to 8 points. 0
  /// means that the picture has no size on paper; its words then scale with the picture.
  double per_inch = 0;
  Style style = Style::light;
  Language language = Language::en;  ///< of its words; Chinese words need a Chinese font
  Remarks remarks;
  /// A description of what made the picture, written into the file if its format has a place for
  /// it: one line of UTF-8 without control characters. Empty: nothing is written.
  std::string origin;
  std::size_t columns = 1;
  /// The panels are equal squares, which may be arranged in rows of any length.
  bool any_columns = false;
  std::vector<Panel> panels;
  /// The panel whose curves or classes are explained in a legend above all panels, which applies to
  /// all of them.
  std::optional<std::size_t> legend_of;
  /// Heat maps with the same colours share one range and one colour bar.
  bool shared_colour_range = true;
};

/// Checks that a figure can be drawn.
///
/// Throws    ShapeError for no panel, a panel without anything to draw, sizes that disagree or a
///           picture size out of range; DomainError for an axis, line or region whose ends are not
///           numbers, are reversed, or are not positive on a logarithmic axis.
void validate(const Figure& figure);

/// The number of columns that allows the largest panels in a picture of this figure's size, if all
/// panels are equal squares.
std::size_t columns_of_largest_squares(const Figure& figure);

/// The role of a text in a figure.
enum class Role { words, tick_label };

/// Visits every text of a figure, along with its name for warnings. The labels of marks count as
/// tick labels: they are numbers, or words that were given to the program.
void for_each_text(Figure* figure,
                   const std::function<void(const char* where, Role role, Text* text)>& visit);

}  // namespace rope::plot
