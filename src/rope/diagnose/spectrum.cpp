#include "rope/diagnose/spectrum.hpp"

#include <cmath>

#include "rope/precision/largest.hpp"

namespace rope {

double Spectrum::error_of(std::size_t k) const {
  double error = theta_error.empty() ? 0 : theta_error[k];
  if (recognised && base_low > 0 && base_high > base_low && std::isfinite(base_high))
    error = larger(error, embedding.frequencies.theta[k] *
                              (std::log(divisor_high / divisor_low) +
                               std::log(base_high / base_low) * static_cast<double>(k) /
                                   static_cast<double>(embedding.pairs())));
  return error;
}

bool Spectrum::known(std::size_t k) const {
  return recognised || theta_error.empty() || embedding.frequencies.theta[k] > theta_error[k];
}

bool same_frequencies(const Spectrum& a, const Spectrum& b) {
  const std::vector<double>& left = a.embedding.frequencies.theta;
  const std::vector<double>& right = b.embedding.frequencies.theta;
  if (left.size() != right.size()) return false;
  for (std::size_t k = 0; k < left.size(); ++k)
    if (!(std::abs(left[k] - right[k]) <= a.error_of(k) + b.error_of(k) + 1e-9 * right[k]))
      return false;
  return true;
}

}  // namespace rope
