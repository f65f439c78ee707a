#pragma once

#include <cstddef>

#include "rope/plot/animation.hpp"
#include "rope/plot/figure.hpp"
#include "rope/studies/turning.hpp"
#include "rope/words/embedding_text.hpp"

namespace rope {

/// The most planes in one picture.
inline constexpr std::size_t kMostPlanes = 64;

/// Every pair at every position, one pair per row: at most kMostPlanes in all.
plot::Figure turning_figure(const TurningStudy& study, const RotaryVariant& variant);

/// The same for a terminal: every circle names its pair and position, and those of one position are
/// side by side.
plot::Figure turning_lines(const TurningStudy& study, const RotaryVariant& variant);

/// All pairs at one position, numbered as in study.positions, side by side; as clocks, each with
/// its wavelength and the number of turns it made.
plot::Figure turning_frame(const TurningStudy& study, const RotaryVariant& variant,
                           std::size_t position, bool clocks);

/// One frame per position.
plot::Animation turning_animation(const TurningStudy& study, const RotaryVariant& variant,
                                  bool clocks);

}  // namespace rope
