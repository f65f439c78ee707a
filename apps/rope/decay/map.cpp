// What `rope decay --map` says: the mean cosine over distances on two axes.

#include "decay/map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "shown/table.hpp"
#include "shown/text.hpp"

namespace rope::app {
namespace {

/// Where the distance 0 stands; the middle where it is not among them.
std::size_t origin(const DecayMap& map) {
  const auto at = std::ranges::find(map.distances, 0);
  return static_cast<std::size_t>(at == map.distances.end() ? std::ssize(map.distances) / 2
                                                            : at - map.distances.begin());
}

}  // namespace

void print_decay_map(const MapStudy& study, const Console& console) {
  const DecayMap& map = study.map;
  const std::size_t zero = origin(map), last = map.distances.size() - 1;
  console.say(console.paint(
      Ink::strong,
      fmt::format("At distance {} in {} alone the mean cosine is {}, in {} alone {}, in both {}.",
                  map.distances[last], row_name(study), three_digits(map.at(last, zero)),
                  column_name(study), three_digits(map.at(zero, last)),
                  three_digits(map.at(last, last)))));
  console.say(
      "It is a sum of one curve per axis: tokens that differ on one axis alone stay alike "
      "by the pairs of the others.");
  console.say(describe(study.variant));
  const std::vector<std::size_t> rows = shown_rows(last + 1, 7, {zero}).rows;
  std::vector<Table::Column> heads = {{row_name(study) + " \\ " + column_name(study)}};
  for (const std::size_t column : rows) heads.push_back({std::to_string(map.distances[column])});
  Table table(heads);
  for (const std::size_t row : rows) {
    std::vector<std::string> cells = {std::to_string(map.distances[row])};
    for (const std::size_t column : rows) cells.push_back(three_digits(map.at(row, column)));
    table.add_row(cells);
  }
  console.print(table);
}

}  // namespace rope::app
