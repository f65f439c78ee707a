#include "rope/attention/base_bounds.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <deque>
#include <numbers>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "rope/attention/context_bound.hpp"
#include "rope/error.hpp"
#include "rope/rotary/exact_real.hpp"
#include "rope/rotary/frequencies.hpp"

namespace rope {
namespace {

constexpr double kTwoPi = 2 * std::numbers::pi;

void check_lengths(std::int64_t trained_length, std::int64_t length) {
  if (trained_length < 1 || trained_length > length)
    throw DomainError("lengths: expected 1 <= trained <= extended, got " +
                      std::to_string(trained_length) + " and " + std::to_string(length));
}

/// B(Δ) = Σ_i cos(Δθ_i) of the base e^x in plain double, and how far a negative one reaches.
class QuickSum {
 public:
  QuickSum(double x, std::size_t rotary_dim, std::int64_t length)
      : theta_(rotary_dim / 2), length_(length) {
    for (std::size_t i = 0; i < theta_.size(); ++i) {
      theta_[i] = std::exp(-x * static_cast<double>(2 * i) / static_cast<double>(rotary_dim));
      share_.push_back(static_cast<double>(2 * i) / static_cast<double>(rotary_dim));
      slope_ += share_[i] * theta_[i];
      // Of an angle: the exponent is rounded twice, exp once, and the product with Δ.
      off_.push_back(i == 0 ? 0 : 3e-16 * x * share_[i] + 6e-16);
    }
    // A run's rotations through their own roundings, fewer than one a token, beside those.
    margin_ = (3e-16 * x + 1e-15) * static_cast<double>(length) * pairs() + of_sum();
  }

  /// B(Δ) of at most `sum` stays negative from x to x + reach. With a_i = Δθ_i and s_i = 2i/r its
  /// slope is B' = Σ s_i a_i sin a_i, and B'' is at most M = Σ s_i²(a_i min(1, a_i) + a_i²), less
  /// for larger bases: so B(x + h) ≤ B + B'h + Mh²/2. Not above 0 where B may not be negative.
  double reach(std::int64_t distance, double sum) const {
    if (!(sum < 0)) return 0;
    double slope = 0, lost = 0, curvature = 0;
    for (std::size_t i = 0; i < theta_.size(); ++i) {
      const double angle = static_cast<double>(distance) * theta_[i], share = share_[i];
      const double sine = std::min(1.0, angle);  // at most
      slope += share * angle * std::sin(angle);
      lost += share * angle * ((sine + angle) * off_[i] + sine * (pairs() + 4) * 0x1p-53);
      curvature += share * share * angle * (sine + angle);
    }
    if (curvature == 0) return HUGE_VAL;  // no pair turns by the base
    slope += lost;
    const double root = std::sqrt(std::max(slope * slope - 2 * curvature * sum, 0.0));
    constexpr double kOfThisLine = 1 - 1e-9;  // its own roundings
    // The larger root of the parabola, without what cancels.
    return (slope > 0 ? -2 * sum / (slope + root) : (root - slope) / curvature) * kOfThisLine;
  }

  double reach(std::int64_t distance) const {
    double sum = of_sum();
    for (std::size_t i = 0; i < theta_.size(); ++i) {
      const double angle = static_cast<double>(distance) * theta_[i];
      sum += std::cos(angle) + angle * std::min(1.0, angle) * off_[i];
    }
    return reach(distance, sum);
  }

  /// The distance below the length that reaches farthest along the steepest slope; or 0.
  std::int64_t farthest() const { return farthest(1, length_); }

  /// The same of those that are no more than 2^12 from this one.
  std::int64_t farthest_near(std::int64_t distance) const {
    constexpr std::int64_t kNear = 1 << 12;
    return farthest(std::max<std::int64_t>(distance - kNear, 1),
                    std::min(distance + kNear + 1, length_));
  }

  /// The distances of the smallest sums that may be negative.
  std::vector<std::int64_t> doubtful() const {
    constexpr std::size_t kMost = 16;
    std::vector<std::pair<double, std::int64_t>> found;
    visit(1, length_, [&](std::int64_t distance, double sum) {
      if (sum <= margin_) found.emplace_back(sum, distance);
      return true;
    });
    std::ranges::sort(found);
    std::vector<std::int64_t> distances;
    for (std::size_t i = 0; i < std::min(kMost, found.size()); ++i)
      distances.push_back(found[i].second);
    return distances;
  }

