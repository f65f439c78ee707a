#pragma once

#include <cstdint>

#include "rope/encodings/position_table.hpp"
#include "rope/rotary/frequencies.hpp"

namespace rope {

/// A formula for sinusoidal positions, taken as written, whether right or wrong: column i contains
/// sin(m/b^((i + even)/D)) for even i and cos(m/b^((i + odd)/D)) for odd i. Columns are counted
/// from `first`.
///
/// A formula is right if the sine and cosine of each pair share one exponent, and the exponents
/// begin with 0. Counted from 0, that is even = 0, odd = −1 (SinusoidalTable); counted from 1, even
/// = −2, odd = −1, with the cosine first. Swapped exponents (even = −1, odd = −2) make all
/// frequencies too high if counted from 0, and the two frequencies of a pair different if counted
/// from 1.
struct SinusoidalFormula {
  std::int64_t first = 0;
  std::int64_t even = 0;
  std::int64_t odd = -1;
};

/// The table that such a formula produces.
///
/// Accuracy  each entry within kCosSinError of the formula's exact value, for |m| ≤ 2^53.
class FormulaTable final : public PositionTable {
 public:
  /// Throws    ShapeError unless 1 ≤ dim ≤ kMaxRotaryDim; DomainError unless base is finite and > 0
  ///           and every exponent lies between −D and D.
  FormulaTable(std::size_t dim, double base, SinusoidalFormula formula);

  std::size_t dim() const override { return frequencies_.pairs(); }
  std::vector<double> row(std::int64_t position) const override;
  double largest_norm() const override;
  double entry_error() const override;
  double unseen_share(std::int64_t trained, std::int64_t length) const override;
  double parameters(std::int64_t positions, double columns) const override;

  /// ω of each column.
  const Frequencies& frequencies() const { return frequencies_; }

 private:
  SinusoidalFormula formula_;
  Frequencies frequencies_;
};

}  // namespace rope
