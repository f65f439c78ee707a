#include "rope/precision/random_search.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "rope/precision/exceeded.hpp"

namespace rope {
namespace {

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

}  // namespace

std::int64_t proved_up_to(const ErrorBounds& bounds, Against against, double tolerance,
                          std::int64_t last, std::size_t pairs) {
  std::int64_t good = 0, bad = last + 1;
  while (bad - good > 1) {
    const std::int64_t middle = good + (bad - good) / 2;
    (suspects(bounds, against, tolerance, middle, pairs).empty() ? good : bad) = middle;
  }
  return good;
}

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

}  // namespace rope
