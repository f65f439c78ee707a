#include "rope/precision/exact_search.hpp"

#include <cmath>
#include <numbers>

#include "rope/precision/largest.hpp"

namespace rope {
namespace {

using Complex = std::complex<double>;

FoundError found(double error, std::int64_t m, std::int64_t n) {
  return {number_or_infinity(error), m, n, 0};
}

}  // namespace

ExactSearch::ExactSearch(const EntryErrors& errors) : errors_(errors) {
  for (std::size_t j = 0; j < kDirections; ++j) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(j) / kDirections;
    cos_[j] = std::cos(angle);
    sin_[j] = std::sin(angle);
  }
}

bool ExactSearch::scan(double tolerance, std::int64_t from, std::int64_t to,
                       std::int64_t& /*steps*/, const Exceeded& exceeded) {
  if (seen_ > from + 1) start();  // points behind n do not count
  for (std::int64_t n = from; n <= to && tolerance < kEnough; ++n) {
    const double at_n = errors_.modulus(n), at_m = errors_.largest_up_to(n);
    if (at_n + at_m + at_n * at_m <= tolerance) continue;
    for (; seen_ <= n; ++seen_) see(seen_);
    while (const auto found = at(tolerance, n)) tolerance = exceeded(*found);
  }
  return true;
}

void ExactSearch::start() {
  const Complex z = std::conj(errors_[0]);
  for (std::size_t j = 0; j < kDirections; ++j) reach_[j] = cos_[j] * z.real() + sin_[j] * z.imag();
  furthest_.fill(0);
  find_least();
  seen_ = 1;
}

void ExactSearch::find_least() {
  least_ = 0;
  for (std::size_t j = 1; j < kDirections; ++j)
    if (reach_[j] < reach_[least_])
      least_ = j;  // none is NaN: entries that are no number count as ∞
}

void ExactSearch::see(std::int64_t m) {
  const double least = reach_[least_];
  // Nothing inside the circle that every direction reaches goes further, roundings included.
  if (errors_.modulus(m) * (1 + 0x1p-48) <= least) return;
  const Complex z = std::conj(errors_[m]);
  for (std::size_t j = 0; j < kDirections; ++j) {
    const double reach = cos_[j] * z.real() + sin_[j] * z.imag();
    const bool further = reach > reach_[j];
    reach_[j] = further ? reach : reach_[j];
    furthest_[j] = further ? m : furthest_[j];
  }
  if (reach_[least_] > least) find_least();
}

std::optional<FoundError> ExactSearch::at(double tolerance, std::int64_t n) const {
  const Complex e = errors_[n], stretch = 1.0 + e;
  // ŵ_n is 0, and every error at n is 1; or it is no number, and no error is larger.
  if (modulus(stretch) == 0) return 1 > tolerance ? std::optional(found(1, 0, n)) : std::nullopt;
  // Quotients of complex numbers are rounded as the standard library likes: here are none.
  const Complex c = e * std::conj(stretch) / std::norm(stretch);
  const auto error_of = [&](std::int64_t m) { return stretch * std::conj(errors_[m]) + e; };
  const auto error = [&](std::int64_t m) { return modulus(error_of(m)); };
  // Most squares are below this by more than their roundings, and lengths take longer.
  const double clearly_within = tolerance * tolerance * (1 - 0x1p-40);
  const auto exceeds = [&](std::int64_t m) {
    return !(std::norm(error_of(m)) <= clearly_within) && !(error(m) <= tolerance);
  };
  // Every ē_m + c lies in the polygon that the directions bound.
  const double within = tolerance * std::cos(std::numbers::pi / kDirections) / modulus(stretch);
  std::int64_t beyond = 0;  // counted without branches: vector code
  for (std::size_t j = 0; j < kDirections; ++j)
    beyond += reach_[j] + (cos_[j] * c.real() + sin_[j] * c.imag()) <= within ? 0 : 1;
  if (beyond == 0) return std::nullopt;
  for (const std::int64_t m : furthest_)
    if (exceeds(m)) return found(error(m), m, n);
  for (std::int64_t m = 0; m <= n; ++m)
    if (exceeds(m)) return found(error(m), m, n);
  return std::nullopt;
}

}  // namespace rope
