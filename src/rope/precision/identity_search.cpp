#include "rope/precision/identity_search.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <span>

#include "rope/precision/largest.hpp"
#include "rope/rotary/cpu_level.hpp"

namespace rope {
namespace {

using Complex = std::complex<double>;

constexpr std::int64_t kGlances = 16;
constexpr std::int64_t kFewOf = 64;
constexpr std::size_t kBlock = 256;
constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

Complex times(const Complex& a, const Complex& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

std::size_t index(std::int64_t p) { return static_cast<std::size_t>(p); }

/// Whether an error at n is above the tolerance. As look() has them, in the same order: the same
/// bits. No branches within a block, so that it becomes vector code.
[[gnu::always_inline]] inline bool above_loop(const double* real, const double* imag, std::size_t n,
                                              double tolerance) {
  const double n_real = real[n], n_imag = imag[n], limit = tolerance * tolerance;
  for (std::size_t begin = 0; begin <= n; begin += kBlock) {
    const std::size_t count = std::min<std::size_t>(kBlock, n + 1 - begin);
    const double *const of_m = real + begin, *const imag_of_m = imag + begin;
    const double *const of_r = real + (n - begin), *const imag_of_r = imag + (n - begin);
    std::int64_t above = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const double m_real = of_m[i], m_imag = -imag_of_m[i];
      const double r_real = *(of_r - i), r_imag = *(imag_of_r - i);
      const double x = m_real + n_real - r_real + (m_real * n_real - m_imag * n_imag);
      const double y = m_imag + n_imag - r_imag + (m_real * n_imag + m_imag * n_real);
      above += x * x + y * y <= limit ? 0 : 1;
    }
    if (above > 0) return true;
  }
  return false;
}

bool above_baseline(const double* real, const double* imag, std::size_t n, double tolerance) {
  return above_loop(real, imag, n, tolerance);
}
ROPE_TARGET_V3 bool above_v3(const double* real, const double* imag, std::size_t n,
                             double tolerance) {
  return above_loop(real, imag, n, tolerance);
}

}  // namespace

IdentitySearch::IdentitySearch(const EntryErrors& errors)
    : errors_(errors),
      vectors_(best_cpu_level() != CpuLevel::baseline),
      defects_(errors.moduli().size()),
      angles_(errors.moduli().size()),
      opposite_(errors.moduli().size()) {
  View moduli{errors.moduli(), errors.moduli(), errors.largest()};
  View lengths{defects_.numbers, defects_.numbers, defects_.largest};
  View angles{opposite_.numbers, angles_.numbers, opposite_.largest};
  View mirrored{angles_.numbers, opposite_.numbers, angles_.largest};
  // |e_m| + |e_n| + |e_r| + |e_m||e_n|
  moduli.limit = [](double tolerance, double e) { return tolerance - e * e; };
  // |ŵ_m||ŵ_n| + |ŵ_r|
  lengths.limit = [](double tolerance, double d) { return tolerance - 2 - d * d; };
  // ε² = (|ŵ_m||ŵ_n| − |ŵ_r|)² + 4|ŵ_m ŵ_n ŵ_r| sin²(φ/2), φ the angles of n less those of m and
  // r
  angles.limit = mirrored.limit = [](double tolerance, double d) {
    const double radial = 3 * d + d * d;
    const double rest = tolerance * tolerance - radial * radial;
    if (!(rest > 0)) return -kEnough;
    return 2 * std::asin(smaller(1.0, std::sqrt(rest / std::pow(1 + d, 3)) / 2));
  };
  ways_ = {{moduli}, {lengths}, {angles, mirrored}};
}

void IdentitySearch::start() {
  View& moduli = ways_[0][0];
  moduli.shared = moduli.largest_of_n = errors_.largest_up_to(errors_.last());
  largest_defect_ = 0;
  for (Column* const column : {&defects_, &angles_, &opposite_}) column->clear();
}

void IdentitySearch::know_lengths(std::int64_t end) {
  const std::span<const double> real = errors_.real(), imag = errors_.imag();
  for (std::size_t p = defects_.known; p <= index(end); ++p) {
    const double x = 1 + real[p], y = imag[p];
    const double defect = std::sqrt(x * x + y * y) - 1;
    largest_defect_ = larger(largest_defect_, std::abs(defect));
    defects_.put(defect);
  }
  View& lengths = ways_[1][0];
  lengths.shared = largest_defect_;
  lengths.largest_of_n = defects_.sofar.value();
}

void IdentitySearch::know_angles(std::int64_t end) {
  const std::span<const double> real = errors_.real(), imag = errors_.imag();
  for (std::size_t p = angles_.known; p <= index(end); ++p) {
    const double angle = std::atan2(imag[p], 1 + real[p]);
    angles_.put(angle);
    opposite_.put(-angle);
  }
  View &angles = ways_[2][0], &mirrored = ways_[2][1];
  angles.shared = mirrored.shared = largest_defect_;
  angles.largest_of_n = angles_.sofar.value();
  mirrored.largest_of_n = opposite_.sofar.value();
}

bool IdentitySearch::scan(double tolerance, std::int64_t from, std::int64_t to, std::int64_t& steps,
                          const Exceeded& exceeded) {
  for (std::int64_t begin = from; begin <= to && tolerance < kEnough;) {
    const std::int64_t end = std::min<std::int64_t>(to, std::max<std::int64_t>(2 * begin, 16));
    choose_way(tolerance, begin, end);
    sort_candidates(kAll);
    for (std::int64_t n = begin; n <= end && tolerance < kEnough; ++n)
      if (!scan_at(n, tolerance, steps, exceeded)) return false;
    begin = end + 1;
  }
  return true;
}

bool IdentitySearch::sweep(double tolerance, std::int64_t from, std::int64_t to,
                           std::int64_t& steps, const Exceeded& exceeded) {
  if (!(tolerance < kEnough)) return true;
  const double at_first = tolerance;
  choose_way(tolerance, from, to);
  sort_candidates(kGlances + 1);  // the first that is not looked at may settle n
  open_.clear();
  for (std::int64_t n = from; n <= to && tolerance < kEnough; ++n) {
    std::int64_t glances = kGlances;
    if (!scan_at(n, tolerance, glances, exceeded)) open_.push_back(n);
  }
  if (open_.empty() || !(tolerance < kEnough)) return true;
  if (tolerance > at_first) choose_way(tolerance, from, to);
  sort_candidates(kAll);
  for (const std::int64_t n : open_)
    if (tolerance < kEnough && !scan_at(n, tolerance, steps, exceeded)) return false;
  return true;
}

void IdentitySearch::choose_way(double tolerance, std::int64_t begin, std::int64_t end) {
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  for (std::vector<View>& way : ways_) {
    if (&way == &ways_[1]) know_lengths(end);
    if (&way == &ways_[2]) know_angles(end);
    std::size_t count = 0;
    for (View& view : way) {
      view.at = view.limit(tolerance, view.shared);
      count += collect(view, begin, end);
    }
    if (count >= fewest) continue;
    fewest = count;
    way_ = &way;
    // The other ways take longer to find out about than so few take to look at.
    if (fewest <= index(end / kFewOf)) break;
  }
}

void IdentitySearch::sort_candidates(std::size_t count) {
  const auto before = [](const Candidate& a, const Candidate& b) {
    return a.number > b.number || (a.number == b.number && a.m > b.m);
  };
  for (View& view : *way_) {
    const auto begin = view.candidates.begin(), end = view.candidates.end();
    view.sorted = std::min<std::size_t>(count, view.candidates.size());
    const auto middle = begin + static_cast<std::ptrdiff_t>(view.sorted);
    if (middle != end) std::nth_element(begin, middle, end, before);
    std::sort(begin, middle, before);
  }
}

std::size_t IdentitySearch::collect(View& view, std::int64_t begin, std::int64_t end) {
  const double least = view.at - view.largest_of_n - view.largest[index(end / 2)];
  view.candidates.clear();
  if (view.largest[index(end)] <= least) return 0;
  for (std::int64_t p = begin / 2; p <= end; ++p)
    if (!(view.of_m[index(p)] <= least)) view.candidates.push_back({view.of_m[index(p)], p});
  return view.candidates.size();
}

bool IdentitySearch::scan_at(std::int64_t n, double& tolerance, std::int64_t& steps,
                             const Exceeded& exceeded) {
  for (const View& view : *way_)
    if (tolerance < kEnough && !scan_view(view, n, tolerance, steps, exceeded)) return false;
  return true;
}

bool IdentitySearch::scan_view(const View& view, std::int64_t n, double& tolerance,
                               std::int64_t& steps, const Exceeded& exceeded) {
  const double of_n = view.of_n[index(n)], most = view.largest[index(n / 2)];
  const auto most_r = static_cast<std::uint64_t>(n / 2);
  double by_others = view.at - of_n;
  const auto reached = [&](const Candidate& each) { return !(each.number + most <= by_others); };
  // Where most is left to look at, looking at everything in turn is quicker, and mostly nothing is
  // above the tolerance; else which error comes first is for the order of the candidates to say.
  const std::span sorted = std::span(view.candidates).first(view.sorted);
  if (sorted.size() > most_r && reached(sorted[most_r])) {
    const std::int64_t count = std::ranges::partition_point(sorted, reached) - sorted.begin();
    if (count <= steps && !any_above(tolerance, n)) {
      steps -= count;
      return true;
    }
  }
  std::int64_t left = steps;  // in a register
  for (const Candidate& candidate : sorted) {
    if (!reached(candidate)) break;
    if (left == 0) {
      steps = 0;
      return false;
    }
    --left;
    const auto [number, m] = candidate;
    const auto r = static_cast<std::uint64_t>(n - m);  // beyond most_r where m > n
    if (r > most_r || number + view.of_m[r] <= by_others) continue;
    look(m, n, tolerance, exceeded);
    if (!(tolerance < kEnough)) break;
    by_others = view.at - of_n;
  }
  steps = left;
  return true;
}

bool IdentitySearch::any_above(double tolerance, std::int64_t n) const {
  const auto above = vectors_ ? above_v3 : above_baseline;
  return above(errors_.real().data(), errors_.imag().data(), index(n), tolerance);
}

void IdentitySearch::look(std::int64_t m, std::int64_t n, double& tolerance,
                          const Exceeded& exceeded) {
  for (const std::int64_t at : {m, n - m}) {
    const Complex at_m = std::conj(errors_[at]), at_n = errors_[n];
    const Complex error = at_m + at_n - errors_[n - at] + times(at_m, at_n);
    if (std::norm(error) <= tolerance * tolerance) continue;
    tolerance = exceeded({number_or_infinity(modulus(error)), at, n, 0});
    if (!(tolerance < kEnough)) return;
    for (View& each : *way_) each.at = each.limit(tolerance, each.shared);
  }
}

}  // namespace rope
