#pragma once

// What certify() compared: counts, the worst pair, and the first one beyond its bound.

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
  std::int64_t position = 0;  ///< of the pair: on its axis, where there are several
  std::size_t pair = 0;       ///< or the dimension, for one that passes through
  bool passes_through = false;
  CosSin found{};     ///< the two numbers of the pair, or the one number of a dimension and 0
  CosSin expected{};  ///< their exact values, rounded to double
};

/// What the numbers of one pair can show, whatever mistake there is.
enum class Evidence {
  none,   ///< nothing: at every position except 0 the pair is zero, or any turn is within its bound
  fixed,  ///< a turn that is far off, although leaving the pair as it was would be within the
          ///< bounds
  turn,   ///< that it turned: leaving it as it was would be beyond its bound somewhere
};

/// "none", "fixed" or "turn".
std::string_view name(Evidence evidence);

/// The result of comparing outputs with their bounds.
struct OutputReport {
  std::uint64_t compared = 0;         ///< pairs and dimensions that pass through
  std::uint64_t violations = 0;       ///< those of them beyond their bounds
  std::uint64_t vacuous = 0;          ///< nonzero pairs for which any turn is within the bounds
  std::uint64_t zero = 0;             ///< pairs that are zero, and stay zero at any angle
  OutputError worst;                  ///< the worst of what was compared
  std::optional<OutputError> first;   ///< the first one beyond its bound
  std::vector<OutputError> per_pair;  ///< the worst of each pair
  std::vector<Evidence> evidence;     ///< of each pair

  bool passed() const { return violations == 0; }

  /// The pairs whose numbers show exactly this.
  std::vector<std::size_t> pairs_that_show(Evidence wanted) const;

  /// A pass only if the numbers could have failed: none is vacuous, every pair shows something, and
  /// at least one shows that it turned, unless no pair has to turn.
  Verdict verdict(const RotaryEmbedding& embedding) const;
};

}  // namespace rope
