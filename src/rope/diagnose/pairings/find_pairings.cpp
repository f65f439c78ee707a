#include "rope/diagnose/pairings/find_pairings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <utility>

#include "rope/diagnose/diagnosis.hpp"
#include "rope/precision/largest.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/rotary/axes.hpp"

namespace rope {
namespace {

constexpr std::size_t kMostArrangements = 24;
constexpr double kOwnRounding = 3e-14;  // of norms and sums over all vectors of a sample

/// The layouts of x and y, in the order in which they are tried: one layout, one converted into the
/// other, and rows permuted twice or the wrong way round.
constexpr std::array<std::pair<int, int>, 8> kOrders = {
    {{0, 0}, {-1, -1}, {0, -1}, {-1, 0}, {-2, -1}, {1, 0}, {1, -1}, {-2, 0}}};

/// Whether two arrangements pair the same dimensions, as different ones may where the block is
/// small.
bool same_dimensions(const Arrangement& a, const Arrangement& b) {
  if (a.offset != b.offset || a.rotary_dim != b.rotary_dim) return false;
  const auto same = [](PairDimensions p, PairDimensions q) {
    return p.first == q.first && p.second == q.second;
  };
  for (std::size_t k = 0; k < a.pairs(); ++k)
    if (!same(a.in_dimensions(k), b.in_dimensions(k)) ||
        !same(a.out_dimensions(k), b.out_dimensions(k)))
      return false;
  return true;
}

/// Tests whether pairs are rotated, by any angle, and scaled by A.
class PairTest {
 public:
  PairTest(const RotatedTensors& tensors, const SearchTolerance& tolerance)
      : tensors_(tensors), tolerance_(tolerance) {}

  /// A of a block: its norms do not depend on the pairing.
  double stretch(const Arrangement& a) const {
    double before = 0, after = 0;
    for_each_vector(tensors_, [&](std::size_t row) {
      double x = 0, y = 0;  // row by row: less rounding than one long sum
      for (std::size_t i = row + a.offset; i < row + a.offset + a.rotary_dim; ++i) {
        x += tensors_.x[i] * tensors_.x[i];
        y += tensors_.y[i] * tensors_.y[i];
      }
      before += x;
      after += y;
    });
    return before > 0 ? std::sqrt(after / before) : 1;
  }

  /// The median A of the pairs, which a few wrong pairs do not spoil.
  double median_stretch(const Arrangement& a) const {
    std::vector<double> of_pairs;
    for (std::size_t k = 0; k < a.pairs(); ++k) {
      const PairDimensions in = a.in_dimensions(k), out = a.out_dimensions(k);
      double before = 0, after = 0;
      for_each_vector(tensors_, [&](std::size_t row) {
        before +=
            std::pow(tensors_.x[row + in.first], 2) + std::pow(tensors_.x[row + in.second], 2);
        after +=
            std::pow(tensors_.y[row + out.first], 2) + std::pow(tensors_.y[row + out.second], 2);
      });
      if (before > 0) of_pairs.push_back(std::sqrt(after / before));
    }
    return of_pairs.empty() ? 1 : median_of(std::move(of_pairs));
  }

  bool fits(const Arrangement& a) const {
    const double factor = stretch(a);
    bool all = factor > 0;
    for (std::size_t k = 0; all && k < a.pairs(); ++k) all = fits(a, k, factor);
    return all;
  }

  bool fits(const Arrangement& a, std::size_t pair, double factor) const {
    const PairDimensions in = a.in_dimensions(pair), out = a.out_dimensions(pair);
    for (std::size_t t = 0; t < tensors_.tokens; ++t)
      if (!token_fits(in, out, t, factor)) return false;
    return true;
  }

