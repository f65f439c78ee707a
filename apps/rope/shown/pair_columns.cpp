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

std::string pair_table(const Columns& columns, std::size_t most, std::string_view whole) {
  const ShownRows shown = shown_rows(rows_of(columns), most);
  std::string text = table_text(columns, shown);
  if (shown.left_out > 0)
    text += fmt::format("{} pairs are left out: {} prints all\n", shown.left_out, whole);
  return text;
}

}  // namespace rope::app
