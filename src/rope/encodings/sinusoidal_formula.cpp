#include "rope/encodings/sinusoidal_formula.hpp"

#include <cmath>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "rope/error.hpp"
#include "rope/rotary/exact_real.hpp"
#include "rope/rotary/unseen_angles.hpp"

namespace rope {
namespace {

bool is_even(std::int64_t column) { return column % 2 == 0; }

Frequencies formula_frequencies(std::size_t dim, double base, const SinusoidalFormula& formula) {
  if (dim < 1 || dim > kMaxRotaryDim)
    throw ShapeError(Subject{"sinusoidal"}, "expected a size from 1 to " +
                                                std::to_string(kMaxRotaryDim) + ", got " +
                                                std::to_string(dim));
  if (!(base > 0) || !std::isfinite(base))
    throw DomainError(Subject{"base"}, "expected a finite number above 0");
  // b^(−e/D), e = 0 … D−1: the geometric family of twice the size.
  const std::vector<ExactReal> powers = exact_geometric(ExactReal(base), 2 * dim);
  const auto size = static_cast<std::int64_t>(dim);
  std::vector<ExactReal> omega;
  for (std::int64_t c = 0; c < size; ++c) {
    const std::int64_t column = formula.first + c;
    const std::int64_t exponent = column + (is_even(column) ? formula.even : formula.odd);
    if (exponent <= -size || exponent >= size)
      throw DomainError(Subject{"sinusoidal"},
                        "expected exponents between -" + std::to_string(size) + " and " +
                            std::to_string(size) + ", got " + std::to_string(exponent));
    const ExactReal& power = powers[static_cast<std::size_t>(std::abs(exponent))];
    omega.push_back(exponent < 0 ? 1 / power : power);
  }
  return round_frequencies(omega);
}

}  // namespace

FormulaTable::FormulaTable(std::size_t dim, double base, SinusoidalFormula formula)
    : formula_(formula), frequencies_(formula_frequencies(dim, base, formula)) {}

std::vector<double> FormulaTable::row(std::int64_t position) const {
  std::vector<double> row;
  std::int64_t column = formula_.first;
  for (const TurnFraction& turns : frequencies_.turns) {
    const CosSin wave = cos_sin(position * turns);
    row.push_back(is_even(column) ? wave.sin : wave.cos);
    ++column;
  }
  return row;
}

double FormulaTable::largest_norm() const {
  return std::sqrt(static_cast<double>(dim())) * (1 + 4 * entry_error());
}

double FormulaTable::entry_error() const { return kCosSinError; }

double FormulaTable::unseen_share(std::int64_t trained, std::int64_t length) const {
  const std::vector<double> unseen =
      angle_coverage(frequencies_, frequencies_, trained, length).unseen;
  return std::accumulate(unseen.begin(), unseen.end(), 0.0) / static_cast<double>(unseen.size());
}

double FormulaTable::parameters(std::int64_t /*positions*/, double /*columns*/) const { return 0; }

}  // namespace rope
