#include "rope/precision/first_position.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>
#include <utility>

#include "rope/precision/measured.hpp"
#include "rope/random/random.hpp"

namespace rope {
namespace {

using Complex = std::complex<double>;

// The search looks at e_p = ŵ_p·e^{−ipθ} − 1, the error of one entry, with the frequency θ that
// both sides of the comparison share: θ̂_k for the identity, θ_k for the exact rotation. Then
//
//     conj(ŵ_m)·ŵ_n − ŵ_{n−m}        has the modulus of  ē_m + e_n − e_{n−m} + ē_m e_n,
//     conj(ŵ_m)·ŵ_n − e^{i(n−m)θ}    has the modulus of  ē_m + e_n + ē_m e_n,
//
// small numbers without cancellation; and an error above a tolerance needs entries that are off.

/// The entry errors of one pair at positions 0 … last.
class EntryErrors {
 public:
  EntryErrors(const Pipeline& pipeline, Against against, const TableColumns& columns,
              std::int64_t last)
      : errors_(static_cast<std::size_t>(last) + 1),
        moduli_(errors_.size()),
        largest_(errors_.size()) {
    const double shared = pipeline.theta()[columns.pair()];
    const TurnFraction turns = against == Against::identity
                                   ? given_frequencies(std::span(&shared, 1)).turns[0]
                                   : pipeline.embedding().frequencies.turns[columns.pair()];
    const double factor = pipeline.embedding().attention_factor;
    double largest = 0;
    for (std::int64_t p = 0; p <= last; ++p) {
      CosSin entry = columns.entry(p);
      const CosSin right = cos_sin(p * turns);
      entry = {entry.cos / factor, entry.sin / factor};
      const auto i = static_cast<std::size_t>(p);
      errors_[i] = {entry.cos * right.cos + entry.sin * right.sin - 1,
                    entry.sin * right.cos - entry.cos * right.sin};
      moduli_[i] = std::sqrt(std::norm(errors_[i]));
      largest = larger(largest, moduli_[i]);
      largest_[i] = largest;
    }
  }

  const Complex& operator[](std::int64_t p) const { return errors_[static_cast<std::size_t>(p)]; }

  /// |e_p|
  double modulus(std::int64_t p) const { return moduli_[static_cast<std::size_t>(p)]; }

  /// max |e_p| for p = 0 … last
  double largest_up_to(std::int64_t last) const { return largest_[static_cast<std::size_t>(last)]; }

 private:
  std::vector<Complex> errors_;
  std::vector<double> moduli_, largest_;
};

/// The first n in [from, to] with some m ≤ n such that the identity's error exceeds the tolerance.
class IdentitySearch {
 public:
  explicit IdentitySearch(const EntryErrors& errors) : errors_(errors) {}

  std::optional<FoundError> first(double tolerance, std::int64_t from, std::int64_t to) {
    for (std::int64_t begin = from; begin <= to;) {
      const std::int64_t end = std::min<std::int64_t>(to, std::max<std::int64_t>(2 * begin, 16));
      if (const auto found = first_in_block(tolerance, begin, end)) return found;
      begin = end + 1;
    }
    return std::nullopt;
  }

 private:
  /// The modulus is at most |e_m| + |e_n| + |e_r| + M², where M is the largest |e_p| there is: the
  /// three entries must be off by more than the tolerance together, or nothing can come of it.
  std::optional<FoundError> first_in_block(double tolerance, std::int64_t begin, std::int64_t end) {
    const double largest = errors_.largest_up_to(end);
    const double needed = tolerance - largest * largest;
    if (needed - 2 * largest >= largest) return std::nullopt;
    collect(needed - 2 * largest, end);
    for (std::int64_t n = begin; n <= end; ++n) {
      const double by_others = needed - errors_.modulus(n);
      if (by_others >= 2 * largest) continue;
      const Complex at_n = errors_[n];
      for (const auto& [modulus, m] : candidates_) {
        if (modulus + largest <= by_others) break;
        if (m > n || modulus + errors_.modulus(n - m) <= by_others) continue;
        const Complex at_m = std::conj(errors_[m]);
        const Complex error = at_m + at_n - errors_[n - m] + times(at_m, at_n);
        if (std::norm(error) > tolerance * tolerance) return FoundError{std::abs(error), m, n, 0};
      }
    }
    return std::nullopt;
  }

  /// Positions up to `end` with an error above `least`, the largest error first.
  void collect(double least, std::int64_t end) {
    candidates_.clear();
    for (std::int64_t p = 0; p <= end; ++p)
      if (errors_.modulus(p) > least) candidates_.emplace_back(errors_.modulus(p), p);
    std::ranges::sort(candidates_, std::greater());
  }

  static Complex times(const Complex& a, const Complex& b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  }

  const EntryErrors& errors_;
  std::vector<std::pair<double, std::int64_t>> candidates_;
};

/// The same against the exact rotation: (1 + e_n)(ē_m + c), c = e_n/(1 + e_n), so that m is wanted
/// whose ē_m is furthest from −c. The furthest points in some directions say how far that can be.
class ExactSearch {
 public:
  explicit ExactSearch(const EntryErrors& errors) : errors_(errors) {
    for (std::size_t j = 0; j < kDirections; ++j) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(j) / kDirections;
      directions_[j] = {std::cos(angle), std::sin(angle)};
    }
  }

  std::optional<FoundError> first(double tolerance, std::int64_t from, std::int64_t to) {
    for (std::int64_t n = from; n <= to; ++n) {
      const double at_n = errors_.modulus(n), at_m = errors_.largest_up_to(n);
      if (at_n + at_m + at_n * at_m <= tolerance) continue;
      for (; seen_ <= n; ++seen_) see(seen_);
      if (const auto found = at(tolerance, n)) return found;
    }
    return std::nullopt;
  }

