#include "rope/rotary/axes.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "rope/error.hpp"

namespace rope {
namespace {

/// The axis of pair i where sections alternate.
std::size_t interleaved_axis(std::span<const std::size_t> sections, std::size_t pair) {
  const std::size_t axes = sections.size(), axis = pair % axes;
  return pair / axes < sections[axis] ? axis : 0;
}

}  // namespace

Position::Position(std::span<const std::int64_t> on_axes) {
  if (on_axes.empty() || on_axes.size() > kMaxAxes)
    throw ShapeError("position: expected 1 to " + std::to_string(kMaxAxes) + " numbers, got " +
                     std::to_string(on_axes.size()));
  std::ranges::copy(on_axes, on_axis_.begin());
}

std::size_t Axes::pairs_of(std::size_t axis) const {
  return static_cast<std::size_t>(std::ranges::count(of_pair, axis));
}

std::vector<std::string> usual_axis_names(std::size_t axes) {
  switch (axes) {
    case 0:
    case 1:
      return {};
    case 2:
      return {"height", "width"};
    case 3:
      return {"time", "height", "width"};
    default:
      break;
  }
  std::vector<std::string> names = {"time", "height", "width"};
  while (names.size() < axes) names.push_back("axis " + std::to_string(names.size()));
  return names;
}

std::string_view name(SectionOrder order) {
  if (order == SectionOrder::contiguous) return "contiguous";
  return order == SectionOrder::interleaved ? "interleaved" : "time-last";
}

std::string sections_text(const Axes& axes) {
  std::string pairs, names;
  for (std::size_t a = 0; a < axes.count(); ++a) {
    const std::size_t of_axis = axes.own_series ? 2 * axes.pairs_of(a) : axes.pairs_of(a);
    pairs += (a > 0 ? ", " : "") + std::to_string(of_axis);
    names += (a > 0 ? ", " : "") + axes.names[a];
  }
  if (axes.own_series) return "axes of " + pairs + " dimensions by " + names;
  return (std::ranges::is_sorted(axes.of_pair) ? "sections " : "interleaved sections ") + pairs +
         " by " + names;
}

Axes section_axes(std::span<const std::size_t> sections, std::size_t pairs, SectionOrder order) {
  std::string text;
  for (const std::size_t section : sections)
    text += (text.empty() ? "" : " + ") + std::to_string(section);
  const std::size_t sum = std::accumulate(sections.begin(), sections.end(), std::size_t{0});
  if (sections.size() < 2 || sections.size() > kMaxAxes || sum != pairs)
    throw ShapeError("sections: expected 2 to " + std::to_string(kMaxAxes) +
                         " numbers of pairs that add up to " + std::to_string(pairs) + ", got " +
                         (text.empty() ? "none" : text),
                     "Give one section per axis, counted in pairs: 16,24,24 for 64 pairs.");
  if (order == SectionOrder::time_last && sections.size() != 3)
    throw ShapeError("sections: expected 3 if time is last, got " + text);
  Axes axes;
  axes.names = usual_axis_names(sections.size());
  axes.of_pair.reserve(pairs);
  for (std::size_t axis = 0; order == SectionOrder::contiguous && axis < sections.size(); ++axis)
    axes.of_pair.insert(axes.of_pair.end(), sections[axis], static_cast<std::uint8_t>(axis));
  for (std::size_t i = 0; order == SectionOrder::interleaved && i < pairs; ++i)
    axes.of_pair.push_back(static_cast<std::uint8_t>(interleaved_axis(sections, i)));
  for (std::size_t i = 0; order == SectionOrder::time_last && i < pairs; ++i)
    axes.of_pair.push_back(
        static_cast<std::uint8_t>(i < sections[1] + sections[2] ? 1 + i % 2 : 0));
  return axes;
}

}  // namespace rope
