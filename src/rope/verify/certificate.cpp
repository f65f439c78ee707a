#include "rope/verify/certificate.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include "rope/precision/largest.hpp"
#include "rope/precision/twofold.hpp"

namespace rope {
namespace {

Twofold half(const Twofold& x) { return {x.high / 2, x.low / 2}; }

/// |re + i·im|
Twofold modulus(const Twofold& re, const Twofold& im) { return twofold_root(re * re + im * im); }

/// [[a, b], [c, d]] as z ↦ turning·z + mirroring·conj(z): singular values |turning| ± |mirroring|.
struct Block {
  Twofold a, b, c, d;

  std::complex<double> turning() const { return {(a + d).high / 2, (c - b).high / 2}; }
  std::complex<double> mirroring() const { return {(a - d).high / 2, (c + b).high / 2}; }

  /// The 2-norm, to half a unit in the last place but for 2^-100 of the entries.
  double norm() const {
    return (modulus(half(a + d), half(c - b)) + modulus(half(a - d), half(c + b))).high;
  }
};

/// AᵀB − C of one pair, where each is [cos −upper; lower cos] and C is scaled as AᵀB is.
Block defect_block(const SchemeRows& rows, std::size_t k) {
  struct Entries {
    double a, b, c, d;
  };
  const auto block = [k](const Rotor::Row& row) {
    const PairBlocks blocks = row.blocks();
    return Entries{blocks.cos[k], -blocks.upper[k], blocks.lower[k], blocks.cos[k]};
  };
  const Entries a = block(rows.query), b = block(rows.key), c = block(rows.relative);
  const auto entry = [&rows](double a1, double b1, double a2, double b2, double of_c) {
    return exact_product(a1, b1) + exact_product(a2, b2) - exact_product(of_c, rows.scale);
  };
  return {entry(a.a, b.a, a.c, b.c, c.a), entry(a.a, b.b, a.c, b.d, c.b),
          entry(a.b, b.a, a.d, b.c, c.c), entry(a.b, b.b, a.d, b.d, c.d)};
}

double square(double x) { return x * x; }
double square(std::complex<double> z) { return square(z.real()) + square(z.imag()); }

/// sqrt of a sum of squares, without libm's hypot.
double modulus(std::complex<double> z) { return std::sqrt(square(z)); }

/// Half the way round from 1 to z, a number of modulus 1, without libm's angles.
std::complex<double> half_turned(std::complex<double> z) {
  const double longer = std::sqrt((1 + std::abs(z.real())) / 2);
  const double shorter = z.imag() / (2 * longer);
  if (z.real() >= 0) return {longer, shorter};
  return {std::abs(shorter), std::copysign(longer, z.imag())};
}

/// What a block adds to the norms, all of them squared.
struct BlockSquares {
  double turning, mirroring, frobenius;
};

BlockSquares squares_of(const Block& block) {
  return {
      square(block.turning()), square(block.mirroring()),
      square(block.a.high) + square(block.b.high) + square(block.c.high) + square(block.d.high)};
}

/// Of rotations, whose defect only turns: a = d and b = −c, bit for bit.
struct Rotations {
  const RotationRow &query, &key, &relative;
  double scale;
  std::vector<double>& turning;  // of every pair, squared
};

[[gnu::always_inline]] inline void turning_loop(const Rotations& of) {
  const double* const __restrict cq = of.query.cos.data();
  const double* const __restrict sq = of.query.sin.data();
  const double* const __restrict ck = of.key.cos.data();
  const double* const __restrict sk = of.key.sin.data();
  const double* const __restrict cr = of.relative.cos.data();
  const double* const __restrict sr = of.relative.sin.data();
  double* const __restrict turning = of.turning.data();
  const double scale = of.scale;
  for (std::size_t k = 0, n = of.turning.size(); k < n; ++k) {
    const Twofold a =
        exact_product(cq[k], ck[k]) + exact_product(sq[k], sk[k]) - exact_product(cr[k], scale);
    const Twofold c =
        exact_product(cq[k], sk[k]) - exact_product(sq[k], ck[k]) - exact_product(sr[k], scale);
    turning[k] = a.high * a.high + c.high * c.high;
  }
}
void turning_baseline(const Rotations& of) { turning_loop(of); }
ROPE_TARGET_V3 void turning_v3(const Rotations& of) { turning_loop(of); }
ROPE_TARGET_V4 void turning_v4(const Rotations& of) { turning_loop(of); }

Defect blockwise_defect(const SchemeRows& rows, CpuLevel level) {
  const std::size_t pairs = rows.query.table.cos.size();
  std::vector<double> turning;
  if (rows.query.rotation && rows.key.rotation && rows.relative.rotation) {
    turning.resize(pairs);
    for_level(level, turning_baseline, turning_v3, turning_v4)(
        {rows.query.table, rows.key.table, rows.relative.table, rows.scale, turning});
  }
  Defect result;
  double squares = 0, longest = 0;
  for (std::size_t k = 0; k < pairs; ++k) {
    const BlockSquares block = turning.empty() ? squares_of(defect_block(rows, k))
                                               : BlockSquares{turning[k], 0, 2 * turning[k]};
    squares += block.frobenius;
    // These squares are rounded: what comes that near may have the longer root.
    if (block.mirroring == 0 && block.turning <= longest * (1 - 0x1p-48)) continue;
    longest = larger(longest, block.turning);
    const double norm = defect_block(rows, k).norm();
    if (exceeds(norm, result.norm)) result = {norm, 0, k};
  }
  result.frobenius = std::sqrt(squares);
  return result;
}

using Vector = std::vector<double>;

double length(const Vector& x) {
  double squares = 0;
  for (const double value : x) squares += value * value;
  return std::sqrt(squares);
}

/// A vector times E = AᵀB − C, and times Eᵀ, without the matrix.
class DefectProduct {
 public:
  DefectProduct(const Scheme& scheme, const SchemeRows& rows)
      : scheme_(scheme), rows_(rows), t_(scheme.query.pipeline().embedding().head_dim), u_(t_) {}

