#include "rope/precision/first_position.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
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
  EntryErrors(const Pipeline& pipeline, Against against, const TableByPairs& columns,
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
      // No score comes of a number that is none: no error is larger.
      if (!std::isfinite(moduli_[i])) {
        moduli_[i] = std::numeric_limits<double>::infinity();
        errors_[i] = moduli_[i];
      }
      largest = larger(largest, moduli_[i]);
      largest_[i] = largest;
    }
  }

  const Complex& operator[](std::int64_t p) const { return errors_[static_cast<std::size_t>(p)]; }

  /// |e_p|
  double modulus(std::int64_t p) const { return moduli_[static_cast<std::size_t>(p)]; }

  std::int64_t last() const { return static_cast<std::int64_t>(errors_.size()) - 1; }

  /// max |e_p| for p = 0 … last
  double largest_up_to(std::int64_t last) const { return largest_[static_cast<std::size_t>(last)]; }

 private:
  std::vector<Complex> errors_;
  std::vector<double> moduli_, largest_;
};

constexpr double kEnough = std::numeric_limits<double>::infinity();

/// An error that is no number is as large as any.
double number_or_infinity(double error) {
  if (std::isnan(error)) return kEnough;
  return error;
}

/// An error of no pair yet.
FoundError found(double error, std::int64_t m, std::int64_t n) {
  return {number_or_infinity(error), m, n, 0};
}

/// Finds errors of the identity above a tolerance that may rise meanwhile.
class IdentitySearch {
 public:
  explicit IdentitySearch(const EntryErrors& errors) : errors_(errors) { make_views(); }

  /// Hands every error above the tolerance that it comes by, at n from `from` to `to`, to
  /// `exceeded`, which answers with the tolerance from there on; infinity ends the search. None
  /// that is above the last tolerance is left out, unless `steps` run out: it returns false then.
  template <class Exceeded>
  bool scan(double tolerance, std::int64_t from, std::int64_t to, std::int64_t& steps,
            Exceeded exceeded) {
    for (std::int64_t begin = from; begin <= to && tolerance < kEnough;) {
      const std::int64_t end = std::min<std::int64_t>(to, std::max<std::int64_t>(2 * begin, 16));
      std::vector<View>& way = choose_way(tolerance, end);
      for (std::int64_t n = begin; n <= end && tolerance < kEnough; ++n)
        for (View& view : way)
          if (tolerance < kEnough && !scan_at(way, view, n, tolerance, steps, exceeded))
            return false;
      begin = end + 1;
    }
    return true;
  }

  /// The same, but looks at a few likely m for every n alone: a quick way to a high tolerance.
  template <class Exceeded>
  void glance(double tolerance, std::int64_t from, std::int64_t to, Exceeded exceeded) {
    if (!(tolerance < kEnough)) return;
    std::vector<View>& way = choose_way(tolerance, to);
    for (std::int64_t n = from; n <= to; ++n)
      for (View& view : way) {
        std::int64_t steps = kGlances;
        if (tolerance < kEnough) scan_at(way, view, n, tolerance, steps, exceeded);
      }
  }

 private:
  static constexpr std::int64_t kGlances = 16;

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

