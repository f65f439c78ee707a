#include "rope/precision/identity_search.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <utility>

#include "rope/precision/measured.hpp"

namespace rope {
namespace {

using Complex = std::complex<double>;

constexpr std::int64_t kGlances = 16;

Complex times(const Complex& a, const Complex& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

std::size_t index(std::int64_t p) { return static_cast<std::size_t>(p); }

}  // namespace

IdentitySearch::IdentitySearch(const EntryErrors& errors) : errors_(errors) { make_views(); }

bool IdentitySearch::scan(double tolerance, std::int64_t from, std::int64_t to, std::int64_t& steps,
                          const Exceeded& exceeded) {
  for (std::int64_t begin = from; begin <= to && tolerance < kEnough;) {
    const std::int64_t end = std::min<std::int64_t>(to, std::max<std::int64_t>(2 * begin, 16));
    std::vector<View>& way = choose_way(tolerance, end);
    for (std::int64_t n = begin; n <= end && tolerance < kEnough; ++n)
      for (View& view : way)
        if (tolerance < kEnough && !scan_at(way, view, n, tolerance, steps, exceeded)) return false;
    begin = end + 1;
  }
  return true;
}

void IdentitySearch::glance(double tolerance, std::int64_t from, std::int64_t to,
                            const Exceeded& exceeded) {
  if (!(tolerance < kEnough)) return;
  std::vector<View>& way = choose_way(tolerance, to);
  for (std::int64_t n = from; n <= to; ++n)
    for (View& view : way) {
      std::int64_t steps = kGlances;
      if (tolerance < kEnough) scan_at(way, view, n, tolerance, steps, exceeded);
    }
}

void IdentitySearch::make_views() {
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

std::vector<IdentitySearch::View>& IdentitySearch::choose_way(double tolerance, std::int64_t end) {
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

std::size_t IdentitySearch::collect(View& view, std::int64_t end) {
  const double least = view.at - view.largest_of_n - view.largest[index(end / 2)];
  view.candidates.clear();
  if (view.largest[index(end)] <= least) return 0;
  for (std::int64_t p = 0; p <= end; ++p)
    if (!(view.of_m[index(p)] <= least)) view.candidates.emplace_back(view.of_m[index(p)], p);
  return view.candidates.size();
}

bool IdentitySearch::scan_at(std::vector<View>& way, const View& view, std::int64_t n,
                             double& tolerance, std::int64_t& steps, const Exceeded& exceeded) {
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
      tolerance = exceeded({number_or_infinity(std::abs(error)), at, n, 0});
      if (!(tolerance < kEnough)) return true;
      for (View& each : way) each.at = each.limit(tolerance, each.shared);
    }
  }
  return true;
}

}  // namespace rope
