#pragma once

#include <cstddef>
#include <string>

#include "rope/words/diagnosed.hpp"

namespace rope::words {

/// Why there is no explanation, as a text without a full stop, and what to do about it.
struct Reason {
  std::string why;
  std::string remedy;
};

/// `assumed`: whether frequencies were stated.
Reason reason_of(const Diagnosed& one, bool assumed);
/// The same, plus advice on the option that splits the last axis, if that axis may hold several
/// heads.
Reason no_explanation(const Diagnosed& one, bool assumed);

/// The convention that comes nearest, how many numbers deviate from it, and the worst of them;
/// empty if no convention comes near. `most_runs`: how many runs of positions to list.
std::string near_miss_text(const Diagnosed& one, std::size_t most_runs);

}  // namespace rope::words
