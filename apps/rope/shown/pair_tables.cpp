#include "shown/pair_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace rope::app {

void print_kinds(const std::vector<PairsOfKind>& kinds, const Console& console) {
  constexpr std::size_t kMost = 8;
  std::size_t pairs = 0;
  std::vector<std::size_t> marks;
  for (const PairsOfKind& kind : kinds) {
    pairs = std::max(pairs, kind.frequencies->pairs());
    for (const std::size_t mark : kind.marks)
      if (std::ranges::find(marks, mark) == marks.end()) marks.push_back(mark);
  }
  std::ranges::sort(marks);
  const auto padded = [&](const std::vector<double>& values) {
    std::vector<std::string> cells;
    cells.reserve(pairs);
    for (const double value : values) cells.push_back(six_digits(value));
    cells.resize(pairs);
    return cells;
  };
  const auto right = [](Column column) {
    column.align = Table::Align::right;
    return column;
  };
  const bool alike = std::ranges::all_of(
      kinds, [&](const PairsOfKind& kind) { return kind.reach == kinds.front().reach; });
  Columns columns = {column("pair", alike ? "pair" : "i", indices(pairs))};
  for (const PairsOfKind& kind : kinds) {
    columns.push_back(
        right(table_column("λ_i " + kind.name, padded(kind.frequencies->wavelength))));
    const std::string title = alike ? "turns" : fmt::format("turns in {}", kind.reach.value_or(0));
    if (!kind.turns.empty()) columns.push_back(right(table_column(title, padded(kind.turns))));
  }
  const ShownRows shown = shown_rows(pairs, kMost, marks);
  console.print(table_of(columns, shown), "Wavelengths by kind of layers");
  const std::string all = "--details shows θ_i and every pair of each";
  console.say(shown.left_out > 0 ? fmt::format("Showing {} of {} pairs{}.", pairs - shown.left_out,
                                               pairs, hint("; " + all))
                                 : hint(all + "."));
}

void print_pairs(const Columns& columns, const std::vector<std::size_t>& marks, bool all,
                 const Console& console) {
  constexpr std::size_t kMost = 10;
  const std::size_t pairs = rows_of(columns);
  const ShownRows shown = shown_rows(pairs, all ? pairs : kMost, marks);
  console.print(table_of(columns, shown), "Frequencies of the pairs");
  if (shown.left_out > 0)
    console.say(fmt::format("Showing {} of {} pairs{}.", pairs - shown.left_out, pairs,
                            hint("; --details shows all")));
}

}  // namespace rope::app
