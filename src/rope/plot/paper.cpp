#include "rope/plot/paper.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "rope/plot/text_fit.hpp"

namespace rope::plot {
namespace {

constexpr double kLeastPoints = 6, kMostPoints = 8;

constexpr double kInked = 0.8;  // of a line's height: letters above and below it seldom meet

/// The least side of a panel, in sizes of the numbers beside it.
constexpr double kLeastSide = 2.5;

/// The largest side that is drawn, and how many times as high as wide a picture may become.
constexpr double kMostInches = 26, kMostShape = 1.5;

double point(const Figure& figure) {
  constexpr double kPointsPerInch = 72;
  return figure.per_inch / kPointsPerInch;
}

Box box_of(const PlacedText& text) {
  const double length = text_width(text.text, text.bold) * text.size;
  const double thickness = kInked * text.size;
  if (text.upright) return {text.x - thickness / 2, text.y - length / 2, thickness, length};
  const double before = text.align == Align::left ? 0 : text.align == Align::centre ? 0.5 : 1;
  return {text.x - before * length, text.y - thickness / 2, length, thickness};
}

/// The numbers along the axes of a panel, as texts at their places.
void add_numbers(const Figure& figure, const PanelLayout& panel, double scale,
                 std::vector<PlacedText>* texts) {
  const Box& box = panel.box;
  const double size = text_size(figure, kTickSize * scale);
  const auto add = [&](const Tick& tick, double x, double y, Align align) {
    if (!tick.label.empty()) texts->push_back({tick.label, x, y, size, align, {}});
  };
  for (const Tick& tick : panel.bare_x ? std::vector<Tick>() : panel.x_ticks)
    add(tick, box.left + panel.grid.x.position_of_drawn(tick.value) * box.width,
        box.bottom() + (kTickDepth - kTickSize) * scale, Align::centre);
  for (const Tick& tick : panel.y_ticks)
    add(tick, box.left - kTickGap * scale,
        box.top + (1 - panel.grid.y.position_of_drawn(tick.value)) * box.height, Align::right);
  if (!panel.bar) return;
  const double span = panel.colour_max - panel.colour_min;
  for (const Tick& tick : panel.bar->ticks)
    add(tick, panel.bar->box.right() + kTickGap * scale,
        panel.bar->box.bottom() - (tick.value - panel.colour_min) / span * panel.bar->box.height,
        Align::left);
}

bool meet(const Box& a, const Box& b) {
  return a.left < b.right() && b.left < a.right() && a.top < b.bottom() && b.top < a.bottom();
}

/// The figure in the pixels of a PDF: whether there is room must not depend on the format.
Figure on_pdf_page(Figure figure, double width, double height) {
  figure.per_inch = kPdfPixelsPerInch;
  figure.width = static_cast<int>(std::lround(width * kPdfPixelsPerInch));
  figure.height = static_cast<int>(std::lround(height * kPdfPixelsPerInch));
  return figure;
}

bool has_room(const Figure& figure, double width, double height) {
  const Figure page = on_pdf_page(figure, width, height);
  return !crowded(page, lay_out(page));
}

double in_tenths(double inches) { return std::ceil(10 * inches - 1e-6) / 10; }

}  // namespace

bool on_paper(const Figure& figure) { return figure.per_inch > 0; }

double scale_on_paper(const Figure& figure, double scale) {
  return std::clamp(scale, least_scale_on_paper(figure), kMostPoints * point(figure) / kLabelSize);
}

double least_scale_on_paper(const Figure& figure) {
  return kLeastPoints * point(figure) / kTickSize;
}

double text_size(const Figure& figure, double pixels) {
  if (!on_paper(figure)) return pixels;
  return std::clamp(pixels, kLeastPoints * point(figure), kMostPoints * point(figure));
}

bool crowded(const Figure& figure, const Layout& layout) {
  std::vector<PlacedText> texts = layout.texts;
  for (std::size_t i = 0; i < layout.panels.size(); ++i) {
    const PanelLayout& panel = layout.panels[i];
    if (figure.panels[i].blank) continue;
    const double number = text_size(figure, kTickSize * layout.scale);
    if (std::min(panel.box.height, panel.box.width) < kLeastSide * number) return true;
    texts.insert(texts.end(), panel.texts.begin(), panel.texts.end());
    add_numbers(figure, panel, layout.scale, &texts);
  }
  std::vector<Box> boxes;
  boxes.reserve(texts.size());
  for (const PlacedText& text : texts) {
    const Box box = box_of(text);
    if (text.cut || text.covers || box.left < 0 || box.top < 0 || box.right() > figure.width ||
        box.bottom() > figure.height)
      return true;
    if (std::ranges::any_of(boxes, [&](const Box& other) { return meet(box, other); })) return true;
    boxes.push_back(box);
  }
  return false;
}

std::optional<PaperSize> size_that_suffices(const Figure& figure) {
  if (!on_paper(figure)) return std::nullopt;
  double width = figure.width / figure.per_inch;
  const double height = figure.height / figure.per_inch;
  if (has_room(figure, width, height)) return std::nullopt;
  if (!has_room(figure, kMostInches, kMostInches)) return PaperSize{};
  for (; width <= kMostInches; width = in_tenths(1.15 * width))
    for (double tall = in_tenths(height); tall <= std::min(kMostShape * width, kMostInches);
         tall = in_tenths(1.03 * tall))
      if (has_room(figure, width, tall)) return PaperSize{width, tall};
  return PaperSize{};
}

}  // namespace rope::plot