 private:
  bool token_fits(PairDimensions in, PairDimensions out, std::size_t token, double factor) const {
    using Complex = std::complex<double>;
    const auto z = [&](std::size_t row) {
      return Complex(tensors_.x[row + in.first], tensors_.x[row + in.second]);
    };
    const auto v = [&](std::size_t row) {
      return Complex(tensors_.y[row + out.first], tensors_.y[row + out.second]);
    };
    Complex product = 0;
    double norm = 0, errors = 0;
    for (std::size_t lane = 0; lane < tensors_.lanes; ++lane) {
      const std::size_t row = tensors_.row(token, lane);
      product += std::conj(z(row)) * v(row);
      norm += std::norm(z(row));
      const double error =
          factor * (tolerance_.relative * (std::abs(z(row).real()) + std::abs(z(row).imag())) +
                    tolerance_.carried * tensors_.x.origin(row + in.first, row + in.second));
      errors += 2 * error * error;
    }
    if (norm == 0) return silent_token_fits(out, token);
    const Complex w = product / norm;
    double rest = 0;
    for (std::size_t lane = 0; lane < tensors_.lanes; ++lane) {
      const std::size_t row = tensors_.row(token, lane);
      rest += std::norm(v(row) - w * z(row));
    }
    // With one vector, only a change of its length can be seen.
    return rest <= errors &&
           std::abs(std::abs(w) - factor) * std::sqrt(norm) <=
               std::sqrt(errors) + (tolerance_.table + kOwnRounding) * factor * std::sqrt(norm);
  }

  /// A token whose x is zero must stay zero.
  bool silent_token_fits(PairDimensions out, std::size_t token) const {
    for (std::size_t lane = 0; lane < tensors_.lanes; ++lane) {
      const std::size_t row = tensors_.row(token, lane);
      if (tensors_.y[row + out.first] != 0 || tensors_.y[row + out.second] != 0) return false;
    }
    return true;
  }

