#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace rope {

/// A vector p_m for each position m. Additive encodings add it to the token; Transformer-XL
/// projects it.
class PositionTable {
 public:
  PositionTable() = default;
  PositionTable(const PositionTable&) = delete;
  PositionTable& operator=(const PositionTable&) = delete;
  virtual ~PositionTable() = default;

  virtual std::size_t dim() const = 0;

  /// p_m.
  ///
  /// Shapes    (dim).
  /// Throws    DomainError at a position for which there is no row.
  virtual std::vector<double> row(std::int64_t position) const = 0;

  /// An upper bound on the length of every row.
  virtual double largest_norm() const = 0;

  /// An upper bound on the error of every entry.
  virtual double entry_error() const = 0;

  /// The share of the positions trained … length−1 whose vectors were not seen in training, as in
  /// PositionEncoding::unseen_share.
  virtual double unseen_share(std::int64_t trained, std::int64_t length) const = 0;

  /// How many numbers are learned in a table of that many positions and columns.
  virtual double parameters(std::int64_t positions, double columns) const = 0;

  /// Like PositionEncoding::remark, for the encoding that adds the table.
  virtual std::string remark(std::int64_t /*reach*/,
                             std::span<const std::int64_t> /*shifts*/) const {
    return {};
  }
};

}  // namespace rope
