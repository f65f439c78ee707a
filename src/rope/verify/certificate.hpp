#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "rope/verify/scheme.hpp"

namespace rope {

/// The rows of a scheme for one pair of positions: of the query at m, the key at n, and the
/// relative rotation at n − m.
struct SchemeRows {
  Rotor::Row query, key, relative;
  /// A, by which q is multiplied on the right side, because the left side contains A twice.
  double scale = 1;
};
void scheme_rows(const Scheme& scheme, std::int64_t m, std::int64_t n, SchemeRows& rows);

/// ‖R̂_mᵀR̂_n − A·R̂_{n−m}‖₂: the largest possible violation of the identity over ALL q and k of
/// length 1.
struct Defect {
  double norm = 0;  ///< operator norm, in units of ‖q‖‖k‖
  /// Frobenius norm; divided by d, it is the effect on random q and k; NaN if not measured.
  double frobenius = 0;
  std::size_t pair = 0;  ///< the pair that attains the norm
};

/// The evaluation error of a norm for blocks of modulus 1; with an attention factor A, the error is
/// A² times this.
inline constexpr double kDefectError = 0x1p-60;

/// The defect of the tables only, with rotations and scores evaluated exactly.
///
/// Blockwise schemes are evaluated in closed form, with twice the precision of a double; others
/// (mixed layouts) by d products with unit vectors and a power iteration, which gives a lower bound
/// on the norm. Returns nothing for an additive scheme, which has no matrix.
std::optional<Defect> defect(const Scheme& scheme, const SchemeRows& rows);

/// Unit vectors that attain the norm of one pair's block: ⟨R_m q, R_n k⟩ − ⟨q, R_{n−m} k⟩ = norm.
/// Each vector is given by its two numbers on the pair's dimensions. Only for blockwise schemes.
struct WorstPair {
  std::array<double, 2> q;
  std::array<double, 2> k;
};
WorstPair worst_pair(const SchemeRows& rows, std::size_t pair);

/// |qᵀ(R̂_mᵀR̂_n − R̂_{n−m})k| for vectors on one pair, with twice the precision of a double.
double defect_of(const SchemeRows& rows, std::size_t pair, const WorstPair& vectors);

}  // namespace rope
