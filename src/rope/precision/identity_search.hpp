#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rope/precision/entry_errors.hpp"
#include "rope/precision/exceeded.hpp"
#include "rope/precision/largest.hpp"

namespace rope {

/// Finds errors of the identity above a tolerance that may rise meanwhile.
class IdentitySearch {
 public:
  /// The errors must outlive the search.
  explicit IdentitySearch(const EntryErrors& errors);

  /// The errors are those of another pair now.
  void start();

  /// Hands every error above the tolerance that it comes by, at n from `from` to `to`, to
  /// `exceeded`, which answers with the tolerance from there on; infinity ends the search. None
  /// that is above the last tolerance is left out, unless `steps` run out: it returns false then.
  bool scan(double tolerance, std::int64_t from, std::int64_t to, std::int64_t& steps,
            const Exceeded& exceeded);

  /// The same, but looks at a few likely m for every n alone: a quick way to a high tolerance.
  void glance(double tolerance, std::int64_t from, std::int64_t to, const Exceeded& exceeded);

 private:
  /// A position m, and its number in a view.
  struct Candidate {
    double number;
    std::int64_t m;
  };

  /// One way to see that an error is small: three numbers of m, n and r = n − m must add up to more
  /// than a limit. Each of them is the same whether m and r are exchanged, so that r ≤ n/2.
  struct View {
    std::span<const double> of_m, of_n;  ///< of every position; of_m is for r too
    std::span<const double> largest;     ///< of of_m up to every position
    double (*limit)(double tolerance, double shared) = nullptr;
    double largest_of_n = 0;
    double shared = 0;                    ///< what the limit needs of the errors
    double at = 0;                        ///< the limit
    std::vector<Candidate> candidates{};  ///< the largest first
  };

  /// A number of every position, and the largest up to there.
  struct Column {
    explicit Column(std::size_t positions) : numbers(positions), largest(positions) {}
    void put(std::size_t position, double number) {
      sofar.take(number);
      numbers[position] = number;
      largest[position] = sofar.value();
    }
    std::vector<double> numbers, largest;
    LargestOf<double> sofar;
  };

  /// The views of lengths and angles up to `end`: mostly, that of the moduli says enough.
  void polar_views(std::int64_t end);

  /// Of the ways to see that errors are small, the one that leaves the fewest positions.
  std::vector<View>& choose_way(double tolerance, std::int64_t end);

  /// Positions m up to `end` whose number may be part of a sum above the limit.
  static std::size_t collect(View& view, std::int64_t end);

  /// scan at one n, in one view of the way.
  bool scan_at(std::vector<View>& way, const View& view, std::int64_t n, double& tolerance,
               std::int64_t& steps, const Exceeded& exceeded);

  /// Whether an error at n is above the tolerance, from a look at every m in turn.
  bool any_above(double tolerance, std::int64_t n) const;

  /// The errors at m, n and at n − m, n.
  void look(std::vector<View>& way, std::int64_t m, std::int64_t n, double& tolerance,
            const Exceeded& exceeded);

  const EntryErrors& errors_;
  Column defects_, angles_, opposite_;  // |ŵ_p| − 1, arg ŵ_p, −arg ŵ_p
  std::vector<std::vector<View>> ways_;
  struct {
    std::vector<View>* way = nullptr;
    double tolerance = 0;
    std::int64_t end = 0;
  } chosen_;               // by choose_way the last time, of this pair
  std::size_t polar_ = 0;  // positions whose lengths and angles are known, of this pair
  double largest_defect_ = 0;
};

}  // namespace rope
