#pragma once

// What comes near where nothing explains y within rounding: Diagnosis::best_fit.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rope/diagnose/arrangement.hpp"
#include "rope/diagnose/remedy.hpp"
#include "rope/diagnose/spectrum.hpp"

namespace rope {

struct DiagnosisRequest;
struct NoisyEmbedding;
struct RotatedTensors;

/// Vectors that follow one convention up to what is left of them.
struct FitPart {
  std::vector<std::size_t> lanes;  ///< which vectors of every token; ascending
  bool rotated = true;             ///< false: y is x in these lanes, and nothing below counts
  Arrangement arrangement;
  Spectrum spectrum;                            ///< with the fitted attention factor
  std::vector<std::int64_t> positions;          ///< one per token
  std::optional<std::int64_t> position_offset;  ///< from those given, where it is the same for all
  double residual = 0;  ///< |y − R̂ x| over |x|, root mean square over the lanes
};

/// The embedding of a part, if its pairs stand as models have them and turn by mθ; a fitted factor
/// near 1 is 1.
std::optional<RotaryEmbedding> embedding_of(const FitPart& part, std::size_t head_dim);

/// The convention that leaves least of y unexplained, where none reproduces y within rounding.
struct BestFit {
  std::vector<FitPart> parts;          ///< the one with most lanes first
  std::vector<std::size_t> strange;    ///< lanes that follow none of them
  double residual = 0;                 ///< |y − ŷ| over |x|, root mean square
  double explained = 0;                ///< 1 − |y − ŷ|/|y|
  std::vector<std::size_t> following;  ///< pairs that follow the first part, where some do not
  std::vector<std::size_t> straying;   ///< and those that do not
  /// One convention of all vectors, and what it leaves is spread as noise is: over all pairs alike,
  /// and not shared by the vectors of a token as the error of an angle would be.
  bool noise = false;
  std::string looks_like;  ///< what is left, in words; empty if it looks like nothing
  std::string bug;         ///< a known bug that y follows; empty if none
  Remedy remedy;

  /// Whether vectors of a token are turned in several ways.
  bool in_parts() const { return parts.size() > 1 || !strange.empty(); }
};

/// Whether a fit leaves no more than rounding does, or products in another order.
///
/// `storage`: the narrowest format that holds y.
bool within_rounding(const BestFit& fit, Format storage);

/// Searches by least squares, with no bound: layouts and their conversions, the stated embedding,
/// presets, usual bases and any base, every offset, steps of positions, known bugs, and lanes that
/// follow a convention of their own. Works on a sample of tokens; nothing if more than a tenth of
/// |y| is left and fewer than a quarter of the pairs follow.
///
/// `storage`: the narrowest format that holds y.
std::optional<BestFit> best_fit(const RotatedTensors& tensors, const DiagnosisRequest& request,
                                Format storage);

/// The same of an embedding of which y differs by noise alone.
BestFit noisy_fit(const RotatedTensors& tensors, const DiagnosisRequest& request, Format storage,
                  const NoisyEmbedding& noisy);

}  // namespace rope