 private:
  /// Of begin, begin + 1, … below the end.
  std::int64_t farthest(std::int64_t begin, std::int64_t end) const {
    std::int64_t farthest = 0;
    double most = 0;
    visit(begin, end, [&](std::int64_t distance, double sum) {
      const double tokens = static_cast<double>(distance) * slope_;
      if (const double reached = (-sum - margin_) / tokens; reached > most) {
        farthest = distance;
        most = reached;
      }
      return !(most * tokens > pairs());  // none beyond reaches as far
    });
    return farthest;
  }

  static constexpr std::size_t kRun = 64;  // distances

  struct Turn {
    explicit Turn(double angle) : cos(std::cos(angle)), sin(std::sin(angle)) {}
    double cos, sin;
  };

  /// The angles 0, θ, 2θ … within a run, and that of a whole one.
  struct RunTurns {
    explicit RunTurns(double theta) : whole(static_cast<double>(kRun) * theta) {
      for (std::size_t i = 0; i < kRun; ++i) {
        const Turn turn(static_cast<double>(i) * theta);
        cos[i] = turn.cos;
        sin[i] = turn.sin;
      }
    }
    Turn whole;
    std::array<double, kRun> cos, sin;
  };

  /// Hands on B at begin, begin + 1, … below the end, until it is told to stop: in runs, whose
  /// lanes are distances.
  template <class Take>
  void visit(std::int64_t begin, std::int64_t end, Take take) const {
    std::vector<Turn> first;  // of the run
    std::vector<RunTurns> turns(theta_.begin(), theta_.end());
    first.reserve(theta_.size());
    for (const double theta : theta_) first.emplace_back(static_cast<double>(begin) * theta);
    for (; begin < end; begin += std::int64_t{kRun}) {
      std::array<double, kRun> sums{};
      for (std::size_t pair = 0; pair < first.size(); ++pair) {
        const double c = first[pair].cos, s = first[pair].sin;
        const RunTurns& turn = turns[pair];
        for (std::size_t i = 0; i < kRun; ++i) sums[i] += c * turn.cos[i] - s * turn.sin[i];
        first[pair].cos = c * turn.whole.cos - s * turn.whole.sin;
        first[pair].sin = c * turn.whole.sin + s * turn.whole.cos;
      }
      for (std::size_t i = 0; i < kRun && begin + static_cast<std::int64_t>(i) < end; ++i)
        if (!take(begin + static_cast<std::int64_t>(i), sums[i])) return;
    }
  }

  double pairs() const { return static_cast<double>(theta_.size()); }
  /// What adding up cosines may lose, and they themselves.
  double of_sum() const { return 0x1p-53 * pairs() * (pairs() + 1); }

  std::vector<double> theta_, share_, off_;
  std::int64_t length_;
  double margin_ = 0;  // of the sums that `visit` hands on
  double slope_ = 0;
};

/// Distances that threw out the last bases, and so may throw out the next.
class Witnesses {
 public:
  /// How far from x on none of the bases e^x serves; 0 where that is not known.
  double reach(const QuickSum& sums) {
    constexpr double kEnough = 1e-6;  // below, all distances are looked at
    double most = 0;
    for (std::int64_t& distance : distances_) {
      const double reached = sums.reach(distance);
      if (!(reached > most)) continue;
      most = reached;
      std::swap(distance, distances_.front());
    }
    if (most > kEnough) return most;
    // Where a distance no longer reaches on, one not far from it does nearly always.
    if (!distances_.empty())
      if (const std::int64_t near = sums.farthest_near(distances_.front()))
        most = std::max(most, take(sums, near));
    if (most > kEnough) return most;
    if (const std::int64_t farthest = sums.farthest()) most = std::max(most, take(sums, farthest));
    if (most > kEnough) return most;
    for (const std::int64_t distance : sums.doubtful())
      if (const double reached = sums.reach(distance); reached > most) {
        take(sums, distance);
        most = reached;
      }
    return most;
  }

 private:
  double take(const QuickSum& sums, std::int64_t distance) {
    constexpr std::size_t kMost = 8;
    distances_.push_front(distance);
    if (distances_.size() > kMost) distances_.pop_back();
    return sums.reach(distance);
  }

  std::deque<std::int64_t> distances_;
};

/// B(Δ) of the base e^x, from 256 bits.
double exact_sum(double x, std::size_t rotary_dim, std::int64_t distance) {
  ExactReal sum = 0;
  for (std::size_t i = 0; i < rotary_dim / 2; ++i)
    sum += cos(ExactReal(distance) * exp(ExactReal(-x) * ExactReal(2 * i) / ExactReal(rotary_dim)));
  return static_cast<double>(sum);
}

/// At most e^x, and at least 1; the base itself where that is 1.
double below(double base, double x) {
  return base == 1 ? 1 : std::max(std::nextafter(static_cast<double>(exp(ExactReal(x))), 0.0), 1.0);
}

constexpr double kLargest = 690;  // of ln b: beyond, θ would be below the smallest that is accepted

void check_length(std::int64_t length) {
  constexpr std::int64_t kLongest = std::int64_t{1} << 40;
  if (length < 2 || length > kLongest)
    throw DomainError("length: expected 2 to 2^40 tokens, got " + std::to_string(length));
}

bool serves(double base, std::size_t rotary_dim, std::int64_t length) {
  return !first_negative_distance(geometric_frequencies(base, rotary_dim), length - 1);
}

/// digits·10^exponent, rounded to a double.
struct Decimal {
  int digits;
  int exponent;