  void make_views() {
    const std::int64_t last = errors_.last();
    View moduli, lengths, angles;
    for (std::int64_t p = 0; p <= last; ++p) {
      moduli.of_m.push_back(errors_.modulus(p));
      const Complex entry = 1.0 + errors_[p];
      const double defect = std::abs(entry) - 1;
      lengths.of_m.push_back(defect);
      lengths.shared = larger(lengths.shared, std::abs(defect));
      angles.of_m.push_back(-std::arg(entry));
      moduli.shared = larger(moduli.shared, errors_.modulus(p));
    }
    angles.shared = lengths.shared;
    moduli.of_n = moduli.of_m;
    lengths.of_n = lengths.of_m;
    for (const double angle : angles.of_m) angles.of_n.push_back(-angle);
    // |e_m| + |e_n| + |e_r| + |e_m||e_n|
    moduli.limit = [](double tolerance, double e) { return tolerance - e * e; };
    // |ŵ_m||ŵ_n| + |ŵ_r|
    lengths.limit = [](double tolerance, double d) { return tolerance - 2 - d * d; };
    // ε² = (|ŵ_m||ŵ_n| − |ŵ_r|)² + 4|ŵ_m ŵ_n ŵ_r| sin²(φ/2), φ the angles of n less those of m and
    // r
    angles.limit = [](double tolerance, double d) {
      const double radial = 3 * d + d * d;
      const double rest = tolerance * tolerance - radial * radial;
      if (!(rest > 0)) return -kEnough;
      return 2 * std::asin(smaller(1.0, std::sqrt(rest / std::pow(1 + d, 3)) / 2));
    };
    View mirrored = angles;
    std::swap(mirrored.of_m, mirrored.of_n);
    ways_.push_back({std::move(moduli)});
    ways_.push_back({std::move(lengths)});
    ways_.push_back({std::move(angles), std::move(mirrored)});
    for (std::vector<View>& way : ways_)
      for (View& view : way) {
        LargestOf of_m(-kEnough), of_n(-kEnough);
        for (const double number : view.of_m) {
          of_m.take(number);
          view.largest.push_back(of_m.value());
        }
        for (const double number : view.of_n) of_n.take(number);
        view.largest_of_n = of_n.value();
      }
  }

  /// Of the ways to see that errors are small, the one that leaves the fewest positions.
  std::vector<View>& choose_way(double tolerance, std::int64_t end) {
    std::vector<View>* best = nullptr;
    std::size_t fewest = std::numeric_limits<std::size_t>::max();
    for (std::vector<View>& way : ways_) {
      std::size_t count = 0;
      for (View& view : way) {
        view.at = view.limit(tolerance, view.shared);
        count += collect(view, end);
      }
      if (count >= fewest) continue;
      fewest = count;
      best = &way;
      if (fewest == 0) break;
    }
    for (View& view : *best) std::ranges::sort(view.candidates, std::greater());
    return *best;
  }

  /// Positions m up to `end` whose number may be part of a sum above the limit.
  static std::size_t collect(View& view, std::int64_t end) {
    const double least = view.at - view.largest_of_n - view.largest[index(end / 2)];
    view.candidates.clear();
    if (view.largest[index(end)] <= least) return 0;
    for (std::int64_t p = 0; p <= end; ++p)
      if (!(view.of_m[index(p)] <= least)) view.candidates.emplace_back(view.of_m[index(p)], p);
    return view.candidates.size();
  }

  template <class Exceeded>
  bool scan_at(std::vector<View>& way, const View& view, std::int64_t n, double& tolerance,
               std::int64_t& steps, Exceeded exceeded) {
    const double of_n = view.of_n[index(n)], most = view.largest[index(n / 2)];
    for (const auto& [number, m] : view.candidates) {
      const double by_others = view.at - of_n;
      if (number + most <= by_others) break;
      if (--steps < 0) return false;
      if (m > n || 2 * m < n || number + view.of_m[index(n - m)] <= by_others) continue;
      for (const std::int64_t at : {m, n - m}) {
        const Complex at_m = std::conj(errors_[at]), at_n = errors_[n];
        const Complex error = at_m + at_n - errors_[n - at] + times(at_m, at_n);
        if (std::norm(error) <= tolerance * tolerance) continue;
        tolerance = exceeded(found(std::abs(error), at, n));
        if (!(tolerance < kEnough)) return true;
        for (View& each : way) each.at = each.limit(tolerance, each.shared);
      }
    }
    return true;
  }

  static Complex times(const Complex& a, const Complex& b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  }

  static std::size_t index(std::int64_t p) { return static_cast<std::size_t>(p); }

  const EntryErrors& errors_;
  std::vector<std::vector<View>> ways_;
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

  /// As IdentitySearch has it; never gives up.
  template <class Exceeded>
  bool scan(double tolerance, std::int64_t from, std::int64_t to, std::int64_t& /*steps*/,
            Exceeded exceeded) {
    for (std::int64_t n = from; n <= to && tolerance < kEnough; ++n) {
      const double at_n = errors_.modulus(n), at_m = errors_.largest_up_to(n);
      if (at_n + at_m + at_n * at_m <= tolerance) continue;
      for (; seen_ <= n; ++seen_) see(seen_);
      while (const auto found = at(tolerance, n)) tolerance = exceeded(*found);
    }
    return true;
  }

