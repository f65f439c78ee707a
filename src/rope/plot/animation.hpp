#pragma once

#include <vector>

#include "rope/plot/figure.hpp"
#include "rope/plot/gnuplot.hpp"

namespace rope::plot {

/// Pictures of the same size that follow each other.
struct Animation {
  std::vector<Figure> frames;
  int milliseconds = 100;  ///< for which each is shown, 10 to 60000
  int times = 1;           ///< that it is played; 0: endlessly
};

enum class AnimationFormat { apng, gif };

/// The most frames of an animation.
inline constexpr std::size_t kMostFrames = 1000;

/// Draws an animation: gnuplot draws the frames in one process, apngasm puts them together, and
/// apng2gif makes a GIF of that, with a separate palette for each frame. The same frames give the
/// same bytes, under the conditions of render().
///
/// Throws    ShapeError for no frames, too many, or sizes that differ, DomainError for a time out
///           of range, and both as validate(); SystemError if one of the programs is missing or
///           fails.
Picture render_animation(const Animation& animation, AnimationFormat format);

}  // namespace rope::plot
