#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "rope/rotary/embedding.hpp"
#include "rope/rotary/measured.hpp"
#include "rope/verify/verification.hpp"

namespace rope {

/// A mistake that occurs in ports of models and can be seen in the arrows: a negative control of
/// the verification or, if only the precision is wrong, a rounding policy.
struct PortingMistake {
  std::string_view name;     ///< "sign"
  std::string_view control;  ///< name of the negative control, or empty
  std::string_view policy;   ///< name of the rounding policy
  std::string_view sentence;
};

/// The mistakes sign, pairing, base, bfloat16 and off-by-one.
std::span<const PortingMistake> porting_mistakes();

/// q at positions m and k at n = m + distance, both turned.
struct TurningRequest {
  RotaryEmbedding embedding;
  std::vector<double> query;              ///< (d)
  std::vector<double> key;                ///< (d); empty if there is no key
  std::int64_t distance = 0;              ///< n − m
  std::vector<std::int64_t> positions;    ///< m
  std::vector<std::size_t> pairs;         ///< the pairs whose planes are shown
  std::optional<PortingMistake> mistake;  ///< if set, its arrows are drawn next to the correct ones
  /// Whether the pair with the largest error replaces the nearest of the inner `pairs`; the first
  /// and the last are kept.
  bool seeks_mistake = false;
};

/// A point in the plane of a pair; its coordinates are the two dimensions of the pair.
struct PlanePoint {
  double x = 0;
  double y = 0;
};

/// The plane of one pair, with q at m and k at n.
struct TurnedPair {
  double turns = 0;  ///< mθ_i/2π: how many turns the pair has made since position 0
  PlanePoint query, key;
  PlanePoint wrong_query,
      wrong_key;  ///< with the mistake; equal to `query` and `key` if there is no mistake
};

/// Whether the angle from q to k in the plane of a pair stays the same when q and k move together.
struct AngleKept {
  bool exists = false;  ///< whether q and k both have a nonzero length in this plane
  double angle = 0;     ///< at the first position, in radians, −π to π
  Measured change;  ///< the largest change over the positions, and how much of it rounding explains
  double off_by = 0;        ///< the largest error that the mistake causes in the angle, at most π
  std::int64_t off_at = 0;  ///< the m at which that error is largest

  /// Whether the effect of the mistake is larger than rounding explains.
  bool shows_mistake() const { return off_by > change.bound; }
};

struct TurningStudy : TurningRequest {
  std::vector<TurnedPair> turned;         ///< for each position in turn, all of `pairs`
  std::vector<AngleKept> kept;            ///< of each of `pairs`; empty without a key
  std::vector<AngleKept> all_kept;        ///< of every pair of the embedding; empty without a key
  std::optional<VerifyReport> verdict;    ///< the outcome of the verification for the mistake
  std::optional<VerifyOptions> verified;  ///< the options of that verification

  const TurnedPair& at(std::size_t position, std::size_t pair) const {
    return turned[position * pairs.size() + pair];
  }

  /// The pair whose angle changes most, and the pair whose angle has the largest error with the
  /// mistake; if several are equal, the first. Nothing if no pair has an angle.
  std::optional<std::size_t> pair_of_largest_change() const;
  std::optional<std::size_t> pair_of_largest_error() const;
};

/// Turns q and k.
///
/// Shapes    query and key: head_dim numbers; pairs below r/2; at least one position and one pair.
/// Accuracy  the arrows are those of rotate_elementwise. The angles come from libm's atan2, for
///           people to read.
/// Edge      a pair in which q or k is 0 has no angle. Positions at which the mistake turns q or k
///           into zero reveal nothing about its error.
/// Throws    ShapeError or DomainError if the parts of the request do not fit together.
TurningStudy turn(TurningRequest request);

}  // namespace rope