  const RotatedTensors& tensors_;
  SearchTolerance tolerance_;
};

/// The blocks that hold all changed dimensions: prefixes, then suffixes, then blocks that start
/// where the changes start; the largest of each first.
std::vector<Arrangement> blocks(const RotatedTensors& tensors, const ChangedDimensions& changed) {
  std::vector<Arrangement> result;
  const auto add = [&](std::size_t offset, std::size_t size) {
    if (offset > changed.first || offset + size <= changed.last) return;
    const Arrangement block{offset, size, 0, 0};
    if (std::find(result.begin(), result.end(), block) == result.end()) result.push_back(block);
  };
  const std::size_t largest = tensors.dim - tensors.dim % 2;
  for (std::size_t size = largest; size >= 2; size -= 2) add(0, size);
  for (std::size_t size = largest; size >= 2; size -= 2) add(tensors.dim - size, size);
  for (std::size_t size = largest; size >= 2; size -= 2)
    if (changed.first + size <= tensors.dim) add(changed.first, size);
  return result;
}

/// Keeps the smallest of nested interleaved blocks: the other pairs of the larger ones did not
/// turn.
void drop_enclosing_blocks(std::vector<Arrangement>& fitting) {
  const auto encloses = [](const Arrangement& a, const Arrangement& b) {
    if (a.in != 0 || a.out != 0 || b.in != 0 || b.out != 0 || a.rotary_dim <= b.rotary_dim)
      return false;
    return a.offset <= b.offset && a.offset + a.rotary_dim >= b.offset + b.rotary_dim &&
           (a.offset == b.offset || a.offset + a.rotary_dim == b.offset + b.rotary_dim) &&
           (b.offset - a.offset) % 2 == 0;
  };
  const std::vector<Arrangement> all = fitting;
  std::erase_if(fitting, [&](const Arrangement& a) {
    return std::any_of(all.begin(), all.end(),
                       [&](const Arrangement& b) { return encloses(a, b); });
  });
}

void find_nearest(const PairTest& test, const std::vector<Arrangement>& candidates,
                  FoundPairings& search) {
  std::size_t most = 0;
  for (const Arrangement& candidate : candidates) {
    std::vector<std::size_t> misfits;
    const double factor = test.median_stretch(candidate);
    for (std::size_t k = 0; k < candidate.pairs(); ++k)
      if (!test.fits(candidate, k, factor)) misfits.push_back(k);
    const std::size_t fit = candidate.pairs() - misfits.size();
    if (search.nearest.rotary_dim != 0 && fit <= most) continue;
    most = fit;
    search.nearest = candidate;
    search.nearest_misfits = std::move(misfits);
  }
}

}  // namespace

ChangedDimensions changed_dimensions(const RotatedTensors& tensors,
                                     const SearchTolerance& tolerance) {
  // What was turned back may have been turned by angles of float32.
  const double carried = tolerance.carried + 2 * kFloatAngle * tensors.x.farthest();
  const auto differs = [&](std::size_t i) {
    const double x = tensors.x[i], y = tensors.y[i];
    return !(std::abs(y - x) <= tolerance.passing * std::abs(x) + carried * tensors.x.origin(i));
  };
  // Most rotations change both ends within the first vectors; then the middle need not be read.
  std::size_t first = tensors.dim, end = 0;
  for_each_vector(tensors, [&](std::size_t row) {
    for (std::size_t i = 0; i < first; ++i)
      if (differs(row + i)) first = i;
    for (std::size_t i = tensors.dim; i > end; --i)
      if (differs(row + i - 1)) end = i;
  });
  return {end > 0, first, end > 0 ? end - 1 : 0};
}

SearchTolerance search_tolerance(const RotatedTensors& tensors, Format storage,
                                 const DiagnosisHypotheses& hypotheses, double table) {
  const double u = limits(storage).unit_roundoff, noise = 2 * hypotheses.noise_ulp * u;
  const bool cast = !holds(storage, tensors, &RotatedTensors::x);
  // Two products, a sum and a cast, and our own rounding when we solve for angles.
  const double relative = (cast ? 4.2 : 3.1) * u + noise + 40 * 0x1p-53;
  const double of_table = larger(table, 1.5 * u);
  // Both numbers of a pair that was turned back erred by as much, or by the rounding of a reference
  // with fewer digits.
  const double before = larger(u, limits(tensors.x.reference()).unit_roundoff) / u;
  return {relative, of_table, (cast ? 1.05 * u : 0) + noise, 2 * before * (relative + of_table)};
}

std::optional<Arrangement> longer_block(const Arrangement& block, bool slowest_first,
                                        std::size_t dim) {
  if (slowest_first ? block.offset < 2 : block.offset + block.rotary_dim + 2 > dim)
    return std::nullopt;
  return Arrangement{slowest_first ? block.offset - 2 : block.offset, block.rotary_dim + 2,
                     block.in, block.out};
}

bool turns(const RotatedTensors& tensors, const Arrangement& arrangement,
           const SearchTolerance& tolerance) {
  return PairTest(tensors, tolerance).fits(arrangement);
}

bool may_stand_elsewhere(const RotatedTensors& vectors, const Arrangement& arrangement,
                         const RotatedTensors& all, const DiagnosisRequest& request) {
  return !request.positions &&
         turns(vectors, arrangement,
               search_tolerance(all, narrowest_format(all, &RotatedTensors::y), request.hypotheses,
                                0));
}

FoundPairings find_pairings(const RotatedTensors& tensors, const ChangedDimensions& changed,
                            const SearchTolerance& tolerance) {
  FoundPairings search;
  if (!changed.any) return search;
  const PairTest test(tensors, tolerance);
  const std::vector<Arrangement> all = blocks(tensors, changed);
  const auto try_order = [&](int in, int out, std::size_t count) {
    std::vector<Arrangement> found;
    for (Arrangement candidate : all) {
      if (candidate.rotary_dim % (2 * count) != 0) continue;
      candidate.in = in;
      candidate.out = out;
      candidate.blocks = count;
      const auto known = [&](const Arrangement& a) { return same_dimensions(a, candidate); };
      if (test.fits(candidate) && std::none_of(search.fitting.begin(), search.fitting.end(), known))
        found.push_back(candidate);
    }
    drop_enclosing_blocks(found);
    search.fitting.insert(search.fitting.end(), found.begin(), found.end());
  };
  for (const auto& [in, out] : kOrders) try_order(in, out, 1);
  for (std::size_t count = 2; count <= kMaxAxes && search.fitting.empty(); ++count)
    try_order(-1, -1, count);
  if (search.fitting.size() > kMostArrangements) search.fitting.resize(kMostArrangements);
  if (search.fitting.empty()) {
    std::vector<Arrangement> plain;
    if (!all.empty())
      for (const auto& [in, out] : kOrders)
        plain.push_back({all.front().offset, all.front().rotary_dim, in, out});
    find_nearest(test, plain, search);
  }
  return search;
}

}  // namespace rope
