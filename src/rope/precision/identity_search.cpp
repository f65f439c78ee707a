#include "rope/precision/identity_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <span>

#include "rope/precision/largest.hpp"

namespace rope {
namespace {

using Complex = std::complex<double>;

constexpr std::int64_t kGlances = 16;
constexpr std::size_t kBlock = 256;

Complex times(const Complex& a, const Complex& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

std::size_t index(std::int64_t p) { return static_cast<std::size_t>(p); }

/// The squares of the errors at m = begin, begin + 1 … and n. As look() has them, in the same
/// order: the same bits. No branches, so that it becomes vector code.
void squared_errors(const EntryErrors& errors, std::size_t begin, std::size_t n,
                    std::span<double> squares) {
  const double* const real = errors.real().data();
  const double* const imag = errors.imag().data();
  const double n_real = real[n], n_imag = imag[n];
  for (std::size_t i = 0; i < squares.size(); ++i) {
    const std::size_t m = begin + i, r = n - m;
    const double m_real = real[m], m_imag = -imag[m];
    const double x = m_real + n_real - real[r] + (m_real * n_real - m_imag * n_imag);
    const double y = m_imag + n_imag - imag[r] + (m_real * n_imag + m_imag * n_real);
    squares[i] = x * x + y * y;
  }
}

}  // namespace

IdentitySearch::IdentitySearch(const EntryErrors& errors)
    : errors_(errors),
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
  chosen_.way = nullptr;
  polar_ = 0;
  largest_defect_ = 0;
  for (Column* const column : {&defects_, &angles_, &opposite_})
    column->sofar = LargestOf<double>(-kEnough);
}

void IdentitySearch::polar_views(std::int64_t end) {
  const std::span<const double> real = errors_.real(), imag = errors_.imag();
  for (; polar_ <= index(end); ++polar_) {
    const double x = 1 + real[polar_], y = imag[polar_];
    const double defect = std::sqrt(x * x + y * y) - 1, angle = std::atan2(y, x);
    largest_defect_ = larger(largest_defect_, std::abs(defect));
    defects_.put(polar_, defect);
    angles_.put(polar_, angle);
    opposite_.put(polar_, -angle);
  }
  for (std::vector<View>& way : std::span(ways_).subspan(1))
    for (View& view : way) view.shared = largest_defect_;
  ways_[1][0].largest_of_n = defects_.sofar.value();
  ways_[2][0].largest_of_n = angles_.sofar.value();
  ways_[2][1].largest_of_n = opposite_.sofar.value();
}

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

std::vector<IdentitySearch::View>& IdentitySearch::choose_way(double tolerance, std::int64_t end) {
  // A scan mostly asks what the glance before it asked.
  if (chosen_.way != nullptr && chosen_.tolerance == tolerance && chosen_.end == end)
    return *chosen_.way;
  std::vector<View>* best = &ways_.front();
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  for (std::vector<View>& way : ways_) {
    if (&way != &ways_.front()) polar_views(end);
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
  for (View& view : *best)
    std::ranges::sort(view.candidates, [](const Candidate& a, const Candidate& b) {
      return a.number > b.number || (a.number == b.number && a.m > b.m);
    });
  chosen_ = {best, tolerance, end};
  return *best;
}

std::size_t IdentitySearch::collect(View& view, std::int64_t end) {
  const double least = view.at - view.largest_of_n - view.largest[index(end / 2)];
  view.candidates.clear();
  if (view.largest[index(end)] <= least) return 0;
  for (std::int64_t p = 0; p <= end; ++p)
    if (!(view.of_m[index(p)] <= least)) view.candidates.push_back({view.of_m[index(p)], p});
  return view.candidates.size();
}

bool IdentitySearch::scan_at(std::vector<View>& way, const View& view, std::int64_t n,
                             double& tolerance, std::int64_t& steps, const Exceeded& exceeded) {
  const double of_n = view.of_n[index(n)], most = view.largest[index(n / 2)];
  const auto most_r = static_cast<std::uint64_t>(n / 2);
  double by_others = view.at - of_n;
  // Where most is left to look at, looking at everything in turn is quicker, and mostly nothing is
  // above the tolerance; else which error comes first is for the order of the candidates to say.
  const auto reached = std::ranges::partition_point(
      view.candidates, [&](const Candidate& each) { return !(each.number + most <= by_others); });
  const std::int64_t count = reached - view.candidates.begin();
  if (count > n / 2 && count <= steps && !any_above(tolerance, n)) {
    steps -= count;
    return true;
  }
  std::int64_t left = steps;  // in a register
  for (const auto& [number, m] : view.candidates) {
    if (number + most <= by_others) break;
    if (left == 0) {
      steps = 0;
      return false;
    }
    --left;
    const auto r = static_cast<std::uint64_t>(n - m);  // beyond most_r where m > n
    if (r > most_r || number + view.of_m[r] <= by_others) continue;
    look(way, m, n, tolerance, exceeded);
    if (!(tolerance < kEnough)) break;
    by_others = view.at - of_n;
  }
  steps = left;
  return true;
}

bool IdentitySearch::any_above(double tolerance, std::int64_t n) const {
  std::array<double, kBlock> squares{};
  const std::size_t positions = index(n) + 1;
  for (std::size_t begin = 0; begin < positions; begin += kBlock) {
    const std::span block =
        std::span(squares).first(std::min<std::size_t>(kBlock, positions - begin));
    squared_errors(errors_, begin, index(n), block);
    for (const double square : block)
      if (!(square <= tolerance * tolerance)) return true;
  }
  return false;
}

void IdentitySearch::look(std::vector<View>& way, std::int64_t m, std::int64_t n, double& tolerance,
                          const Exceeded& exceeded) {
  for (const std::int64_t at : {m, n - m}) {
    const Complex at_m = std::conj(errors_[at]), at_n = errors_[n];
    const Complex error = at_m + at_n - errors_[n - at] + times(at_m, at_n);
    if (std::norm(error) <= tolerance * tolerance) continue;
    tolerance = exceeded({number_or_infinity(std::abs(error)), at, n, 0});
    if (!(tolerance < kEnough)) return;
    for (View& each : way) each.at = each.limit(tolerance, each.shared);
  }
}

}  // namespace rope
