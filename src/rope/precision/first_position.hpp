#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "rope/precision/position_error.hpp"

namespace rope {

/// How a first position is known.
enum class Known {
  found,      ///< every m and n before it was looked at
  certified,  ///< what was not looked at before it the bound excludes
  bracketed,  ///< it lies beyond not_up_to, and found->n is not before it
};

/// The first position N at which some pair has an error (position_error.hpp) above a tolerance at
/// some 0 ≤ m ≤ n ≤ N.
struct FirstPosition {
  double tolerance = 0;
  std::int64_t not_up_to = 0;       ///< there is none up to here: all were looked at, or the
                                    ///< bound proves it
  std::optional<FoundError> found;  ///< an error above the tolerance at the smallest n found; none
                                    ///< was found up to the end of the search otherwise
  std::int64_t looked_at = 0;       ///< up to here every m and n

  /// The first position is known to the token: it is found->n.
  bool exact() const { return found && found->n == not_up_to + 1; }

  /// Nothing where none was found.
  std::optional<Known> known() const {
    if (!found) return std::nullopt;
    if (!exact()) return Known::bracketed;
    return found->n <= looked_at + 1 ? Known::found : Known::certified;
  }
};

/// How far the search goes.
struct SearchOptions {
  std::int64_t exhaustive = 131072;  ///< up to here every m, n and pair is looked at
  std::int64_t last = 1048576;       ///< from there on positions are drawn, up to here
  std::function<void()> progress{};  ///< called once a pair; may be empty
  /// After so many steps above position 4096 the search for the largest errors gives up.
  std::int64_t steps = std::int64_t{1} << 27;
};

/// A largest error is known to this share of it, and to kSearchNoise.
inline constexpr double kLargestWithin = 0x1p-10;

/// What the search loses: an entry's error is the product of the entry and e^{−ipθ}, each of whose
/// parts has 4 roundings and the 1.1e-16 of cos and sin, so 7.8e-16 in modulus; three entries make
/// an error.
inline constexpr double kSearchNoise = 0x1p-48;

/// The largest error of any pair at 0 ≤ m ≤ n ≤ length.
struct LargestError {
  std::int64_t length = 0;
  FoundError found;
  /// None is larger by more than kLargestWithin of it and kSearchNoise; false where the search gave
  /// up, as too many errors are nearly as large.
  bool all = true;
};

struct SearchResult {
  std::vector<FirstPosition> first;   ///< one for each tolerance
  std::vector<LargestError> largest;  ///< one for each length up to which all were looked at
};

/// The first position for each of the tolerances, and the largest error up to each of the lengths;
/// both must ascend.
///
/// Up to options.exhaustive the answer is exact: whatever is skipped is skipped because the errors
/// of the entries involved cannot add up to the tolerance, or to the largest error there is; an
/// error that is no number counts as infinite. Beyond, the a-priori bound says up to where there is
/// none, and a search over random positions of every window [N, N·17/16] gives one that is there;
/// the truth lies between the two.
SearchResult search_errors(const Pipeline& pipeline, Against against,
                           std::span<const double> tolerances,
                           std::span<const std::int64_t> lengths, const SearchOptions& options);

}  // namespace rope
