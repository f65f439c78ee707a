#include "shown/pair_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "rope/language/said.hpp"

namespace rope::app {
namespace {

/// How many of the pairs a table shows, and what shows the others.
void say_shown(std::size_t shown, std::size_t pairs, std::string_view details,
               const Console& console) {
  const Language language = console.language();
  console.say(said(language, "Showing {} of {} pairs{}.", shown, pairs,
                   hint(translated(details, language))));
}

}  // namespace

void print_kinds(const std::vector<PairsOfKind>& kinds, const Console& console) {
  constexpr std::size_t kMost = 8;
  const Language language = console.language();
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
    columns.push_back(right(
        table_column(said(language, "λ_i {}", kind.name), padded(kind.frequencies->wavelength))));
    const std::string title =
        alike ? "turns" : said(language, "turns in {}", kind.reach.value_or(0));
    if (!kind.turns.empty()) columns.push_back(right(table_column(title, padded(kind.turns))));
  }
  const ShownRows shown = shown_rows(pairs, kMost, marks);
  console.print(table_of(columns, shown), "Wavelengths by kind of layer");
  if (shown.left_out == 0)
    console.say(hint(said(language, "--details shows θ_i and every pair of each kind.")));
  else
    say_shown(pairs - shown.left_out, pairs, "; --details shows θ_i and every pair of each kind",
              console);
}

void print_pairs(const Columns& columns, const std::vector<std::size_t>& marks, bool all,
                 const Console& console) {
  constexpr std::size_t kMost = 10;
  const std::size_t pairs = rows_of(columns);
  const ShownRows shown = shown_rows(pairs, all ? pairs : kMost, marks);
  console.print(table_of(columns, shown), "Frequencies of the pairs");
  if (shown.left_out > 0)
    say_shown(pairs - shown.left_out, pairs, "; --details shows all", console);
}

}  // namespace rope::app
