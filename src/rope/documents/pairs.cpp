#include "rope/documents/pairs.hpp"

#include <cmath>

namespace rope {

Columns pair_columns(const Frequencies& frequencies) {
  return {column("pair", "pair", indices(frequencies.pairs())),
          column("theta", "θ_i (rad/token)", frequencies.theta),
          column("wavelength", "λ_i (tokens)", frequencies.wavelength)};
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

}  // namespace rope
