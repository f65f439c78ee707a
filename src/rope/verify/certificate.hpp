#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "rope/verify/scheme.hpp"

namespace rope {

/// The rows of a scheme at one pair of positions: query at m, key at n, relative at n − m.
struct SchemeRows {
  Rotor::Row query, key, relative;
  double scale =
      1;  ///< A: the right side's q is multiplied by it, because the left side contains A twice
};
void scheme_rows(const Scheme& scheme, std::int64_t m, std::int64_t n, SchemeRows& rows);

/// ‖R̂_mᵀR̂_n − A·R̂_{n−m}‖₂: the largest possible violation of the identity over ALL q and k of
/// length 1.
struct Defect {
  double norm = 0;  ///< operator norm, in units of ‖q‖‖k‖
  double frobenius =
      0;  ///< Frobenius norm; divided by d, the effect on random q, k; NaN if not measured
  std::size_t pair = 0;  ///< the pair that attains the norm
};

/// Evaluation error of a norm, for blocks of modulus 1; with an attention factor A, A² times this.
inline constexpr double kDefectError = 0x1p-60;

/// The defect of the tables only, with rotations and scores evaluated exactly.
///
/// Blockwise schemes are evaluated in closed form, with twice the digits of a double; others (mixed
/// layouts) by d products with unit vectors and a power iteration, which gives a lower bound on the
/// norm. Returns nothing for an additive scheme, which has no matrix.
std::optional<Defect> defect(const Scheme& scheme, const SchemeRows& rows);

/// Unit vectors that attain the norm of one pair's block: ⟨R_m q, R_n k⟩ − ⟨q, R_{n−m} k⟩ = norm.
/// Each vector is given by its two numbers on the pair's dimensions. Blockwise schemes only.
struct WorstPair {
  std::array<double, 2> q;
  std::array<double, 2> k;
};
WorstPair worst_pair(const SchemeRows& rows, std::size_t pair);

/// |qᵀ(R̂_mᵀR̂_n − R̂_{n−m})k| for vectors on one pair, with twice the digits of a double.
double defect_of(const SchemeRows& rows, std::size_t pair, const WorstPair& vectors);

}  // namespace rope
