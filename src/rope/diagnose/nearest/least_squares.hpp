#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rope/diagnose/arrangement.hpp"
#include "rope/diagnose/spectrum.hpp"
#include "rope/diagnose/tensors.hpp"

namespace rope {

struct DiagnosisRequest;

/// One convention, fitted to some vectors of a sample of tokens.
struct LeastSquares {
  Arrangement arrangement;
  Spectrum spectrum;
  std::vector<std::int64_t> positions;  ///< one per token of the sample
  std::int64_t offset = 0, step = 1;    ///< positions = step·(given + offset)
  double residual = 1;                  ///< |y − R̂ x| over |x|
};

/// Writes R̂ x for one vector to `result`. `cos`, `sin`: one entry per pair of the arrangement.
void rotate_by(const Arrangement& arrangement, std::span<const double> cos,
               std::span<const double> sin, std::span<const double> x, std::span<double> result);

/// Cosines and sines of every pair of the arrangement at a position, times A.
void row_of(const Spectrum& spectrum, std::int64_t position, std::span<double> cos,
            std::span<double> sin);

/// |y − R̂ x| over |x| for each lane.
std::vector<double> lane_residuals(const RotatedTensors& tensors, const LeastSquares& fit);

/// The embeddings to try before arbitrary bases: the assumed embedding, usual bases, presets, and
/// the assumed embedding with one number changed.
std::vector<RotaryEmbedding> plain_readings(const DiagnosisRequest& request,
                                            std::size_t rotary_dim);

/// The arrangement that leaves the least of y unexplained if each pair may turn by any angle that
/// is the same for all vectors of a token. `left`: the fraction of |y|² that remains unexplained.
struct NearestTurn {
  Arrangement arrangement;
  double left = 1;
};
NearestTurn nearest_turn(const RotatedTensors& tensors, const DiagnosisRequest& request);

/// Finds the convention that fits best. `given`: one position per token.
LeastSquares fit_convention(const RotatedTensors& tensors, std::span<const std::int64_t> given,
                            const DiagnosisRequest& request);

}  // namespace rope
