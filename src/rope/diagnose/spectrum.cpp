#include "rope/diagnose/spectrum.hpp"

#include <cmath>

#include "rope/precision/largest.hpp"

namespace rope {

double Spectrum::error_of(std::size_t i) const {
  double error = theta_error.empty() ? 0 : theta_error[i];
  if (recognised && base_low > 0 && base_high > base_low && std::isfinite(base_high))
    error = larger(error, embedding.frequencies.theta[i] *
                              (std::log(divisor_high / divisor_low) +
                               std::log(base_high / base_low) * static_cast<double>(i) /
                                   static_cast<double>(embedding.pairs())));
  return error;
}

bool Spectrum::known(std::size_t i) const {
  return recognised || theta_error.empty() || embedding.frequencies.theta[i] > theta_error[i];
}

bool same_frequencies(const Spectrum& a, const Spectrum& b) {
  const std::vector<double>& left = a.embedding.frequencies.theta;
  const std::vector<double>& right = b.embedding.frequencies.theta;
  if (left.size() != right.size()) return false;
  for (std::size_t i = 0; i < left.size(); ++i)
    if (!(std::abs(left[i] - right[i]) <= a.error_of(i) + b.error_of(i) + 1e-9 * right[i]))
      return false;
  return true;
}

}  // namespace rope
