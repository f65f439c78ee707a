#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "rope/precision/entry_errors.hpp"
#include "rope/precision/exceeded.hpp"

namespace rope {

/// Finds errors of the identity above a tolerance that may rise meanwhile.
class IdentitySearch {
 public:
  /// The errors must outlive the search.
  explicit IdentitySearch(const EntryErrors& errors);

  /// Hands every error above the tolerance that it comes by, at n from `from` to `to`, to
  /// `exceeded`, which answers with the tolerance from there on; infinity ends the search. None
  /// that is above the last tolerance is left out, unless `steps` run out: it returns false then.
  bool scan(double tolerance, std::int64_t from, std::int64_t to, std::int64_t& steps,
            const Exceeded& exceeded);

  /// The same, but looks at a few likely m for every n alone: a quick way to a high tolerance.
  void glance(double tolerance, std::int64_t from, std::int64_t to, const Exceeded& exceeded);

 private:
  /// One way to see that an error is small: three numbers of m, n and r = n − m must add up to more
  /// than a limit. Each of them is the same whether m and r are exchanged, so that r ≤ n/2.
  struct View {
    std::vector<double> of_m, of_n;  ///< of every position; of_m is for r too
    std::vector<double> largest;     ///< of of_m up to every position
    double largest_of_n = 0;
    double (*limit)(double tolerance, double shared);
    double shared = 0;  ///< what the limit needs of the errors
    double at = 0;      ///< the limit
    std::vector<std::pair<double, std::int64_t>> candidates;  ///< numbers of m, the largest first
  };

  void make_views();

  /// Of the ways to see that errors are small, the one that leaves the fewest positions.
  std::vector<View>& choose_way(double tolerance, std::int64_t end);

  /// Positions m up to `end` whose number may be part of a sum above the limit.
  static std::size_t collect(View& view, std::int64_t end);

  bool scan_at(std::vector<View>& way, const View& view, std::int64_t n, double& tolerance,
               std::int64_t& steps, const Exceeded& exceeded);

  const EntryErrors& errors_;
  std::vector<std::vector<View>> ways_;
};

}  // namespace rope
