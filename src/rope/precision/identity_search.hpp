#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rope/precision/entry_errors.hpp"
#include "rope/precision/exceeded.hpp"
#include "rope/precision/largest.hpp"

namespace rope {

/// Finds errors against the identity (position_error.hpp) that exceed a tolerance, which may rise
/// during the search.
class IdentitySearch {
 public:
  /// The errors must outlive the search.
  explicit IdentitySearch(const EntryErrors& errors);

  /// Starts over, because the errors now belong to another pair.
  void start();

  /// For n from `from` to `to`, in this order, passes every error that it finds above the tolerance
  /// to `exceeded`, which returns the tolerance to use from then on; infinity ends the search. No
  /// error above the last tolerance is missed unless `steps` run out, in which case the function
  /// returns false.
  bool scan(double tolerance, std::int64_t from, std::int64_t to, std::int64_t& steps,
            const Exceeded& exceeded);

  /// Like scan(), but with n in any order: it first tries a few likely m for every n, which raises
  /// the tolerance quickly.
  bool sweep(double tolerance, std::int64_t from, std::int64_t to, std::int64_t& steps,
             const Exceeded& exceeded);

 private:
  /// A position m, and its entry in View::of_m.
  struct Candidate {
    double number;
    std::int64_t m;
  };

  /// One way to prove that an error is small: if it were large, three numbers, one each for m, n
  /// and r = n − m, would add up to more than a limit. The sum stays the same when m and r are
  /// exchanged, so r ≤ n/2 can be assumed.
  struct View {
    std::span<const double> of_m, of_n;  ///< a number for every position; of_m is used for r too
    std::span<const double> largest;     ///< the running maximum of of_m
    double (*limit)(double tolerance, double shared) = nullptr;
    double largest_of_n = 0;
    double shared = 0;  ///< the second argument of `limit`
    double at = 0;      ///< the limit
    std::vector<Candidate> candidates{};
    std::size_t sorted = 0;  ///< the first `sorted` candidates are the largest, in descending order
  };

  /// A number for every position, and the largest number up to it.
  struct Column {
    explicit Column(std::size_t positions) : numbers(positions), largest(positions) {}
    void clear() {
      known = 0;
      sofar = LargestOf<double>(-kEnough);
    }
    void put(double number) {
      sofar.take(number);
      numbers[known] = number;
      largest[known] = sofar.value();
      ++known;
    }
    std::vector<double> numbers, largest;
    std::size_t known = 0;  // how many numbers are set for this pair
    LargestOf<double> sofar;
  };

  /// Computes the numbers of the other views up to `end`; usually the view of the moduli is enough.
  void know_lengths(std::int64_t end);
  void know_angles(std::int64_t end);

  /// Chooses, for n from `begin` to `end`, the way that leaves the fewest m to check.
  void choose_way(double tolerance, std::int64_t begin, std::int64_t end);

  /// Sorts `count` candidates in every view of the chosen way.
  void sort_candidates(std::size_t count);

  /// Collects the positions m ≥ n/2 that may contribute to a sum above the limit.
  static std::size_t collect(View& view, std::int64_t begin, std::int64_t end);

  /// scan() for a single n.
  bool scan_at(std::int64_t n, double& tolerance, std::int64_t& steps, const Exceeded& exceeded);
  bool scan_view(const View& view, std::int64_t n, double& tolerance, std::int64_t& steps,
                 const Exceeded& exceeded);

  /// Whether an error at n is above the tolerance; checks every m in turn.
  bool any_above(double tolerance, std::int64_t n) const;

  /// Checks the errors at (m, n) and at (n − m, n).
  void look(std::int64_t m, std::int64_t n, double& tolerance, const Exceeded& exceeded);

  const EntryErrors& errors_;
  bool vectors_;                        // whether this machine can run above_v3()
  Column defects_, angles_, opposite_;  // |ŵ_p| − 1, arg ŵ_p, −arg ŵ_p
  std::vector<std::vector<View>> ways_;
  std::vector<View>* way_ = nullptr;  // the chosen one
  std::vector<std::int64_t> open_;    // every n for which a few values of m were not enough
  double largest_defect_ = 0;
};

}  // namespace rope
