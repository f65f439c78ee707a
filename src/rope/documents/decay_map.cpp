#include "rope/documents/decay_map.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rope/documents/columns.hpp"
#include "rope/documents/embedding.hpp"

namespace rope {

const std::string& row_name(const MapStudy& study) {
  return study.variant.embedding.axes.names[study.map.row_axis];
}

const std::string& column_name(const MapStudy& study) {
  return study.variant.embedding.axes.names[study.map.column_axis];
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

}  // namespace rope
