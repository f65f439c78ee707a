#include "rope/precision/not_finite.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace rope {
namespace {

bool finite(std::span<const double> x) {
  return std::ranges::all_of(x, [](double value) { return std::isfinite(value); });
}

/// One row of the table, up to its cosines and sines.
std::optional<NotFinite> in_row(const Pipeline& pipeline, std::int64_t position,
                                const RotationRow& row) {
  const Policy& policy = pipeline.policy();
  const auto at = [&](Stage stage, Format format) { return NotFinite{stage, format, position}; };
  if (finite(row.cos) && finite(row.sin)) return std::nullopt;
  if (policy.angle_rule == AngleRule::exact) return at(Stage::table, policy.table);
  if (!std::isfinite(pipeline.position(position))) return at(Stage::position, policy.position);
  for (std::size_t pair = 0; pair < row.cos.size(); ++pair)
    if (!std::isfinite(pipeline.angle(position, pair))) return at(Stage::angle, policy.angle);
  return at(Stage::table, policy.table);
}

/// One vector turned by a finite row: the result before its cast to the store format, and after.
class TurnedVector {
 public:
  explicit TurnedVector(const Pipeline& pipeline) : pipeline_(pipeline) {}

  std::optional<NotFinite> turn(std::int64_t position, const RotationRow& row,
                                std::span<const double> x) {
    const Policy& policy = pipeline_.policy();
    values.assign(x.size(), 0);
    pipeline_.rotate_unstored({row.cos, row.sin, row.sin}, x, values);
    if (!finite(values)) return NotFinite{Stage::apply, policy.apply, position};
    pipeline_.store(values);
    if (finite(values)) return std::nullopt;
    // What float8 cannot hold is its scale, a number of float32.
    return NotFinite{Stage::store, policy.store == Format::float8 ? Format::float32 : policy.store,
                     position};
  }

  std::vector<double> values;

 private:
  const Pipeline& pipeline_;
};

}  // namespace

std::string_view name(Stage stage) {
  switch (stage) {
    case Stage::position:
      return "position";
    case Stage::angle:
      return "angle";
    case Stage::table:
      return "table";
    case Stage::apply:
      return "apply";
    case Stage::store:
      return "store";
    case Stage::accumulate:
      break;
  }
  return "accumulate";
}

std::optional<NotFinite> first_not_finite(const Pipeline& pipeline, std::int64_t m, std::int64_t n,
                                          std::span<const double> q, std::span<const double> k) {
  struct Row {
    std::int64_t position;
    std::span<const double> x;
    RotationRow row;
    TurnedVector turned;
  };
  std::vector<Row> rows;
  for (const auto& [position, x] : {std::pair{m, q}, {n, k}, {n - m, k}})
    rows.push_back({position, x, {}, TurnedVector(pipeline)});
  for (Row& each : rows) {
    pipeline.table_row(each.position, each.row);
    if (const auto found = in_row(pipeline, each.position, each.row)) return found;
  }
  for (Row& each : rows)
    if (const auto found = each.turned.turn(each.position, each.row, each.x)) return found;
  std::vector<double> scaled(q.begin(), q.end());
  scale_rotated(pipeline.embedding(), scaled);
  const double left = pipeline.dot(rows[0].turned.values, rows[1].turned.values).value;
  const double right = pipeline.dot(scaled, rows[2].turned.values).value;
  if (std::isfinite(left) && std::isfinite(right)) return std::nullopt;
  return NotFinite{Stage::accumulate, pipeline.policy().accumulate, n};
}

}  // namespace rope
