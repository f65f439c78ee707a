#include "rope/precision/first_position.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "rope/precision/exact_search.hpp"
#include "rope/precision/exceeded.hpp"
#include "rope/precision/identity_search.hpp"
#include "rope/random/random.hpp"

namespace rope {
namespace {

/// The first positions and the largest errors of all pairs, gathered pair by pair.
template <class Search>
class ExhaustiveSearch {
 public:
  ExhaustiveSearch(const Pipeline& pipeline, Against against, std::int64_t last,
                   const ErrorBounds& bounds, std::int64_t steps, SearchResult& result)
      : pipeline_(pipeline),
        against_(against),
        last_(last),
        bounds_(bounds),
        columns_(pipeline, last),
        errors_(pipeline, against, last),
        search_(errors_),
        result_(result),
        steps_(steps) {}

  /// Looks at every 0 ≤ m ≤ n ≤ last of the next pair that its bound does not settle.
  void add_next() {
    if (const std::int64_t open = open_up_to(); open >= 0) {
      errors_.take(columns_, open);
      search_.start();
      add_largest();
      add_first();
    }
    columns_.next_pair();
  }

 private:
  double bound_up_to(std::int64_t last) const {
    return error_bound_up_to(bounds_, against_, last, columns_.pair());
  }

  /// Where an error of this pair would be an earlier first position; −1 where its bound excludes
  /// that.
  std::int64_t open_up_to(const FirstPosition& first) const {
    const std::int64_t to = first.found ? first.found->n - 1 : last_;
    return to < 0 || bound_up_to(to) <= first.tolerance ? -1 : to;
  }

  /// The same of everything that is searched for.
  std::int64_t open_up_to() const {
    std::int64_t open = -1;
    for (const FirstPosition& first : result_.first)
      open = std::max<std::int64_t>(open, open_up_to(first));
    for (const LargestError& largest : result_.largest)
      if (!(bound_up_to(largest.length) <= tolerated(largest.found.error)))
        open = std::max<std::int64_t>(open, largest.length);
    return open;
  }

  /// What counts as no larger than an error that was found.
  static double tolerated(double error) { return error * (1 + kLargestWithin) + kSearchNoise; }

  /// Up to where no error of this or an earlier pair is above the tolerance, as the largest errors
  /// are known there; −1 if nowhere.
  std::int64_t none_up_to(double tolerance) const {
    std::int64_t none = -1;
    for (const LargestError& largest : result_.largest)
      if (largest.all && tolerated(largest.found.error) <= tolerance) none = largest.length;
    return none;
  }

  /// To be called once the largest errors of this pair are there.
  void add_first() {
    std::int64_t from = 0;
    for (FirstPosition& first : result_.first) {
      const std::int64_t to = open_up_to(first);
      from = std::max<std::int64_t>(from, none_up_to(first.tolerance) + 1);
      if (from > to) continue;
      std::int64_t next = to + 1, steps = std::numeric_limits<std::int64_t>::max();
      search_.scan(first.tolerance, from, to, steps, [&](FoundError found) {
        found.pair = columns_.pair();
        first.found = found;
        next = found.n;  // a larger tolerance is not exceeded earlier
        return kEnough;
      });
      from = next;
    }
  }

  static constexpr std::int64_t kAlwaysAll = 4096;

  void add_largest() {
    const std::size_t pair = columns_.pair();
    FoundError sofar;
    std::int64_t from = 0;
    bool all = true;
    for (LargestError& largest : result_.largest) {
      if (sofar.error > largest.found.error) largest.found = sofar;
      // The tolerance from an error on, or infinity: the bound says that none is larger.
      const double bound = bound_up_to(largest.length);
      const auto enough = [&](double error) {
        const double tolerance = tolerated(error);
        return bound <= tolerance ? kEnough : tolerance;
      };
      const auto exceeded = [&](const FoundError& found) {
        // The search knows errors to kSearchNoise; this is what they are.
        const double error = position_error(pipeline_, against_, found.m, found.n, pair);
        largest.found = {number_or_infinity(error), found.m, found.n, pair};
        return enough(largest.found.error);
      };
      std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();
      const bool swept = search_.sweep(enough(largest.found.error), from, largest.length,
                                       largest.length <= kAlwaysAll ? unlimited : steps_, exceeded);
      // Where the search gave up before, only the bound speaks for what was left out.
      all = (all && swept) || enough(largest.found.error) == kEnough;
      if (!all) largest.all = false;
      sofar = largest.found;
      from = largest.length + 1;
    }
  }