 private:
  static constexpr std::size_t kDirections = 32;

  static double along(const Complex& direction, const Complex& z) {
    return direction.real() * z.real() + direction.imag() * z.imag();
  }

  void see(std::int64_t m) {
    const Complex z = std::conj(errors_[m]);
    for (std::size_t j = 0; j < kDirections; ++j)
      if (along(directions_[j], z) > along(directions_[j], std::conj(errors_[furthest_[j]])))
        furthest_[j] = m;
  }

  std::optional<FoundError> at(double tolerance, std::int64_t n) const {
    const Complex stretch = 1.0 + errors_[n];
    if (std::abs(stretch) == 0) return std::nullopt;
    const Complex c = errors_[n] / stretch;
    const auto error = [&](std::int64_t m) {
      return std::abs(stretch * (std::conj(errors_[m]) + c));
    };
    double reach = 0;
    for (std::size_t j = 0; j < kDirections; ++j) {
      reach = larger(reach, along(directions_[j], std::conj(errors_[furthest_[j]]) + c));
      if (error(furthest_[j]) > tolerance)
        return FoundError{error(furthest_[j]), furthest_[j], n, 0};
    }
    // Every ē_m + c lies in the polygon that the directions bound.
    if (reach / std::cos(std::numbers::pi / kDirections) * std::abs(stretch) <= tolerance)
      return std::nullopt;
    for (std::int64_t m = 0; m <= n; ++m)
      if (error(m) > tolerance) return FoundError{error(m), m, n, 0};
    return std::nullopt;
  }

  const EntryErrors& errors_;
  std::array<Complex, kDirections> directions_;
  std::array<std::int64_t, kDirections> furthest_{};
  std::int64_t seen_ = 0;
};

/// Looks at every m, n, k up to the end of `results`' reach, pair by pair.
template <class Search>
void search_all(const Pipeline& pipeline, const ErrorBounds& bounds, Against against,
                std::int64_t last, const SearchOptions& options,
                std::vector<FirstPosition>& results) {
  TableColumns columns(pipeline, last);
  for (std::size_t k = 0; k < pipeline.theta().size(); ++k, columns.next_pair()) {
    if (options.progress) options.progress();
    // Where the bound says that there is nothing to find, nothing is looked for.
    if (error_bound_up_to(bounds, against, last, k) <= results.front().tolerance) continue;
    const EntryErrors errors(pipeline, against, columns, last);
    Search search(errors);
    std::int64_t from = 0;
    for (FirstPosition& result : results) {
      const std::int64_t to = result.found ? result.found->n - 1 : last;
      if (from > to) continue;
      if (auto found = search.first(result.tolerance, from, to)) {
        found->pair = k;
        result.found = found;
        from = found->n;  // a larger tolerance is not exceeded earlier
      } else {
        from = to + 1;
      }
    }
  }
  for (FirstPosition& result : results)
    result.not_up_to = result.found ? result.found->n - 1 : last;
}

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
  RandomSearch(const Pipeline& pipeline, const ErrorBounds& bounds, Against against)
      : pipeline_(pipeline), bounds_(bounds), against_(against), random_(kSeed, 0) {}

  std::optional<FoundError> first(double tolerance, std::int64_t from, std::int64_t last) {
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

 private:
  static constexpr std::uint64_t kSeed = 43;
  static constexpr int kDraws = 16384, kRounds = 64;

  /// `power` > 1 prefers the beginning of the window.
  std::optional<FoundError> draw(double tolerance, std::int64_t begin, std::int64_t end,
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
      if (error > tolerance) return FoundError{error, m, n, pair};
    }
    return std::nullopt;
  }

  std::int64_t draw_m(std::int64_t n, int i) {
    if (against_ == Against::exact && i % 2 == 0) return 0;
    if (i % 4 == 1) return n / 2 + random_.integer(0, std::min<std::int64_t>(n / 2, 1024));
    if (i % 4 == 3) return n - random_.integer(0, std::min<std::int64_t>(n, 1024));
    return random_.integer(0, n);
  }

  const Pipeline& pipeline_;
  const ErrorBounds& bounds_;
  Against against_;
  RandomStream random_;
};

}  // namespace

std::vector<FirstPosition> first_positions(const Pipeline& pipeline, Against against,
                                           std::span<const double> tolerances,
                                           const SearchOptions& options) {
  std::vector<FirstPosition> results;
  for (const double tolerance : tolerances) results.push_back({tolerance, 0, std::nullopt});
  if (results.empty()) return results;
  const std::int64_t end = last_finite_position(pipeline.policy(), options.last);
  const std::int64_t all = std::min<std::int64_t>(options.exhaustive, end);
  const ErrorBounds bounds(pipeline);
  if (against == Against::identity) {
    search_all<IdentitySearch>(pipeline, bounds, against, all, options, results);
  } else {
    search_all<ExactSearch>(pipeline, bounds, against, all, options, results);
  }
  RandomSearch search(pipeline, bounds, against);
  for (FirstPosition& result : results) {
    if (result.found || result.not_up_to >= end) continue;
    result.not_up_to = std::max<std::int64_t>(
        result.not_up_to,
        proved_up_to(bounds, against, result.tolerance, end, pipeline.theta().size()));
    if (result.not_up_to < end)
      result.found = search.first(result.tolerance, result.not_up_to + 1, end);
  }
  return results;
}

}  // namespace rope
