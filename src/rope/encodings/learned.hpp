#pragma once

#include "rope/encodings/position_table.hpp"
#include "rope/rotary/rotation_matrix.hpp"

namespace rope {

/// A learned vector p_m for each position 0 … T−1, and none for later positions.
///
/// Source    Gehring et al., arXiv:1705.03122; BERT, arXiv:1810.04805; GPT-2.
class LearnedTable final : public PositionTable {
 public:
  /// Shapes    rows: (T, D).
  /// Throws    ShapeError if there are no rows.
  explicit LearnedTable(RowMatrix rows);

  std::size_t dim() const override;
  std::vector<double> row(std::int64_t position) const override;
  double largest_norm() const override { return largest_norm_; }
  double entry_error() const override { return 0; }
  double unseen_share(std::int64_t trained, std::int64_t length) const override;
  double parameters(std::int64_t positions, double columns) const override;

 private:
  RowMatrix rows_;
  double largest_norm_ = 0;
};

}  // namespace rope
