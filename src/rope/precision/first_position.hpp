#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "rope/precision/position_error.hpp"

namespace rope {

/// How the first position is known.
enum class Known {
  found,      ///< all m and n before the position were checked
  certified,  ///< the bound rules out all unchecked m and n before the position
  bracketed,  ///< it lies between not_up_to + 1 and found->n
};

/// The smallest N for which the error (position_error.hpp) of some pair exceeds a tolerance at some
/// 0 ≤ m ≤ n ≤ N.
struct FirstPosition {
  double tolerance = 0;
  std::int64_t not_up_to = 0;  ///< no error exceeds the tolerance up to here: all positions were
                               ///< checked, or the bound proves it
  std::optional<FoundError> found;  ///< an error above the tolerance at the smallest n found;
                                    ///< empty if none was found up to the end of the search
  std::int64_t looked_at = 0;       ///< all m and n up to here were checked

  /// Whether the first position is known exactly; it is then found->n.
  bool exact() const { return found && found->n == not_up_to + 1; }

  /// How the position is known; nothing if no error was found.
  std::optional<Known> known() const {
    if (!found) return std::nullopt;
    if (!exact()) return Known::bracketed;
    return found->n <= looked_at + 1 ? Known::found : Known::certified;
  }
};

/// How far the search goes.
struct SearchOptions {
  std::int64_t exhaustive = 131072;  ///< up to here every m, n and pair is checked
  std::int64_t last = 1048576;       ///< from there up to here, positions are drawn at random
  std::function<void()> progress{};  ///< called once per pair; may be empty
  /// The number of steps after which the search for the largest errors gives up, for lengths above
  /// 4096.
  std::int64_t steps = std::int64_t{1} << 27;
};

/// The largest error is known to within this fraction of itself, plus kSearchNoise.
inline constexpr double kLargestWithin = 0x1p-10;

/// The error of the search itself: an entry's error is computed from the product of the entry and
/// e^{−ipθ}. The real and imaginary parts each have 4 roundings and the error of cos and
/// sin, 1.1e-16, which amounts to 7.8e-16 in modulus. Three entries contribute to an error.
inline constexpr double kSearchNoise = 0x1p-48;

/// The largest error of any pair at 0 ≤ m ≤ n ≤ length.
struct LargestError {
  std::int64_t length = 0;
  FoundError found;
  /// Whether no error exceeds (1 + kLargestWithin) times the error of `found`, plus kSearchNoise;
  /// false if the search gave up because too many errors are nearly as large.
  bool all = true;
};

struct SearchResult {
  std::vector<FirstPosition> first;  ///< one for each tolerance
  /// One for each length up to which all positions were checked.
  std::vector<LargestError> largest;
};

/// The first position for each of the tolerances, and the largest error up to each of the lengths;
/// both lists must be in ascending order.
///
/// Up to options.exhaustive, the answer is exact: positions are skipped only if the errors of their
/// entries cannot add up to the tolerance or to the largest error. An error that is not a
/// number counts as infinite. Beyond options.exhaustive, the a-priori bound gives a position up to
/// which no error exceeds the tolerance, and a search over random positions in every window [N,
/// N·17/16] finds an error that does; the first position lies between the two.
SearchResult search_errors(const Pipeline& pipeline, Against against,
                           std::span<const double> tolerances,
                           std::span<const std::int64_t> lengths, const SearchOptions& options);

}  // namespace rope
