// How decay_curve comes near the one thing a term cannot do without, its square root: an angle is
// put together from two, e^{iΔθ} = e^{iΔ'θ}·e^{iδθ} with Δ = Δ' + δ, 0 ≤ δ < 256. Those of δ stand
// in a table that all distances share; those of Δ' are computed once for 256 neighbours.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>

#include "rope/attention/decay.hpp"
#include "rope/error.hpp"
#include "rope/parallel/parallel.hpp"
#include "rope/rotary/turns_kernel.hpp"

namespace rope {
namespace {

constexpr std::size_t kNear = 256;  // distances that share Δ'; vector lanes are distances
constexpr std::size_t kTile = 64;   // pairs whose tables stay in the second-level cache together
constexpr std::size_t kLeastRun = 16;

/// |Δ|, so that both signs give the same bits: cutting −f to 64 bits is not the mirror image of
/// cutting f. The smallest integer, which has no opposite, stays as it is.
[[gnu::always_inline]] inline std::int64_t magnitude(std::int64_t distance) {
  return static_cast<std::int64_t>(distance < 0 ? 0 - static_cast<std::uint64_t>(distance)
                                                : static_cast<std::uint64_t>(distance));
}
[[gnu::always_inline]] inline std::size_t near_part(std::int64_t distance) {
  return static_cast<std::size_t>(distance) % kNear;
}
[[gnu::always_inline]] inline std::int64_t far_part(std::int64_t distance) {
  return distance - static_cast<std::int64_t>(near_part(distance));
}

/// Distances with the same Δ' that follow each other in the list.
struct Run {
  std::size_t begin, size;
  std::int64_t far;
  std::ptrdiff_t first, step;  // δ of the j-th is first + j·step
};

/// The longest run that starts at an index.
[[gnu::always_inline]] inline Run run_at(std::span<const std::int64_t> distances,
                                         std::size_t begin) {
  const std::int64_t start = distances[begin], from = magnitude(start);
  Run run{begin, 1, far_part(from), static_cast<std::ptrdiff_t>(near_part(from)), 1};
  if (begin + 1 == distances.size()) return run;
  const auto at = [&](std::size_t i) { return static_cast<std::uint64_t>(distances[i]); };
  const std::uint64_t difference = at(begin + 1) - at(begin);  // may overflow, and is then large
  if (difference == 0 || difference + kNear > 2 * kNear) return run;
  const auto apart = static_cast<std::ptrdiff_t>(difference);
  run.step = start < 0 ? -apart : apart;
  const std::ptrdiff_t room = run.step > 0 ? std::ptrdiff_t{kNear} - 1 - run.first : run.first;
  const std::size_t most =
      std::min(static_cast<std::size_t>(room / std::abs(run.step)) + 1, distances.size() - begin);
  std::uint64_t other = 0;  // all at once, as vector code
  for (std::size_t j = 0; j < most; ++j) other |= at(begin + j) - (at(begin) + j * difference);
  if (other == 0) {
    run.size = most;
    return run;
  }
  while (at(begin + run.size) == at(begin) + run.size * difference) ++run.size;
  return run;
}

/// Nothing if the runs would be too short to be worth a table.
[[gnu::always_inline]] inline std::vector<Run> runs_of(std::span<const std::int64_t> distances) {
  const std::size_t most = distances.size() / kLeastRun;
  std::vector<Run> runs;
  for (std::size_t begin = 0; begin < distances.size(); begin += runs.back().size) {
    if (runs.size() == most) return {};
    runs.push_back(run_at(distances, begin));
  }
  return runs;
}

/// One number a lane. Longer than they are many: where lane l of two arrays has the same address
/// modulo 4096, a processor takes the load of one for a load of what was just stored in the other.
using Lanes = std::array<double, kNear + 24>;

/// e^{iδθ} of the pairs of one tile.
struct Tables {
  alignas(64) std::array<Lanes, kTile> cos, sin;
};

/// e^{iΔ'θ} of the pairs of one tile.
struct FarAngles {
  std::array<double, kTile> cos, sin;
};

/// The running sums of a run.
struct Sums {
  alignas(64) Lanes real, imaginary;  // Σ_{i<j} e^{iΔθ_i}
  alignas(64) Lanes modulus;          // Σ_j |Σ_{i<j} e^{iΔθ_i}|
};

/// One part of the list, and where its curves go. `imaginary` is kept between tiles alone.
struct Part {
  const TurnFraction* theta;
  std::size_t pairs;
  std::span<const std::int64_t> distances;
  double* modulus;
  double* real;
  double* imaginary;
};

[[gnu::always_inline]] inline void clear(Sums& sums, std::size_t n) {
  std::fill_n(sums.real.data(), n, 0.0);
  std::fill_n(sums.imaginary.data(), n, 0.0);
  std::fill_n(sums.modulus.data(), n, 0.0);
}

/// The sums over the number of pairs. A quotient by a power of two is a product, bit for bit, and
/// leaves the divider to the roots.
[[gnu::always_inline]] inline void finish(const Sums& sums, const Part& part, std::size_t begin,
                                          std::size_t n) {
  const auto count = static_cast<double>(part.pairs);
  double* __restrict modulus = part.modulus + begin;
  double* __restrict real = part.real + begin;
  if (std::has_single_bit(part.pairs)) {
    const double share = 1 / count;
    for (std::size_t l = 0; l < n; ++l) {
      modulus[l] = sums.modulus[l] * share;
      real[l] = sums.real[l] * share;
    }
  } else {
    for (std::size_t l = 0; l < n; ++l) {
      modulus[l] = sums.modulus[l] / count;
      real[l] = sums.real[l] / count;
    }
  }
}

/// The upper half of factor·θ, exactly, in products of 32 bits, which become vector code.
[[gnu::always_inline]] inline std::uint64_t turns_of(std::uint64_t factor_below_2_32,
                                                     TurnFraction theta) {
  const std::uint64_t lower = factor_below_2_32 * (theta.low & 0xffffffffU);
  const std::uint64_t upper = factor_below_2_32 * (theta.low >> 32) + (lower >> 32);
  return factor_below_2_32 * theta.high + (upper >> 32);
}

/// The terms of one pair for a run.
struct Terms {
  double far_cos, far_sin;
  const double* __restrict near_cos;
  const double* __restrict near_sin;
};

/// Two pairs, the first one first: the sums are loaded and stored half as often.
[[gnu::always_inline]] inline void add_terms(const Terms& first, const Terms& second, std::size_t n,
                                             Sums& sums) {
  for (std::size_t l = 0; l < n; ++l) {
    const double c = first.near_cos[l], s = first.near_sin[l];
    const double real = sums.real[l] + (first.far_cos * c - first.far_sin * s);
    const double imaginary = sums.imaginary[l] + (first.far_cos * s + first.far_sin * c);
    const double modulus = sums.modulus[l] + std::sqrt(real * real + imaginary * imaginary);
    const double c2 = second.near_cos[l], s2 = second.near_sin[l];
    const double real2 = real + (second.far_cos * c2 - second.far_sin * s2);
    const double imaginary2 = imaginary + (second.far_cos * s2 + second.far_sin * c2);
    sums.real[l] = real2;
    sums.imaginary[l] = imaginary2;
    sums.modulus[l] = modulus + std::sqrt(real2 * real2 + imaginary2 * imaginary2);
  }
}

[[gnu::always_inline]] inline void add_terms(const Terms& terms, std::size_t n, Sums& sums) {
  for (std::size_t l = 0; l < n; ++l) {
    const double c = terms.near_cos[l], s = terms.near_sin[l];
    const double real = sums.real[l] + (terms.far_cos * c - terms.far_sin * s);
    const double imaginary = sums.imaginary[l] + (terms.far_cos * s + terms.far_sin * c);
    sums.real[l] = real;
    sums.imaginary[l] = imaginary;
    sums.modulus[l] += std::sqrt(real * real + imaginary * imaginary);
  }
}

[[gnu::always_inline]] inline void add_pairs(const FarAngles& far, const Tables& tables,
                                             std::size_t pairs, const Run& run, Sums& sums) {
  const auto terms = [&](std::size_t k) {
    return Terms{far.cos[k], far.sin[k], tables.cos[k].data() + run.first,
                 tables.sin[k].data() + run.first};
  };
  std::size_t k = 0;
  for (; k + 1 < pairs; k += 2) add_terms(terms(k), terms(k + 1), run.size, sums);
  if (k < pairs) add_terms(terms(k), run.size, sums);
}

/// Of distances that are further apart, what the tables hold is brought together first.
[[gnu::always_inline]] inline void add_strided_pairs(const FarAngles& far, const Tables& tables,
                                                     std::size_t pairs, const Run& run,
                                                     Sums& sums) {
  Lanes near_cos, near_sin;
  for (std::size_t k = 0; k < pairs; ++k) {
    for (std::size_t l = 0; l < run.size; ++l) {
      const auto near =
          static_cast<std::size_t>(run.first + static_cast<std::ptrdiff_t>(l) * run.step);
      near_cos[l] = tables.cos[k][near];
      near_sin[l] = tables.sin[k][near];
    }
    add_terms({far.cos[k], far.sin[k], near_cos.data(), near_sin.data()}, run.size, sums);
  }
}

[[gnu::always_inline]] inline void add_run(const Part& part, std::size_t first_pair,
                                           std::size_t pairs, const Run& run,
                                           const Tables& tables) {
  std::array<std::uint64_t, kTile> turns;
  FarAngles far;
  for (std::size_t k = 0; k < pairs; ++k) turns[k] = (run.far * part.theta[first_pair + k]).high;
  kernel::cos_sin_loop(turns.data(), far.cos.data(), far.sin.data(), pairs);
  Sums sums;
  if (first_pair == 0) {
    clear(sums, run.size);
  } else {
    std::copy_n(part.real + run.begin, run.size, sums.real.data());
    std::copy_n(part.imaginary + run.begin, run.size, sums.imaginary.data());
    std::copy_n(part.modulus + run.begin, run.size, sums.modulus.data());
  }
  if (run.step == 1)
    add_pairs(far, tables, pairs, run, sums);
  else
    add_strided_pairs(far, tables, pairs, run, sums);
  if (first_pair + pairs == part.pairs) {
    finish(sums, part, run.begin, run.size);
  } else {
    std::copy_n(sums.real.data(), run.size, part.real + run.begin);
    std::copy_n(sums.imaginary.data(), run.size, part.imaginary + run.begin);
    std::copy_n(sums.modulus.data(), run.size, part.modulus + run.begin);
  }
}

/// Lists with many distances to each Δ'.
[[gnu::always_inline]] inline void add_runs(const Part& part, std::span<const Run> runs) {
  std::size_t used = 0;  // entries of the tables
  for (const Run& run : runs) {
    const std::ptrdiff_t last = run.first + static_cast<std::ptrdiff_t>(run.size - 1) * run.step;
    used = std::max(used, static_cast<std::size_t>(std::max(run.first, last)) + 1);
  }
  const auto tables = std::make_unique_for_overwrite<Tables>();
  std::array<std::uint64_t, kNear> turns;
  for (std::size_t first = 0; first < part.pairs; first += kTile) {
    const std::size_t pairs = std::min(kTile, part.pairs - first);
    for (std::size_t k = 0; k < pairs; ++k) {
      const TurnFraction theta = part.theta[first + k];
      for (std::size_t near = 0; near < used; ++near) turns[near] = turns_of(near, theta);
      kernel::cos_sin_loop(turns.data(), tables->cos[k].data(), tables->sin[k].data(), used);
    }
    for (const Run& run : runs) add_run(part, first, pairs, run, *tables);
  }
}

/// Distances whose two angles are computed for each of them.
struct Scattered {
  std::array<std::int64_t, kNear> far;
  std::array<std::uint64_t, kNear> steps, near;  // far = kNear·steps, where steps are below 2^32
  bool short_steps;
};

[[gnu::always_inline]] inline void scatter(std::span<const std::int64_t> distances,
                                           Scattered& scattered) {
  std::uint64_t all = 0;
  for (std::size_t l = 0; l < distances.size(); ++l) {
    const std::int64_t distance = magnitude(distances[l]);
    scattered.far[l] = far_part(distance);
    scattered.near[l] = near_part(distance);
    scattered.steps[l] = static_cast<std::uint64_t>(distance) / kNear;
    all |= scattered.steps[l];
  }
  scattered.short_steps = all >> 32 == 0;
}

/// Lists with few distances to each Δ'.
[[gnu::always_inline]] inline void add_scattered(const Part& part) {
  Scattered scattered;
  std::array<std::uint64_t, kNear> turns;
  std::array<double, kNear> far_cos, far_sin, near_cos, near_sin;
  Sums sums;
  for (std::size_t begin = 0; begin < part.distances.size(); begin += kNear) {
    const std::size_t n = std::min(kNear, part.distances.size() - begin);
    scatter(part.distances.subspan(begin, n), scattered);
    clear(sums, n);
    for (std::size_t k = 0; k < part.pairs; ++k) {
      const TurnFraction theta = part.theta[k];
      if (scattered.short_steps) {
        const TurnFraction step = static_cast<std::int64_t>(kNear) * theta;
        for (std::size_t l = 0; l < n; ++l) turns[l] = turns_of(scattered.steps[l], step);
      } else {
        for (std::size_t l = 0; l < n; ++l) turns[l] = (scattered.far[l] * theta).high;
      }
      kernel::cos_sin_loop(turns.data(), far_cos.data(), far_sin.data(), n);
      for (std::size_t l = 0; l < n; ++l) turns[l] = turns_of(scattered.near[l], theta);
      kernel::cos_sin_loop(turns.data(), near_cos.data(), near_sin.data(), n);
      for (std::size_t l = 0; l < n; ++l) {
        sums.real[l] += far_cos[l] * near_cos[l] - far_sin[l] * near_sin[l];
        sums.imaginary[l] += far_cos[l] * near_sin[l] + far_sin[l] * near_cos[l];
        sums.modulus[l] +=
            std::sqrt(sums.real[l] * sums.real[l] + sums.imaginary[l] * sums.imaginary[l]);
      }
    }
    finish(sums, part, begin, n);
  }
}

[[gnu::always_inline]] inline void curve_loop(Part part) {
  const std::vector<Run> runs = runs_of(part.distances);
  if (runs.empty()) return add_scattered(part);
  std::vector<double> imaginary(part.pairs > kTile ? part.distances.size() : 0);
  part.imaginary = imaginary.data();
  add_runs(part, runs);
}

void curve_baseline(Part part) { curve_loop(part); }
ROPE_TARGET_V3 void curve_v3(Part part) { curve_loop(part); }
ROPE_TARGET_V4 void curve_v4(Part part) { curve_loop(part); }

}  // namespace

void decay_curve(const Frequencies& frequencies, std::span<const std::int64_t> distances,
                 std::span<double> bound, std::span<double> mean_cosine, CpuLevel level) {
  if (bound.size() != distances.size() || mean_cosine.size() != distances.size())
    throw ShapeError("decay_curve: expected " + std::to_string(distances.size()) +
                     " places for each result, got " + std::to_string(bound.size()) + " and " +
                     std::to_string(mean_cosine.size()));
  // A term costs about a third of a nanosecond: below two milliseconds, starting threads costs more
  // than they save.
  constexpr std::size_t kTermsWorthAThread = std::size_t{1} << 22;
  in_parallel(distances.size(), kTermsWorthAThread / std::max<std::size_t>(frequencies.pairs(), 1),
              [&](std::size_t begin, std::size_t end) {
                for_level(level, curve_baseline, curve_v3,
                          curve_v4)({frequencies.turns.data(), frequencies.pairs(),
                                     distances.subspan(begin, end - begin), bound.data() + begin,
                                     mean_cosine.data() + begin, nullptr});
              });
}

DecayCurve decay_curve(const Frequencies& frequencies, std::span<const std::int64_t> distances,
                       CpuLevel level) {
  DecayCurve curve{std::vector<double>(distances.size()), std::vector<double>(distances.size())};
  decay_curve(frequencies, distances, curve.bound, curve.mean_cosine, level);
  return curve;
}

}  // namespace rope