  const Pipeline& pipeline_;
  Against against_;
  std::int64_t last_;
  const ErrorBounds& bounds_;
  TableByPairs columns_;
  EntryErrors errors_;
  Search search_;
  SearchResult& result_;
  /// Where many errors are nearly as large as the largest, to look at all takes hours: steps that
  /// are left for lengths above kAlwaysAll.
  std::int64_t steps_;
};

template <class Search>
void search_exhaustively(const Pipeline& pipeline, Against against, std::int64_t last,
                         const ErrorBounds& bounds, const SearchOptions& options,
                         SearchResult& result) {
  ExhaustiveSearch<Search> search(pipeline, against, last, bounds, options.steps, result);
  for (std::size_t pair = 0; pair < pipeline.theta().size(); ++pair) {
    search.add_next();
    if (options.progress) options.progress();
  }
}

constexpr std::uint64_t kSearchSeed = 43;
constexpr int kDraws = 16384, kRounds = 64;

/// The pairs whose bound up to `last` exceeds the tolerance.
std::vector<std::size_t> suspects(const ErrorBounds& bounds, Against against, double tolerance,
                                  std::int64_t last, std::size_t pairs) {
  std::vector<std::size_t> found;
  for (std::size_t k = 0; k < pairs; ++k)
    if (!(error_bound_up_to(bounds, against, last, k) <= tolerance)) found.push_back(k);
  return found;
}

/// The largest N ≤ last up to which no pair's bound exceeds the tolerance.
std::int64_t proved_up_to(const ErrorBounds& bounds, Against against, double tolerance,
                          std::int64_t last, std::size_t pairs) {
  std::int64_t good = 0, bad = last + 1;
  while (bad - good > 1) {
    const std::int64_t middle = good + (bad - good) / 2;
    (suspects(bounds, against, tolerance, middle, pairs).empty() ? good : bad) = middle;
  }
  return good;
}

/// Draws positions in window after window until an error exceeds the tolerance, and then before it.
class RandomSearch {
 public:
  /// The pipeline and its bounds must outlive the search.
  RandomSearch(const Pipeline& pipeline, const ErrorBounds& bounds, Against against);

  /// An error above the tolerance at some n from `from` to `last`, as early as one was found.
  std::optional<FoundError> first(double tolerance, std::int64_t from, std::int64_t last);

 private:
  /// `power` > 1 prefers the beginning of the window.
  std::optional<FoundError> draw(double tolerance, std::int64_t begin, std::int64_t end, int power);
  std::int64_t draw_m(std::int64_t n, int i);

  const Pipeline& pipeline_;
  const ErrorBounds& bounds_;
  Against against_;
  RandomStream random_;
};

RandomSearch::RandomSearch(const Pipeline& pipeline, const ErrorBounds& bounds, Against against)
    : pipeline_(pipeline), bounds_(bounds), against_(against), random_(kSearchSeed, 0) {}

std::optional<FoundError> RandomSearch::first(double tolerance, std::int64_t from,
                                              std::int64_t last) {
  std::optional<FoundError> found;
  for (std::int64_t begin = from; begin <= last && !found;) {
    const std::int64_t end = std::min<std::int64_t>(last, begin + begin / 16 + 1);
    found = draw(tolerance, begin, end, 1);
    begin = end + 1;
  }
  // Nearer and nearer to where the search began.
  for (int round = 0; found && round < kRounds && found->n > from; ++round)
    if (const auto earlier = draw(tolerance, from, found->n - 1, 1 + 3 * (round % 4)))
      found = earlier;
  return found;
}

std::optional<FoundError> RandomSearch::draw(double tolerance, std::int64_t begin, std::int64_t end,
                                             int power) {
  const std::vector<std::size_t> pairs =
      suspects(bounds_, against_, tolerance, end, pipeline_.theta().size());
  for (int i = 0; i < kDraws && !pairs.empty(); ++i) {
    const std::size_t pair = pairs[static_cast<std::size_t>(
        random_.integer(0, static_cast<std::int64_t>(pairs.size()) - 1))];
    const double where = std::pow(static_cast<double>(random_.bits() >> 11) * 0x1p-53, power);
    const std::int64_t n =
        begin + static_cast<std::int64_t>(where * static_cast<double>(end - begin));
    const std::int64_t m = draw_m(n, i);
    const double error = position_error(pipeline_, against_, m, n, pair);
    if (!(error <= tolerance)) return FoundError{number_or_infinity(error), m, n, pair};
  }
  return std::nullopt;
}

std::int64_t RandomSearch::draw_m(std::int64_t n, int i) {
  if (against_ == Against::exact && i % 2 == 0) return 0;
  if (i % 4 == 1) return n / 2 + random_.integer(0, std::min<std::int64_t>(n / 2, 1024));
  if (i % 4 == 3) return n - random_.integer(0, std::min<std::int64_t>(n, 1024));
  return random_.integer(0, n);
}

}  // namespace

SearchResult search_errors(const Pipeline& pipeline, Against against,
                           std::span<const double> tolerances,
                           std::span<const std::int64_t> lengths, const SearchOptions& options) {
  SearchResult result;
  for (const double tolerance : tolerances) result.first.push_back({tolerance, 0, {}, 0});
  const std::int64_t end = last_finite_position(pipeline.policy(), options.last);
  const std::int64_t all = std::min<std::int64_t>(options.exhaustive, end);
  for (const std::int64_t length : lengths)
    if (length <= all) result.largest.push_back({length, {}, true});
  const ErrorBounds bounds(pipeline);
  const auto search_all = against == Against::identity ? search_exhaustively<IdentitySearch>
                                                       : search_exhaustively<ExactSearch>;
  search_all(pipeline, against, all, bounds, options, result);
  RandomSearch search(pipeline, bounds, against);
  for (FirstPosition& first : result.first) {
    first.looked_at = all;
    first.not_up_to = first.found ? first.found->n - 1 : all;
    if (first.found || first.not_up_to >= end) continue;
    first.not_up_to = std::max<std::int64_t>(
        first.not_up_to,
        proved_up_to(bounds, against, first.tolerance, end, pipeline.theta().size()));
    if (first.not_up_to < end)
      first.found = search.first(first.tolerance, first.not_up_to + 1, end);
  }
  return result;
}

}  // namespace rope
