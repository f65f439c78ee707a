#pragma once

#include <cstddef>
#include <string>

#include "rope/words/diagnosed.hpp"

namespace rope::words {

/// How many explanations and how many runs of positions a long answer shows.
struct Extent {
  std::size_t explanations;
  std::size_t runs;
};

/// "layout half, rotary_dim 64, base 10000 …".
std::string convention_text(const Diagnosed& one, const Explanation& e);
/// The positions of the tokens, if convention_text() does not contain them: one line per run, at
/// most `most` lines.
std::string runs_text(const Diagnosed& one, const Explanation& e, std::size_t most);
/// "half layout, base 500000, positions from 0": only what distinguishes the convention from
/// others.
std::string short_convention(const Diagnosed& one, const Explanation& e);
/// A paragraph: the convention, its positions, how well it fits, and what it leaves open.
std::string explanation_text(const Diagnosed& one, const Explanation& e, const Extent& extent);

}  // namespace rope::words
