#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <span>
#include <vector>

#include "rope/precision/position_error.hpp"

namespace rope {

// The search looks at e_p = ŵ_p·e^{−ipθ} − 1, the error of one entry, with the frequency θ that
// both sides of the comparison share: θ̂_i for the identity, θ_i for the exact rotation. Then
//
//     conj(ŵ_m)·ŵ_n − ŵ_{n−m}        has the modulus of  ē_m + e_n − e_{n−m} + ē_m e_n,
//     conj(ŵ_m)·ŵ_n − e^{i(n−m)θ}    has the modulus of  ē_m + e_n + ē_m e_n,
//
// which are small numbers without cancellation. An error above a tolerance therefore requires
// entries that are themselves wrong.

/// |z|, without libm's hypot, which rounds differently from machine to machine.
inline double modulus(std::complex<double> z) { return std::sqrt(std::norm(z)); }

/// The entry errors of one pair at a time, at positions 0 … last.
class EntryErrors {
 public:
  /// Creates an object with room for positions up to `most` but no pair yet; the pipeline must
  /// outlive the object.
  EntryErrors(const Pipeline& pipeline, Against against, std::int64_t most);

  /// Computes the errors of the columns' current pair at positions 0 … last ≤ most.
  void take(const TableByPairs& columns, std::int64_t last);

  std::complex<double> operator[](std::int64_t p) const {
    return {real_[static_cast<std::size_t>(p)], imag_[static_cast<std::size_t>(p)]};
  }

  /// |e_p|
  double modulus(std::int64_t p) const { return moduli_[static_cast<std::size_t>(p)]; }

  std::int64_t last() const { return last_; }

  /// max |e_p| for p = 0 … last
  double largest_up_to(std::int64_t last) const { return largest_[static_cast<std::size_t>(last)]; }

  /// The same values for all positions; those beyond last() are meaningless.
  std::span<const double> real() const { return real_; }
  std::span<const double> imag() const { return imag_; }
  std::span<const double> moduli() const { return moduli_; }
  std::span<const double> largest() const { return largest_; }

 private:
  const Pipeline& pipeline_;
  Against against_;
  std::int64_t last_ = 0;
  std::vector<double> real_, imag_, moduli_, largest_;
};

}  // namespace rope
