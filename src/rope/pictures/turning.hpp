#pragma once

#include <cstddef>

#include "rope/plot/animation.hpp"
#include "rope/plot/figure.hpp"
#include "rope/studies/turning.hpp"
#include "rope/words/embedding_text.hpp"

namespace rope {

/// The largest number of planes in one picture.
inline constexpr std::size_t kMostPlanes = 64;

/// Every pair at every position, one pair per row, with at most kMostPlanes planes in all.
plot::Figure turning_figure(const TurningStudy& study, const RotaryVariant& variant);

/// The same for a terminal: every circle is labelled with its pair and position, and the circles of
/// one position are side by side.
plot::Figure turning_lines(const TurningStudy& study, const RotaryVariant& variant);

/// All pairs at one position, side by side; `position` is its index in study.positions. Each pair
/// is labelled with its wavelength and the number of turns it has made so far; if `clocks` is set,
/// the arrows have no labels.
plot::Figure turning_frame(const TurningStudy& study, const RotaryVariant& variant,
                           std::size_t position, bool clocks);

/// One frame per position.
plot::Animation turning_animation(const TurningStudy& study, const RotaryVariant& variant,
                                  bool clocks);

}  // namespace rope
