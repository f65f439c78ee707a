#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "rope/precision/entry_errors.hpp"
#include "rope/precision/exceeded.hpp"

namespace rope {

/// Finds errors against the exact rotation that exceed a tolerance, which may rise during the
/// search. The errors are (1 + e_n)(ē_m + c) with c = e_n/(1 + e_n), so the search looks for the m
/// whose ē_m is furthest from −c. The furthest points in several directions give an upper limit on
/// that distance.
class ExactSearch {
 public:
  /// The errors must outlive the search.
  explicit ExactSearch(const EntryErrors& errors);

  /// Starts over, because the errors now belong to another pair.
  void start();

  /// As in IdentitySearch, except that it never gives up.
  bool scan(double tolerance, std::int64_t from, std::int64_t to, std::int64_t& steps,
            const Exceeded& exceeded);

  /// The same as scan(), because no order of search is faster than ascending n.
  bool sweep(double tolerance, std::int64_t from, std::int64_t to, std::int64_t& steps,
             const Exceeded& exceeded) {
    return scan(tolerance, from, to, steps, exceeded);
  }

 private:
  // There are enough directions for the limit to hold to within kLargestWithin between two of them:
  // 1/cos(π/80) = 1.00077.
  static constexpr std::size_t kDirections = 80;

  void see(std::int64_t m);
  void find_least();
  std::optional<FoundError> at(double tolerance, std::int64_t n) const;

  const EntryErrors& errors_;
  std::array<double, kDirections> cos_{}, sin_{};     // of the directions
  std::array<double, kDirections> reach_{};           // how far ē_m reaches in each direction
  std::array<std::int64_t, kDirections> furthest_{};  // the m that reaches furthest
  std::size_t least_ = 0;                             // the direction with the shortest reach
  std::int64_t seen_ = 0;
};

}  // namespace rope
