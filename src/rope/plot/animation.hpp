#pragma once

#include <vector>

#include "rope/plot/figure.hpp"
#include "rope/plot/gnuplot.hpp"

namespace rope::plot {

/// Pictures of the same size, shown one after another.
struct Animation {
  std::vector<Figure> frames;
  int milliseconds = 100;  ///< how long each frame is shown, 10 to 60000
  int times = 1;           ///< how often the animation is played; 0: endlessly
};

enum class AnimationFormat { apng, gif };

/// The largest number of frames in an animation.
inline constexpr std::size_t kMostFrames = 1000;

/// Draws an animation: gnuplot draws the frames in one process, apngasm puts them together, and
/// apng2gif converts the result to a GIF, with a separate palette for each frame. The same frames
/// give the same bytes, under the conditions stated for render().
///
/// Throws    ShapeError if there are no frames, or too many, or their sizes differ; DomainError for
///           a time out of range; also what validate() throws; SystemError if one of the programs
///           is missing or fails.
Picture render_animation(const Animation& animation, AnimationFormat format);

}  // namespace rope::plot
