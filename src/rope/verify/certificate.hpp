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
  double scale = 1;  ///< A: the right side's q is multiplied by it, as the left side holds A twice
};
void scheme_rows(const Scheme& scheme, std::int64_t m, std::int64_t n, SchemeRows& rows);

/// ‖R̂_mᵀR̂_n − A·R̂_{n−m}‖₂: the most by which the identity can be violated, over ALL q and k of
/// length 1.
struct Defect {
  double norm = 0;       ///< operator norm, in units of ‖q‖‖k‖
  double frobenius = 0;  ///< Frobenius norm: random q, k see it divided by d; NaN if not measured
  std::size_t pair = 0;  ///< the pair that attains the norm
};

/// Evaluation error of a norm, for blocks of modulus 1; A² times that with an attention factor.
inline constexpr double kDefectError = 0x1p-60;

/// The defect of only the tables, with rotations and scores evaluated exactly.
///
/// Blockwise schemes in closed form, with twice the digits of a double; others (mixed layouts) from
/// d products with unit vectors and a power iteration, whose norm is a lower bound. Nothing for an
/// additive scheme, which has no matrix.
std::optional<Defect> defect(const Scheme& scheme, const SchemeRows& rows);

/// Unit vectors that attain the norm of one pair's block: ⟨R_m q, R_n k⟩ − ⟨q, R_{n−m} k⟩ = norm.
/// Each has its two numbers on the pair's dimensions. Blockwise schemes only.
struct WorstPair {
  std::array<double, 2> q;
  std::array<double, 2> k;
};
WorstPair worst_pair(const SchemeRows& rows, std::size_t pair);

/// |qᵀ(R̂_mᵀR̂_n − R̂_{n−m})k| for vectors on one pair, with twice the digits.
double defect_of(const SchemeRows& rows, std::size_t pair, const WorstPair& vectors);

}  // namespace rope
