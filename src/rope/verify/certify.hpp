#pragma once

// Is the output of a kernel as accurate as its formats allow?
//
//     const rope::Certification c =
//         rope::certify(embedding, *rope::find_policy("float32"), x, y, positions);
//     if (c.verdict != rope::Verdict::pass) std::cerr << c << "\n";

#include <cstdint>
#include <optional>
#include <span>

#include "rope/precision/format.hpp"
#include "rope/precision/hypotheses.hpp"
#include "rope/precision/policy.hpp"
#include "rope/rotary/arrays.hpp"
#include "rope/rotary/embedding.hpp"
#include "rope/verify/output_report.hpp"
#include "rope/verify/verdict.hpp"

namespace rope {

/// What the caller knows about an implementation in addition to its policy.
struct CertifyOptions {
  /// The type of the implementation's results, if it is narrower than the type of the array that
  /// holds them, as with bfloat16 widened to float. If empty: the type of the array.
  std::optional<Format> result;
  /// How far off the implementation's cos and sin may be; rule_roundings are allowed for as in
  /// `rope verify`.
  Hypotheses hypotheses;
};

/// The errors that an implementation was allowed, and the outcome.
struct Certification {
  Verdict verdict = Verdict::inconclusive;
  /// What was compared, the worst result, and the first result beyond its bound.
  OutputReport report;
  Policy policy;          ///< with the cast to the type of the results
  bool narrowed = false;  ///< whether that cast is narrower than the policy's own
  /// Including the roundings allowed for a scaling rule and for repeated products.
  Hypotheses hypotheses;
  /// If results are beyond their bounds: the smallest error of cos and sin, in whole units in the
  /// last place, with which the results would pass; the verdict is then inconclusive. Nothing if
  /// even the errors documented for vectorised libms are not enough.
  std::optional<double> sufficient_libm_ulp;
  RotaryEmbedding embedding;  ///< the embedding by which the implementation was judged
  bool of_tables = false;     ///< whether cos and sin tables were judged rather than vectors
};

/// Judges the output of an implementation: for these inputs, is y within what the rounding policy
/// allows for R_m x? `rope verify --input X --result Y` makes the same judgement.
///
/// A fail is a proof: no implementation of that policy produces such numbers with the cos and sin
/// of any documented library (up to 4 ulp). Output that can be explained only by cos and sin less
/// accurate than assumed is inconclusive; sufficient_libm_ulp is the error that would explain it. A
/// pass needs numbers that could have failed: pairs that are not zero, and a position other than 0.
///
/// Shapes    x and y: [tokens, …, d], row-major; positions: one per token, negative ones allowed.
/// Layout    that of the embedding.
/// Accuracy  the bounds are rigorous: docs/accuracy.md#one-rotated-vector. R_m x is known to 100
///           bits where that matters.
/// Edge      a NaN or an infinity in y fails.
/// Throws    ShapeError if the sizes disagree or there is nothing to compare; DomainError if x
///           contains a number that is not finite, is above 2^1000 or cannot be represented in the
///           policy's input format, or if a frequency is not finite in the policy's format.
/// Example   examples/certify.cpp
Certification certify(const RotaryEmbedding& embedding, const Policy& policy,
                      std::span<const float> x, std::span<const float> y,
                      std::span<const std::int64_t> positions, const CertifyOptions& options = {});
Certification certify(const RotaryEmbedding& embedding, const Policy& policy,
                      std::span<const double> x, std::span<const double> y,
                      std::span<const std::int64_t> positions, const CertifyOptions& options = {});

/// The same for arrays with axes in any order.
///
///     certify(embedding, policy, {"BHTD", {2, 8, 17, 64}}, x, y, positions)
///
/// Shapes    x and y: as given by the axes, row-major; positions: as in ArrayAxes::vectors. The
///           report numbers vectors in the order of the array.
/// Throws    whatever certify and ArrayAxes::vectors throw.
Certification certify(const RotaryEmbedding& embedding, const Policy& policy, const ArrayAxes& axes,
                      std::span<const float> x, std::span<const float> y,
                      std::span<const std::int64_t> positions, const CertifyOptions& options = {});
Certification certify(const RotaryEmbedding& embedding, const Policy& policy, const ArrayAxes& axes,
                      std::span<const double> x, std::span<const double> y,
                      std::span<const std::int64_t> positions, const CertifyOptions& options = {});

/// The same for tables: cos and sin against A·cos(mθ_i) and A·sin(mθ_i), as
/// `rope verify --cos C --sin S` judges them.
///
/// Shapes    cos and sin: [positions, r/2], or [positions, r] with an entry for each rotated
///           dimension, in its place; row-major.
/// Throws    as certify.
Certification certify_tables(const RotaryEmbedding& embedding, const Policy& policy,
                             std::span<const float> cos, std::span<const float> sin,
                             std::span<const std::int64_t> positions,
                             const CertifyOptions& options = {});
Certification certify_tables(const RotaryEmbedding& embedding, const Policy& policy,
                             std::span<const double> cos, std::span<const double> sin,
                             std::span<const std::int64_t> positions,
                             const CertifyOptions& options = {});

}  // namespace rope
