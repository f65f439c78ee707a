#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rope/rotary/frequencies.hpp"
#include "shown/columns.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// Prints a table of pairs: all of them, or a dozen and the number of pairs omitted. `marks` are
/// pairs at which something new begins; the pairs on both sides of each mark are shown.
void print_pairs(const Columns& columns, const std::vector<std::size_t>& marks, bool all,
                 const Console& console);

/// The pairs of one kind of layer in a model.
struct PairsOfKind {
  std::string name;  ///< "full_attention"
  const Frequencies* frequencies = nullptr;
  std::optional<std::int64_t> reach;  ///< number of tokens within which turns are counted
  /// Turns that each pair makes within the reach; empty if there is no reach.
  std::vector<double> turns;
  std::vector<std::size_t> marks;
};

/// Prints the wavelengths and turns of all kinds side by side: the rows at both ends and at the
/// marks of any kind, and the number of rows omitted. A kind with fewer pairs has empty cells.
void print_kinds(const std::vector<PairsOfKind>& kinds, const Console& console);

}  // namespace rope::app
