#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "rope/verify/output_report.hpp"

namespace rope {

/// What the output contains in place of a rotated vector.
enum class Unrotated {
  zero,       ///< zeros, because nothing was written
  unchanged,  ///< the input vector
  not_finite  ///< a NaN or an infinity
};

/// "zero", "unchanged" or "not_finite".
std::string_view name(Unrotated kind);

/// Vectors that were not rotated, or some dimensions of them.
struct UnrotatedPlaces {
  Unrotated kind = Unrotated::zero;
  std::uint64_t vectors = 0;  ///< how many of these vectors are beyond their bounds
  std::uint64_t first = 0;    ///< the index of the first of these vectors
  /// The dimensions that were not rotated; all of them for whole vectors.
  std::vector<std::size_t> dimensions;
  /// The indices along each axis except the last, if the vectors are exactly the combinations of
  /// these indices; otherwise empty. If they extend over a whole axis, all indices of that axis are
  /// listed.
  std::vector<std::vector<std::size_t>> along;
};

/// Where the violations are in an array.
struct OutputPlaces {
  std::vector<std::size_t> lengths;  ///< of the axes; the last one is the dimensions
  /// For each axis, the indices at which there are violations.
  std::vector<std::vector<std::size_t>> failing;
  std::vector<UnrotatedPlaces> unrotated;
  bool all_unrotated = false;  ///< whether nothing else is beyond its bound

  /// Whether all failing vectors are unchanged input vectors.
  bool all_unchanged() const {
    return all_unrotated && unrotated.size() == 1 && unrotated.front().kind == Unrotated::unchanged;
  }

  /// The indices of an axis that are not in `failing`: everything there is correct.
  std::vector<std::size_t> right(std::size_t axis) const;
};

/// Records where violations are, in three bits per number.
class PlaceRecorder {
 public:
  /// `lengths`: the lengths of the array's axes, of which the last one is the dimensions.
  PlaceRecorder(std::vector<std::size_t> lengths, const RotaryEmbedding& embedding);

  /// Adds the next vector, in the order of the array, with the errors of its pairs and of the
  /// dimensions that pass through: see OutputCheck::last.
  void add(std::span<const double> x, std::span<const double> y,
           std::span<const OutputError> errors);

  OutputPlaces places() const;

 private:
  using Marks = std::vector<bool>;
  using Block = std::vector<std::vector<std::size_t>>;
  bool all_hold(const Block& block, const Marks& holds) const;
  Block block_of(const std::vector<std::size_t>& vectors, const Marks& holds) const;
  std::vector<std::vector<std::size_t>> indices_of(const std::vector<std::size_t>& vectors) const;
  void add_dimensions(const std::vector<std::size_t>& vectors, OutputPlaces& places) const;

  std::vector<std::size_t> lengths_;
  std::vector<PairDimensions> pairs_;
  std::size_t vectors_ = 0;
  Marks failing_, zero_, unchanged_;                     // for every number
  Marks fails_, all_zero_, all_unchanged_, not_finite_;  // for every vector
};

}  // namespace rope
