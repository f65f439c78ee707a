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

  /// Hands every error above the tolerance that it comes by, at n from `from` to `to` in this
  /// order, to `exceeded`, which answers with the tolerance from there on; infinity ends the
  /// search. None that is above the last tolerance is left out, unless `steps` run out: it returns
  /// false then.
  bool scan(double tolerance, std::int64_t from, std::int64_t to, std::int64_t& steps,
            const Exceeded& exceeded);

  /// The same in any order: first a few likely m of every n, a quick way to a high tolerance.
  bool sweep(double tolerance, std::int64_t from, std::int64_t to, std::int64_t& steps,
             const Exceeded& exceeded);

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
    double shared = 0;  ///< what the limit needs of the errors
    double at = 0;      ///< the limit
    std::vector<Candidate> candidates{};
    std::size_t sorted = 0;  ///< so many of them are the largest, the largest first
  };

  /// A number of every position, and the largest up to there.
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
    std::size_t known = 0;  // so many, of this pair
    LargestOf<double> sofar;
  };

  /// The numbers of the other views up to `end`: mostly, that of the moduli says enough.
  void know_lengths(std::int64_t end);
  void know_angles(std::int64_t end);

  /// Of the ways to see that errors at n from `begin` to `end` are small, takes the one that leaves
  /// the fewest m.
  void choose_way(double tolerance, std::int64_t begin, std::int64_t end);

  /// Puts so many candidates of every view of the way in order.
  void sort_candidates(std::size_t count);

  /// Positions m ≥ n/2 whose number may be part of a sum above the limit.
  static std::size_t collect(View& view, std::int64_t begin, std::int64_t end);

  /// scan at one n.
  bool scan_at(std::int64_t n, double& tolerance, std::int64_t& steps, const Exceeded& exceeded);
  bool scan_view(const View& view, std::int64_t n, double& tolerance, std::int64_t& steps,
                 const Exceeded& exceeded);

  /// Whether an error at n is above the tolerance, from a look at every m in turn.
  bool any_above(double tolerance, std::int64_t n) const;

  /// The errors at m, n and at n − m, n.
  void look(std::int64_t m, std::int64_t n, double& tolerance, const Exceeded& exceeded);

  const EntryErrors& errors_;
  bool vectors_;                        // whether this machine runs above_v3
  Column defects_, angles_, opposite_;  // |ŵ_p| − 1, arg ŵ_p, −arg ŵ_p
  std::vector<std::vector<View>> ways_;
  std::vector<View>* way_ = nullptr;  // that was chosen
  std::vector<std::int64_t> open_;    // every n that a few m did not settle
  double largest_defect_ = 0;
};

}  // namespace rope
