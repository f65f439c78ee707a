#include "shown/pair_columns.hpp"

#include <fmt/format.h>

#include <cmath>

namespace rope::app {

Columns pair_columns(const Frequencies& frequencies) {
  return {column("pair", "pair", indices(frequencies.pairs())),
          column("theta", "θ_k (rad/token)", frequencies.theta),
          column("wavelength", "λ_k (tokens)", frequencies.wavelength)};
}

Columns pair_columns(const Frequencies& frequencies, const std::vector<double>& turns) {
  Columns columns = pair_columns(frequencies);
  columns.push_back(turns.empty()
                        ? file_column("turns", std::vector(frequencies.pairs(), std::nan("")))
                        : column("turns", "turns", turns));
  return columns;
}

std::vector<std::size_t> pair_marks(std::span<const Band> bands,
                                    std::span<const std::size_t> incomplete) {
  std::vector<std::size_t> marks;
  if (!incomplete.empty()) marks.push_back(incomplete.front());
  for (std::size_t k = 1; k < bands.size(); ++k)
    if (bands[k] != bands[k - 1]) marks.push_back(k);
  return marks;
}

void print_pairs(const Columns& columns, const std::vector<std::size_t>& marks, bool all,
                 const Console& console) {
  constexpr std::size_t kMost = 10;
  const std::size_t pairs = rows_of(columns);
  const ShownRows shown = shown_rows(pairs, all ? pairs : kMost, marks);
  console.print(table_of(columns, shown));
  if (shown.left_out > 0)
    console.say(
        fmt::format("{} of {} pairs are left out; --details shows all.", shown.left_out, pairs));
}

}  // namespace rope::app
