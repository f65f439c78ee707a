#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "rope/precision/format.hpp"

namespace rope {

/// What is known about numbers as they were before an inverse rotation turned them back; empty if
/// there was no such rotation.
struct Origins {
  /// The length of each number's pair; 0 where the number was not rotated.
  std::vector<double> lengths;
  double farthest = 0;                 ///< the largest |position|
  Format reference = Format::float64;  ///< the narrowest format that holds these earlier numbers
};

/// Floating-point numbers in memory, read as doubles but kept in their own type: a tensor of 16-bit
/// numbers never takes four times the memory.
///
/// An object made from a span or an lvalue vector refers to the numbers there; one made from a
/// temporary vector owns them. Copies share the numbers.
class Numbers {
 public:
  Numbers() = default;
  Numbers(std::span<const double> values);     // NOLINT(google-explicit-constructor)
  Numbers(std::span<const float> values);      // NOLINT(google-explicit-constructor)
  Numbers(const std::vector<double>& values);  // NOLINT(google-explicit-constructor)
  Numbers(const std::vector<float>& values);   // NOLINT(google-explicit-constructor)
  Numbers(std::vector<double>&& values);       // NOLINT(google-explicit-constructor)
  Numbers(std::vector<float>&& values);        // NOLINT(google-explicit-constructor)
  /// From the bits of float16 or bfloat16 numbers.
  Numbers(Format format, std::vector<std::uint16_t>&& bits);
  /// Numbers obtained by undoing a rotation; they still contain the rounding errors of that
  /// rotation.
  Numbers(std::vector<double>&& values, Origins&& origins);

  std::size_t size() const { return size_; }

  double operator[](std::size_t i) const {
    if (single_ != nullptr) return static_cast<double>(single_[i]);
    if (double_ != nullptr) return double_[i];
    return static_cast<double>(of_bits_[bits_[i]]);
  }

  /// Whether the numbers were given in float32 or a narrower type, so that float32 can represent
  /// them.
  bool single() const { return double_ == nullptr; }

  /// Whether the numbers were turned back, and therefore computed from rounded numbers.
  bool turned_back() const { return origins_ != nullptr; }

  /// The origins without lengths: what is known about all the numbers together.
  Origins origins_of_none() const { return {{}, farthest(), reference()}; }

  /// The largest |position| from which the numbers were turned back.
  double farthest() const { return origins_ ? origins_->farthest : 0; }

  /// The narrowest format that holds the numbers from which these were turned back.
  Format reference() const { return origins_ ? origins_->reference : Format::float64; }

  /// The length of the pair from which number i was turned back; 0 if it was not turned back.
  double origin(std::size_t i) const { return origins_ ? origins_->lengths[i] : 0; }

  /// The same for two numbers that form a pair now, although they may not have formed one in the
  /// rotation that was turned back.
  double origin(std::size_t i, std::size_t j) const {
    return origins_ ? std::hypot(origin(i), origin(j)) : 0;
  }

  /// Copies the numbers first … first + values.size() − 1 to `values`.
  void read(std::size_t first, std::span<double> values) const {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = (*this)[first + i];
  }

 private:
  std::shared_ptr<const void> kept_;
  std::shared_ptr<const Origins> origins_;
  const double* double_ = nullptr;
  const float* single_ = nullptr;
  const std::uint16_t* bits_ = nullptr;
  const float* of_bits_ = nullptr;  // the number of each of the 2¹⁶ patterns
  std::size_t size_ = 0;
};

}  // namespace rope
