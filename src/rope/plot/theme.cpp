#include "rope/plot/theme.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "rope/plot/coincidence.hpp"

namespace rope::plot {
namespace {

constexpr Rgb rgb(unsigned value) {
  return {static_cast<int>(value >> 16U), static_cast<int>((value >> 8U) & 0xFFU),
          static_cast<int>(value & 0xFFU)};
}

constexpr std::size_t kMostLooks = 3 * kCurveColours;  // solid, dashed and dotted

// The strongest of the Okabe-Ito colours come first; grey closes the list.
constexpr std::array<Rgb, kCurveColours + 1> kOnLight = {
    rgb(0xD55E00), rgb(0x0072B2), rgb(0x009E73), rgb(0xCC79A7),
    rgb(0xE69F00), rgb(0x56B4E9), rgb(0x555555)};
constexpr std::array<Rgb, kCurveColours + 1> kOnDark = {rgb(0xE69F00), rgb(0x56B4E9), rgb(0x1FBF92),
                                                        rgb(0xDE93BD), rgb(0xF0E442), rgb(0xF0763A),
                                                        rgb(0xBBBBBB)};

// The part of the bright-to-dark ramp that stands out from the background.
constexpr double kRampEndOnLight = 0.88;
constexpr double kRampStartOnDark = 0.22;

/// The i-th of so many that all looks are in use.
Stroke step_of_ramp(std::size_t i, std::size_t count, Style style) {
  const double start = style == Style::light ? 0.0 : kRampStartOnDark;
  const double end = style == Style::light ? kRampEndOnLight : 1.0;
  const double t = static_cast<double>(i) / static_cast<double>(count - 1);
  return {blend(stops(ColourMap::sequential, style), start + (end - start) * t)};
}

}  // namespace

std::string hex(Rgb colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", colour.r, colour.g, colour.b);
}

const Theme& theme_of(Style style) {
  static constexpr Theme kLight = {rgb(0xFFFFFF), rgb(0x222222), rgb(0x5F5F5F),
                                   rgb(0x444444), rgb(0x9A9A9A), rgb(0xE4E4E4),
                                   rgb(0xF3EAD7), rgb(0x6B4A12), rgb(0x8A5A00)};
  static constexpr Theme kDark = {rgb(0x16191D), rgb(0xECECEC), rgb(0xB4B8BD),
                                  rgb(0xC6CACF), rgb(0x73797F), rgb(0x30353A),
                                  rgb(0x2E2A1F), rgb(0xD9BE86), rgb(0xE0B252)};
  return style == Style::light ? kLight : kDark;
}

Stroke look(std::size_t i, Style style) {
  const auto& palette = style == Style::light ? kOnLight : kOnDark;
  if (i == kGrey) return {palette.back()};
  return {palette.at(i % kCurveColours), static_cast<int>(i / kCurveColours % 3) + 1};
}

std::vector<Stroke> strokes(const Panel& panel, Style style) {
  const auto automatic = static_cast<std::size_t>(
      std::count_if(panel.series.begin(), panel.series.end(),
                    [](const Series& series) { return !series.colour && !series.like; }));
  std::vector<Stroke> result;
  result.reserve(panel.series.size());
  const std::vector<std::optional<std::size_t>> under = lies_on(panel);
  std::size_t next = 0;
  for (std::size_t i = 0; i < panel.series.size(); ++i) {
    const Series& series = panel.series[i];
    Stroke stroke;
    if (series.like) {
      stroke.colour = result.at(*series.like).colour;
    } else if (series.colour) {
      stroke = look(*series.colour, style);
    } else if (automatic > kMostLooks) {
      stroke = step_of_ramp(next++, automatic, style);
    } else {
      stroke = look(next++, style);
      if (stroke.dash == 1 && under[i] && result[*under[i]].dash == 1) stroke.dash = 2;
    }
    if (series.dashed) stroke.dash = 2;
    if (series.dotted) stroke.dash = 3;
    result.push_back(stroke);
  }
  return result;
}

const std::vector<Rgb>& stops(ColourMap map, Style style) {
  static const std::vector<Rgb> diverging = {
      rgb(0x053061), rgb(0x2166AC), rgb(0x4393C3), rgb(0x92C5DE), rgb(0xD1E5F0), rgb(0xF7F7F7),
      rgb(0xFDDBC7), rgb(0xF4A582), rgb(0xD6604D), rgb(0xB2182B), rgb(0x67001F)};
  static const std::vector<Rgb> diverging_on_dark = {
      rgb(0xC6E6FA), rgb(0x86C5EE), rgb(0x4A9BD0), rgb(0x2F6D9C), rgb(0x26465F), rgb(0x272C32),
      rgb(0x5C332F), rgb(0x96433A), rgb(0xCC5F4C), rgb(0xF08F77), rgb(0xFDCBBB)};
  static const std::vector<Rgb> sequential = {
      rgb(0x440154), rgb(0x482475), rgb(0x414487), rgb(0x355F8D), rgb(0x2A788E), rgb(0x21918C),
      rgb(0x22A884), rgb(0x44BF70), rgb(0x7AD151), rgb(0xBDDF26), rgb(0xFDE725)};
  if (map == ColourMap::sequential) return sequential;
  return style == Style::light ? diverging : diverging_on_dark;
}

std::vector<Rgb> stops_of(const HeatMap& map, Style style) {
  if (map.classes.empty()) return stops(map.colours, style);
  // From what is of least to what is of most interest.
  constexpr std::array<Rgb, 6> kLight = {rgb(0xEDEDED), rgb(0x8DBBDC), rgb(0xD55E00),
                                         rgb(0x009E73), rgb(0xCC79A7), rgb(0xF0E442)};
  constexpr std::array<Rgb, 6> kDark = {rgb(0x2B3036), rgb(0x3A7CA8), rgb(0xF0763A),
                                        rgb(0x1FBF92), rgb(0xDE93BD), rgb(0xF0E442)};
  std::vector<Rgb> result;
  const std::size_t count = std::max<std::size_t>(map.classes.size(), 2);
  result.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    result.push_back((style == Style::light ? kLight : kDark).at(i % kLight.size()));
  return result;
}

Rgb blend(const std::vector<Rgb>& colours, double t) {
  const double place = std::clamp(t, 0.0, 1.0) * static_cast<double>(colours.size() - 1);
  const auto at = std::min(static_cast<std::size_t>(place), colours.size() - 2);
  const double share = place - static_cast<double>(at);
  const auto mix = [share](int a, int b) {
    return static_cast<int>(std::lround(a + (b - a) * share));
  };
  const Rgb a = colours[at];
  const Rgb b = colours[at + 1];
  return {mix(a.r, b.r), mix(a.g, b.g), mix(a.b, b.b)};
}

}  // namespace rope::plot
