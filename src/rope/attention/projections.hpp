#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "rope/encodings/vectors.hpp"
#include "rope/rotary/embedding.hpp"

namespace rope {

/// The matrices of one head: q = W_Q x and k = W_K y. Where tokens are rows (q = x W^Q, k = y W^K),
/// the same matrices appear transposed.
struct HeadProjections {
  RowMatrix w_q, w_k;  ///< (d, d), d the head size
};

/// Random matrices whose entries have standard deviation 1/√d.
HeadProjections random_projections(std::size_t head_dim, std::uint64_t seed, std::uint64_t stream);

/// The ways of writing the score of a token x at position m and a token y at n.
enum class ProjectedForm {
  turned_after,   ///< ⟨R_m W_Q x, R_n W_K y⟩: RoPE
  turned_before,  ///< ⟨W_Q R_m x, W_K R_n y⟩: the tokens themselves are turned; the score is not
                  ///< relative
  transposed,        ///< xᵀ W_Qᵀ R_{n−m} W_K y: equal to RoPE
  untransposed,      ///< xᵀ W_Q R_{n−m} W_K y: RoFormer's eq. 16 as printed; not equal
  rows,              ///< (x W^Q R_m)(y W^K R_n)ᵀ for row vectors, which turn clockwise
  rows_relative,     ///< x W^Q R_{m−n} W^Kᵀ yᵀ: equal to `rows`
  rows_other_order,  ///< x W^Q R_{n−m} W^Kᵀ yᵀ: not equal
};

/// The form that a word such as "turned-after" names; nothing if it names none.
std::optional<ProjectedForm> projected_form(std::string_view word);

/// A score, not divided by √d, and a bound on its rounding error.
struct ProjectedScore {
  double value = 0;
  double error = 0;  ///< at least |value − exact|
};

/// The score in one of these forms. The forms for row vectors multiply by dense matrices; the
/// others rotate element by element. The attention factor is omitted: it would multiply the score
/// in every form by A².
///
/// Shapes    x, y: (d).
/// Accuracy  the error is a running bound: a matrix W adds γ_d |W|_F to the error of each vector, a
///           rotation adds kRotationError, and the dot product adds γ_d times both lengths.
/// Throws    ShapeError if sizes differ; DomainError at positions beyond ±2^61.
/// Source    Su et al., RoFormer, arXiv:2104.09864, eq. 16 (there without the transpose).
ProjectedScore projected_score(ProjectedForm form, const RotaryEmbedding& embedding,
                               const HeadProjections& head, std::span<const double> x,
                               std::int64_t m, std::span<const double> y, std::int64_t n);

/// x M for a row vector x, summed from the first row of M to the last.
///
/// Throws    ShapeError if sizes differ.
std::vector<double> row_times(std::span<const double> x, const RowMatrix& matrix);

}  // namespace rope
