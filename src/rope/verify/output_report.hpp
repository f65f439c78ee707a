#pragma once

// What certify() compared: counts, the worst pair, and the first pair beyond its bound.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rope/print.hpp"
#include "rope/rotary/embedding.hpp"
#include "rope/rotary/measured.hpp"
#include "rope/rotary/turns.hpp"
#include "rope/verify/verdict.hpp"

namespace rope {

/// A place in the output of an implementation, and how far off it is: the error is
/// |found − exact| of the pair, as a vector in its plane.
struct OutputError : Measured {
  std::uint64_t vector = 0;   ///< number of the vector, or of the row of a table
  std::int64_t position = 0;  ///< the position of the pair; with several axes, the one on its axis
  std::size_t pair = 0;       ///< the pair, or the dimension if it passes through
  bool passes_through = false;
  CosSin found{};     ///< the two numbers of the pair, or the number of the dimension and 0
  CosSin expected{};  ///< their exact values, rounded to double
};

/// How much the numbers of one pair can reveal about its rotation.
enum class Evidence {
  none,   ///< nothing: at every position except 0, the pair is zero or any turn would be within its
          ///< bound
  fixed,  ///< only a turn that is far off: leaving the pair unrotated would be within the bounds
  turn,   ///< that the pair was turned: leaving it unrotated would exceed its bound somewhere
};

/// "none", "fixed" or "turn".
std::string_view name(Evidence evidence);

/// The result of comparing outputs with their bounds.
struct OutputReport {
  std::uint64_t compared = 0;    ///< number of pairs, and of dimensions that pass through
  std::uint64_t violations = 0;  ///< how many of these are beyond their bounds
  std::uint64_t vacuous = 0;  ///< number of nonzero pairs for which any turn is within the bounds
  std::uint64_t zero = 0;  ///< number of pairs that are zero, and therefore stay zero at any angle
  OutputError worst;       ///< the worst error of all
  std::optional<OutputError> first;   ///< the first one beyond its bound
  std::vector<OutputError> per_pair;  ///< the worst of each pair
  std::vector<Evidence> evidence;     ///< of each pair

  bool passed() const { return violations == 0; }

  /// The pairs for which `evidence` is `wanted`.
  std::vector<std::size_t> pairs_that_show(Evidence wanted) const;

  /// A pass only if the numbers could have failed: no pair is vacuous, no pair's evidence is
  /// `none`, and at least one pair shows that it was turned, unless no pair has to turn.
  Verdict verdict(const RotaryEmbedding& embedding) const;
};

}  // namespace rope
