#pragma once

// The convention that comes closest if none explains y within rounding: Diagnosis::best_fit.

#include <array>
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

/// Vectors that follow one convention up to a residual.
struct FitPart {
  std::vector<std::size_t> lanes;  ///< which vectors of every token; ascending
  bool rotated = true;             ///< if false, y is x in these lanes; ignore the members below
  Arrangement arrangement;
  Spectrum spectrum;                    ///< with the fitted attention factor
  std::vector<std::int64_t> positions;  ///< one per token
  /// Offset from the given positions, if it is the same for all.
  std::optional<std::int64_t> position_offset;
  double residual = 0;  ///< |y − R̂ x| over |x|, root mean square over the lanes
};

/// The embedding of a part, if its pairs have a layout that models use and turn by mθ; a fitted
/// factor near 1 becomes 1.
std::optional<RotaryEmbedding> embedding_of(const FitPart& part, std::size_t head_dim);

/// Numbers of y that do not follow the convention that all others follow up to rounding.
struct WrongNumbers {
  std::size_t wrong = 0, all = 0;  ///< how many numbers are wrong, and how many there are
  /// Tokens that hold wrong numbers; ascending, like the two lists below.
  std::vector<std::size_t> tokens;
  std::vector<std::size_t> lanes;       ///< likewise
  std::vector<std::size_t> dimensions;  ///< likewise
  std::array<std::size_t, 3> first{};   ///< token, lane and dimension of the first wrong number
  bool are_x = true, are_zero = true;   ///< whether all wrong numbers equal those of x, or are zero
  /// Whether one number of each wrong pair is computed from the other one already rotated.
  bool are_of_overwritten = true;

  /// Whether fewer than half of the numbers of these tokens, lanes and dimensions are wrong.
  bool scattered() const;
};

/// The convention that leaves the least of y unexplained, if none reproduces y within rounding.
struct BestFit {
  std::vector<FitPart> parts;          ///< the part with the most lanes first
  std::vector<std::size_t> strange;    ///< lanes that follow none of the parts
  double residual = 0;                 ///< |y − ŷ| over |x|, root mean square
  double explained = 0;                ///< 1 − |y − ŷ|/|y|
  std::vector<std::size_t> following;  ///< pairs that follow the first part, if some do not
  std::vector<std::size_t> straying;   ///< pairs that do not follow the first part
  /// Whether one convention covers all vectors, with a residual spread like noise: evenly over all
  /// pairs, and not shared by the vectors of a token as an angle error would be.
  bool noise = false;
  std::string looks_like;  ///< what the residual looks like; empty if it resembles nothing known
  std::string bug;         ///< a known bug that y follows; empty if none
  std::optional<WrongNumbers> wrong_numbers;  ///< set if all other numbers follow the only part
  Remedy remedy;

  /// Whether it is known why no single convention explains y.
  bool settled() const { return !bug.empty() || in_parts() || wrong_numbers; }

  /// Whether the vectors of a token are turned in several ways.
  bool in_parts() const { return parts.size() > 1 || !strange.empty(); }
};

/// Whether a fit leaves no more of y unexplained than rounding, or another order of products, can
/// account for.
///
/// `storage`: the narrowest format that holds y.
bool within_rounding(const BestFit& fit, Format storage);

/// Searches by least squares, without error bounds. Tries layouts and their conversions, the stated
/// embedding, presets, usual bases and any other base, every offset, position steps, known bugs,
/// and separate conventions for some lanes. Works on a sample of tokens; returns nothing if more
/// than a tenth of |y| is left and fewer than a quarter of the pairs follow a convention.
///
/// `storage`: the narrowest format that holds y.
std::optional<BestFit> best_fit(const RotatedTensors& tensors, const DiagnosisRequest& request,
                                Format storage);

/// The best fit for an embedding from which y differs only by noise.
BestFit noisy_fit(const RotatedTensors& tensors, const DiagnosisRequest& request, Format storage,
                  const NoisyEmbedding& noisy);

}  // namespace rope
