#pragma once

#include <cstddef>
#include <string_view>

#include "rope/rotary/layout.hpp"
#include "shown/console.hpp"
#include "usage/arguments.hpp"

namespace rope::app {

// The values of single rotary options. All throw rope::Error (invalid input).

/// --layout; interleaved if it is not given.
PairLayout read_layout(const Arguments& arguments);

/// An even size from 2 to `high`.
std::size_t read_even(std::string_view option, std::string_view text, std::size_t high);

/// A base above 0; warns of those that are legal and surprising.
double read_base(std::string_view text, const Console& console);

}  // namespace rope::app
