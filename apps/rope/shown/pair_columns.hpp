#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "rope/rotary/frequencies.hpp"
#include "shown/columns.hpp"

namespace rope::app {

/// k, θ_k and λ_k of every pair.
Columns pair_columns(const Frequencies& frequencies);

/// The same with the turns of each within a context; empty without one, and then no table has them.
Columns pair_columns(const Frequencies& frequencies, const std::vector<double>& turns);

/// A table of pairs, its middle left out beyond `most` rows; then `whole` tells how to see all.
std::string pair_table(const Columns& columns, std::size_t most = 16,
                       std::string_view whole = "-o - --format csv");

}  // namespace rope::app