  double value() const { return thousandths(1000); }
  double thousandths(int count) const {
    return std::strtod(
        (std::to_string(digits * count) + "e" + std::to_string(exponent - 3)).c_str(), nullptr);
  }
};

constexpr int kMargin = 50;  // thousandths of a base

/// Whether all bases within the margin that are tried serve, those farthest away first: they fail
/// most often.
bool serves_with_margin(const Decimal& base, std::size_t rotary_dim, std::int64_t length,
                        const std::function<void()>& progress) {
  for (int away = kMargin; away >= 0; --away)
    for (const int sign : {-1, 1}) {
      if (progress) progress();
      if (!serves(base.thousandths(1000 + sign * away), rotary_dim, length)) return false;
    }
  return true;
}

}  // namespace

double critical_base(double base, std::int64_t trained_length, std::int64_t length) {
  check_lengths(trained_length, length);
  if (!(base > 1) || !std::isfinite(base))
    throw DomainError("base: expected a finite number above 1, got " + number_text(base));
  if (static_cast<double>(trained_length) <= kTwoPi)
    throw DomainError("trained length: expected more than 2π tokens, got " +
                      std::to_string(trained_length));
  return static_cast<double>(exp(log(ExactReal(base)) * log(ExactReal(length) / exact_two_pi()) /
                                 log(ExactReal(trained_length) / exact_two_pi())));
}

double covering_factor(double base, std::size_t rotary_dim, std::int64_t trained_length,
                       std::int64_t length) {
  check_lengths(trained_length, length);
  const Frequencies frequencies = geometric_frequencies(base, rotary_dim);
  for (std::size_t i = 1; i < frequencies.pairs(); ++i)
    if (static_cast<double>(trained_length) < frequencies.wavelength[i])
      return static_cast<double>(pow(ExactReal(length) / ExactReal(trained_length),
                                     ExactReal(rotary_dim) / ExactReal(2 * i)));
  return 1;
}

bool SmallestBase::certified() const { return base - none_below <= 1e-6 * base; }

std::optional<SmallestBase> smallest_base(std::int64_t length, std::size_t rotary_dim,
                                          const std::function<void()>& progress) {
  constexpr double kLeast = 1e-9;  // of ln b: how far the search goes where no distance reaches it
  check_length(length);
  geometric_frequencies(2, rotary_dim);  // checks the size
  Witnesses witnesses;
  std::optional<double> unproved;  // the first x from which no distance reached kLeast
  for (double x = 0; x < kLargest;) {
    const QuickSum sums(x, rotary_dim, length);
    double reach = witnesses.reach(sums);
    if (!(reach >= kLeast)) {  // as far as double can tell
      const auto base = static_cast<double>(exp(ExactReal(x)));
      if (serves(base, rotary_dim, length))
        return SmallestBase{base, below(base, unproved.value_or(x))};
      for (const std::int64_t distance : sums.doubtful())
        reach = std::max(reach, sums.reach(distance, exact_sum(x, rotary_dim, distance)));
    }
    if (!(reach >= kLeast) && !unproved) unproved = x;
    x = std::nextafter(x + std::max(reach, kLeast), 0);
    if (progress) progress();
  }
  return std::nullopt;
}

std::optional<RoundBase> round_base(std::int64_t length, std::size_t rotary_dim, double least,
                                    const std::function<void()>& progress) {
  check_length(length);
  if (!(least >= 1) || !std::isfinite(least))
    throw DomainError("least: expected a finite number of at least 1, got " + number_text(least));
  Decimal base{10, static_cast<int>(std::floor(std::log10(least))) - 2};  // one too few: no harm
  for (; base.value() < std::exp(kLargest); ++base.digits) {
    if (base.digits == 100) base = {10, base.exponent + 1};
    if (base.value() >= least && serves_with_margin(base, rotary_dim, length, progress))
      return RoundBase{base.value(), base.thousandths(1000 - kMargin),
                       base.thousandths(1000 + kMargin)};
  }
  return std::nullopt;
}

}  // namespace rope
