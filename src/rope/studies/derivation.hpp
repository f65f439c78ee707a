#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "rope/studies/score.hpp"

namespace rope {

/// One pair's share of ⟨R_m q, R_n k⟩, multiplied out:
///
///     (q₁c_m − q₂s_m)(k₁c_n − k₂s_n) + (q₁s_m + q₂c_m)(k₁s_n + k₂c_n)
///
/// with c_m = cos mθ, s_m = sin mθ. The eight products are numbered in order:
///
///     1  q₁k₁c_m c_n   2 −q₁k₂c_m s_n   3 −q₂k₁s_m c_n   4  q₂k₂s_m s_n
///     5  q₂k₂c_m c_n   6  q₂k₁c_m s_n   7  q₁k₂s_m c_n   8  q₁k₁s_m s_n
///
/// and the formulas for the sum and the difference of two angles merge them two by two: 1 and 8, 2
/// and 7, 3 and 6, 4 and 5.
struct PairDerivation {
  std::array<double, 8> products{};
  /// q₁k₁cos, q₁k₂sin, −q₂k₁sin and q₂k₂cos of (m − n)θ: each merges product 1, 2, 3 or 4 with its
  /// partner.
  std::array<double, 4> merged{};
  /// Each entry of `merged` differs by at most this from the sum of its two products.
  double allowed = 0;
};

/// The product that merges with 1, 2, 3 and 4, respectively.
inline constexpr std::array<std::size_t, 4> kPartners = {8, 7, 6, 5};

/// Derives one pair. The attention factor A is omitted: it would multiply all products by A².
///
/// Throws    as check_vectors; DomainError for a pair that does not exist and at positions beyond
///           ±2^61.
PairDerivation derive_pair(const ScoreVectors& vectors, std::size_t pair, std::int64_t m,
                           std::int64_t n);

/// Correct and incorrect formulas for the score. Each is summed over the pairs, and the
/// dimensions that pass through are added.
enum class ScoreFormula {
  turned,           ///< ⟨R_m q, R_n k⟩ itself
  products,         ///< the eight products
  expanded,         ///< (q₁k₁+q₂k₂)cos((m−n)θ) − (q₂k₁−q₁k₂)sin((m−n)θ)
  key_conjugate,    ///< Re[q k* e^{i(m−n)θ}]
  query_conjugate,  ///< Re[q* k e^{i(m−n)θ}]: not the score
  matrix,           ///< qᵀ R((n−m)θ) k
  opposite_matrix,  ///< qᵀ R((m−n)θ) k: not the score
};

/// "turned", "products", "expanded", "key-conjugate" and so on; nothing for any other word.
std::optional<ScoreFormula> score_formula(std::string_view word);

/// A score computed by a formula, and a bound on |value − exact|.
struct FormulaScore {
  double value = 0;
  double error = 0;
};

/// Throws    whatever derive_pair throws.
FormulaScore score_by_formula(ScoreFormula formula, const ScoreVectors& vectors, std::int64_t m,
                              std::int64_t n);

/// Compares the rotation by mθ with the recurrence φ(j) = φ(j−1) + θ: R_{mθ} x with R_θ applied m
/// times to R_start x. Returns the largest length of the difference over m = 0 … last, and how much
/// of it rounding explains. The two agree for every m if and only if φ(0) = 0.
///
/// Shapes    x is vectors.q; `start` = φ(0), in radians, for every pair.
/// Throws    whatever check_vectors throws; DomainError unless 1 ≤ last ≤ 65536.
Measured recurrence_beside_rotation(const ScoreVectors& vectors, double start, std::int64_t last);

}  // namespace rope
