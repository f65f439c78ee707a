#include "rope/precision/first_position.hpp"

#include <algorithm>
#include <limits>

#include "rope/precision/exact_search.hpp"
#include "rope/precision/identity_search.hpp"
#include "rope/precision/random_search.hpp"

namespace rope {
namespace {

/// The first positions and the largest errors of all pairs, gathered pair by pair.
template <class Search>
class ExhaustiveSearch {
 public:
  ExhaustiveSearch(const Pipeline& pipeline, Against against, std::int64_t last,
                   const ErrorBounds& bounds, SearchResult& result)
      : pipeline_(pipeline),
        against_(against),
        last_(last),
        bounds_(bounds),
        columns_(pipeline, last),
        errors_(pipeline, against, last),
        search_(errors_),
        result_(result) {}

  /// Looks at every 0 ≤ m ≤ n ≤ last of the next pair.
  void add_next() {
    errors_.take(columns_);
    search_.start();
    add_first();
    add_largest();
    columns_.next_pair();
  }

 private:
  void add_first() {
    std::int64_t from = 0;
    for (FirstPosition& first : result_.first) {
      const std::int64_t to = first.found ? first.found->n - 1 : last_;
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
    for (LargestError& largest : result_.largest) {
      if (sofar.error > largest.found.error) largest.found = sofar;
      // The tolerance from an error on, or infinity: the bound says that none is larger.
      const double bound = error_bound_up_to(bounds_, against_, largest.length, pair);
      const auto enough = [&](double error) {
        const double tolerance = error * (1 + kLargestWithin) + kSearchNoise;
        return bound <= tolerance ? kEnough : tolerance;
      };
      const auto exceeded = [&](const FoundError& found) {
        // The search knows errors to kSearchNoise; this is what they are.
        const double error = position_error(pipeline_, against_, found.m, found.n, pair);
        largest.found = {number_or_infinity(error), found.m, found.n, pair};
        return enough(largest.found.error);
      };
      search_.glance(enough(largest.found.error), from, largest.length, exceeded);
      std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();
      if (!search_.scan(enough(largest.found.error), from, largest.length,
                        largest.length <= kAlwaysAll ? unlimited : steps_, exceeded))
        largest.all = false;
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
  std::int64_t steps_ = std::int64_t{1} << 27;
};

template <class Search>
void search_exhaustively(const Pipeline& pipeline, Against against, std::int64_t last,
                         const ErrorBounds& bounds, const SearchOptions& options,
                         SearchResult& result) {
  ExhaustiveSearch<Search> search(pipeline, against, last, bounds, result);
  for (std::size_t pair = 0; pair < pipeline.theta().size(); ++pair) {
    search.add_next();
    if (options.progress) options.progress();
  }
}

}  // namespace

SearchResult search_errors(const Pipeline& pipeline, Against against,
                           std::span<const double> tolerances,
                           std::span<const std::int64_t> lengths, const SearchOptions& options) {
  SearchResult result;
  for (const double tolerance : tolerances) result.first.push_back({tolerance, 0, std::nullopt});
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