  template <class Exceeded>
  void glance(double /*tolerance*/, std::int64_t /*from*/, std::int64_t /*to*/,
              Exceeded /*exceeded*/) {}

 private:
  // So many that what lies between two of them is within kLargestWithin: 1/cos(π/80) = 1.00077.
  static constexpr std::size_t kDirections = 80;

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
    // ŵ_n is 0, and every error at n is 1; or it is no number, and no error is larger.
    if (std::abs(stretch) == 0) return 1 > tolerance ? std::optional(found(1, 0, n)) : std::nullopt;
    const Complex c = errors_[n] / stretch;
    const auto error = [&](std::int64_t m) {
      return std::abs(stretch * (std::conj(errors_[m]) + c));
    };
    const auto exceeds = [&](std::int64_t m) { return !(error(m) <= tolerance); };
    double reach = 0;
    for (std::size_t j = 0; j < kDirections; ++j) {
      reach = larger(reach, along(directions_[j], std::conj(errors_[furthest_[j]]) + c));
      if (exceeds(furthest_[j])) return found(error(furthest_[j]), furthest_[j], n);
    }
    // Every ē_m + c lies in the polygon that the directions bound.
    if (reach / std::cos(std::numbers::pi / kDirections) * std::abs(stretch) <= tolerance)
      return std::nullopt;
    for (std::int64_t m = 0; m <= n; ++m)
      if (exceeds(m)) return found(error(m), m, n);
    return std::nullopt;
  }

  const EntryErrors& errors_;
  std::array<Complex, kDirections> directions_;
  std::array<std::int64_t, kDirections> furthest_{};
  std::int64_t seen_ = 0;
};

/// The first positions and the largest errors of all pairs, gathered pair by pair.
class ExhaustiveSearch {
 public:
  ExhaustiveSearch(const Pipeline& pipeline, Against against, std::int64_t last,
                   const ErrorBounds& bounds, SearchResult& result)
      : pipeline_(pipeline),
        against_(against),
        last_(last),
        bounds_(bounds),
        columns_(pipeline, last),
        result_(result) {}

  /// Looks at every 0 ≤ m ≤ n ≤ last of the next pair.
  template <class Search>
  void add_next() {
    const EntryErrors errors(pipeline_, against_, columns_, last_);
    const std::size_t pair = columns_.pair();
    Search first(errors), largest(first);
    add_first(first, pair);
    add_largest(largest, pair);
    columns_.next_pair();
  }

 private:
  template <class Search>
  void add_first(Search& search, std::size_t pair) {
    std::int64_t from = 0;
    for (FirstPosition& first : result_.first) {
      const std::int64_t to = first.found ? first.found->n - 1 : last_;
      if (from > to) continue;
      std::int64_t next = to + 1, steps = std::numeric_limits<std::int64_t>::max();
      search.scan(first.tolerance, from, to, steps, [&](FoundError found) {
        found.pair = pair;
        first.found = found;
        next = found.n;  // a larger tolerance is not exceeded earlier
        return kEnough;
      });
      from = next;
    }
  }

  static constexpr std::int64_t kAlwaysAll = 4096;

  template <class Search>
  void add_largest(Search& search, std::size_t pair) {
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
      search.glance(enough(largest.found.error), from, largest.length, exceeded);
      std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();
      if (!search.scan(enough(largest.found.error), from, largest.length,
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
  SearchResult& result_;
  /// Where many errors are nearly as large as the largest, to look at all takes hours: steps that
  /// are left for lengths above kAlwaysAll.
  std::int64_t steps_ = std::int64_t{1} << 27;
};

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
      if (!(error <= tolerance)) return FoundError{number_or_infinity(error), m, n, pair};
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
  ExhaustiveSearch exhaustive(pipeline, against, all, bounds, result);
  for (std::size_t pair = 0; pair < pipeline.theta().size(); ++pair) {
    if (against == Against::identity) {
      exhaustive.add_next<IdentitySearch>();
    } else {
      exhaustive.add_next<ExactSearch>();
    }
    if (options.progress) options.progress();
  }
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