  void times(const Vector& x, Vector& y) {
    scheme_.key.pipeline().rotate_blocks(rows_.key.blocks(), x, t_);
    scheme_.query.apply_transposed(rows_.query, t_, y);
    scheme_.relative.pipeline().rotate_blocks(rows_.relative.blocks(), x, u_);
    scale_rotated(scheme_.relative.pipeline().embedding(), u_);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] -= u_[i];
  }
  void times_transposed(const Vector& x, Vector& y) {
    scheme_.query.pipeline().rotate_blocks(rows_.query.blocks(), x, t_);
    scheme_.key.apply_transposed(rows_.key, t_, y);
    scaled_ = x;
    scale_rotated(scheme_.relative.pipeline().embedding(), scaled_);
    scheme_.relative.apply_transposed(rows_.relative, scaled_, u_);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] -= u_[i];
  }

 private:
  const Scheme& scheme_;
  const SchemeRows& rows_;
  Vector t_, u_, scaled_;
};

constexpr std::size_t kMostColumns = 4096;  // beyond, d products of d numbers take too long

Defect dense_defect(const Scheme& scheme, const SchemeRows& rows) {
  const std::size_t d = scheme.query.pipeline().embedding().head_dim;
  DefectProduct product(scheme, rows);
  Vector unit(d), image(d), best(d, 1 / std::sqrt(static_cast<double>(d)));
  const bool every_column = d <= kMostColumns;
  double squares = every_column ? 0 : std::nan("");
  Largest longest;
  for (std::size_t i = 0; every_column && i < d; ++i) {
    unit.assign(d, 0);
    unit[i] = 1;
    product.times(unit, image);
    const double size = length(image);
    squares += size * size;
    if (longest.take(size)) best = unit;
  }
  // Power iteration on EᵀE from the best column, or from all ones: every step gives a lower bound
  // of the norm.
  for (int step = 0; step < 60; ++step) {
    product.times(best, image);
    longest.take(length(image));
    product.times_transposed(image, best);
    const double size = length(best);
    if (!(size > 0)) break;
    for (double& value : best) value /= size;
  }
  return {longest.value(), std::sqrt(squares), 0};
}

}  // namespace

void scheme_rows(const Scheme& scheme, std::int64_t m, std::int64_t n, SchemeRows& rows) {
  scheme.query.row(m, rows.query);
  scheme.key.row(n, rows.key);
  scheme.relative.row(n - m, rows.relative);
  rows.scale = scheme.relative.pipeline().embedding().attention_factor;
}

std::optional<Defect> defect(const Scheme& scheme, const SchemeRows& rows) {
  if (scheme.query.additive()) return std::nullopt;
  if (scheme.blockwise()) return blockwise_defect(rows, scheme.query.pipeline().level());
  return dense_defect(scheme, rows);
}

WorstPair worst_pair(const SchemeRows& rows, std::size_t pair) {
  const Block block = defect_block(rows, pair);
  const auto direction = [](std::complex<double> z) {
    const double size = modulus(z);
    return size == 0 ? std::complex<double>(1, 0) : z / size;
  };
  const std::complex<double> turning = direction(block.turning());
  if (modulus(block.mirroring()) == 0) return {{turning.real(), turning.imag()}, {1, 0}};
  const std::complex<double> mirroring = direction(block.mirroring());
  const auto times = [](std::complex<double> a, std::complex<double> b) {
    return std::complex<double>(a.real() * b.real() - a.imag() * b.imag(),
                                a.real() * b.imag() + a.imag() * b.real());
  };
  const std::complex<double> right = half_turned(times(mirroring, std::conj(turning)));
  const std::complex<double> left = times(right, turning);
  return {{left.real(), left.imag()}, {right.real(), right.imag()}};
}

double defect_of(const SchemeRows& rows, std::size_t pair, const WorstPair& v) {
  const Block block = defect_block(rows, pair);
  const auto twofold = [](double value) { return Twofold{value, 0}; };
  const Twofold first = block.a * twofold(v.k[0]) + block.b * twofold(v.k[1]);
  const Twofold second = block.c * twofold(v.k[0]) + block.d * twofold(v.k[1]);
  return std::abs((twofold(v.q[0]) * first + twofold(v.q[1]) * second).high);
}

}  // namespace rope
