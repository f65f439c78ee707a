#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "rope/documents/columns.hpp"
#include "rope/rotary/band.hpp"
#include "rope/rotary/frequencies.hpp"

namespace rope {

/// i, θ_i and λ_i of every pair.
Columns pair_columns(const Frequencies& frequencies);

/// The same columns, with the turns of each pair within a context; without a context, `turns` is
/// empty and tables omit that column.
Columns pair_columns(const Frequencies& frequencies, const std::vector<double>& turns);

/// The pairs at which something new begins: another band, or the pairs that never complete a turn.
std::vector<std::size_t> pair_marks(std::span<const Band> bands,
                                    std::span<const std::size_t> incomplete);

}  // namespace rope
