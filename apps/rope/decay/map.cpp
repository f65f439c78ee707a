// What `rope decay --map` says: the mean cosine over distances on two axes.

#include "decay/map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "shown/columns.hpp"
#include "shown/rotary_json.hpp"
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

const std::string& row_name(const MapStudy& study) {
  return study.variant.embedding.axes.names[study.map.row_axis];
}
const std::string& column_name(const MapStudy& study) {
  return study.variant.embedding.axes.names[study.map.column_axis];
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

std::string decay_map_csv(const MapStudy& study) {
  const DecayMap& map = study.map;
  std::vector<std::int64_t> rows, columns;
  for (const std::int64_t row : map.distances)
    for (const std::int64_t column : map.distances) {
      rows.push_back(row);
      columns.push_back(column);
    }
  return csv_text({file_column(row_name(study), std::move(rows)),
                   file_column(column_name(study), std::move(columns)),
                   file_column("mean_cosine", map.mean_cosine)});
}

std::string decay_map_json(const MapStudy& study) {
  const DecayMap& map = study.map;
  std::vector<std::vector<double>> rows;
  for (std::size_t row = 0; row < map.distances.size(); ++row)
    rows.emplace_back(
        map.mean_cosine.begin() + static_cast<std::ptrdiff_t>(row * map.distances.size()),
        map.mean_cosine.begin() + static_cast<std::ptrdiff_t>((row + 1) * map.distances.size()));
  return io::JsonValue{
      {"schema", "rope.decay-map/1"}, {"rotary", rotary_json(study.variant.embedding)},
      {"rows", row_name(study)},      {"columns", column_name(study)},
      {"distance", map.distances},    {"mean_cosine", rows}}
      .document();
}

}  // namespace rope::app
