#include "rope/diagnose/angles/measured_angles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace rope {

double wrapped(double turns) { return turns - std::floor(turns + 0.5); }

MeasuredAngles measure_angles(const RotatedTensors& tensors, const Arrangement& arrangement,
                              const SearchTolerance& tolerance,
                              std::span<const std::size_t> pairs) {
  using Complex = std::complex<double>;
  MeasuredAngles angles;
  angles.tokens = tensors.tokens;
  angles.pairs = pairs.empty() ? arrangement.pairs() : pairs.size();
  angles.turns.assign(angles.tokens * angles.pairs, 0);
  angles.error.assign(angles.turns.size(), std::numeric_limits<double>::infinity());
  double lengths = 0, weights = 0, errors = 0;
  for (std::size_t k = 0; k < angles.pairs; ++k) {
    const std::size_t pair = pairs.empty() ? k : pairs[k];
    const PairDimensions in = arrangement.in_dimensions(pair);
    const PairDimensions out = arrangement.out_dimensions(pair);
    for (std::size_t t = 0; t < tensors.tokens; ++t) {
      Complex product = 0;
      double norm = 0, error = 0, carried = 0;
      for (std::size_t lane = 0; lane < tensors.lanes; ++lane) {
        const std::size_t row = tensors.row(t, lane);
        const Complex z(tensors.x[row + in.first], tensors.x[row + in.second]);
        const Complex v(tensors.y[row + out.first], tensors.y[row + out.second]);
        product += std::conj(z) * v;
        norm += std::norm(z);
        error += std::abs(z) * (std::abs(z.real()) + std::abs(z.imag()));
        carried += std::abs(z) * tensors.x.origin(row + in.first, row + in.second);
      }
      const double length = std::abs(product);
      if (!(norm > 0) || !(length > 0)) continue;
      const std::size_t at = t * angles.pairs + k;
      angles.turns[at] = std::arg(product) / (2 * std::numbers::pi);
      // Errors of both numbers, as an angle.
      const double relative =
          std::numbers::sqrt2 * (tolerance.relative * error + tolerance.carried * carried) / norm;
      angles.error[at] = (relative + tolerance.table) / (2 * std::numbers::pi);
      lengths += length;
      weights += norm;
      errors += norm * relative * relative;
    }
  }
  if (weights > 0) {
    angles.factor = lengths / weights;
    const auto count = static_cast<double>(angles.turns.size());
    // The errors of many numbers average out.
    angles.factor_error =
        angles.factor *
        ((std::sqrt(errors / weights) + tolerance.table) / std::sqrt(count) + 1e-16);
  }
  return angles;
}

}  // namespace rope
