#include "rope/verify/certificate.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include "rope/precision/largest.hpp"

namespace rope {
namespace {

using Extended = long double;

/// [[a, b], [c, d]] as z ↦ turning·z + mirroring·conj(z): singular values |turning| ± |mirroring|.
struct Block {
  Extended a, b, c, d;

  std::complex<Extended> turning() const { return {(a + d) / 2, (c - b) / 2}; }
  std::complex<Extended> mirroring() const { return {(a - d) / 2, (c + b) / 2}; }
};

/// AᵀB − C of one pair, where each is [cos −upper; lower cos] and C is scaled as AᵀB is.
Block defect_block(const SchemeRows& rows, std::size_t k) {
  const auto scale = static_cast<Extended>(rows.scale);
  const auto block = [k](const Rotor::Row& row) {
    const PairBlocks blocks = row.blocks();
    const auto cos = static_cast<Extended>(blocks.cos[k]);
    return Block{cos, -static_cast<Extended>(blocks.upper[k]),
                 static_cast<Extended>(blocks.lower[k]), cos};
  };
  const Block a = block(rows.query), b = block(rows.key);
  Block c = block(rows.relative);
  for (Extended* entry : {&c.a, &c.b, &c.c, &c.d}) *entry *= scale;
  return {a.a * b.a + a.c * b.c - c.a, a.a * b.b + a.c * b.d - c.b, a.b * b.a + a.d * b.c - c.c,
          a.b * b.b + a.d * b.d - c.d};
}

Extended square(std::complex<Extended> z) { return z.real() * z.real() + z.imag() * z.imag(); }

/// sqrt of a sum of squares, without libm's hypot.
Extended modulus(std::complex<Extended> z) { return std::sqrt(square(z)); }

/// What a block adds to the norms, all of them squared.
struct BlockSquares {
  Extended turning, mirroring, frobenius;
};

BlockSquares squares_of(const Block& block) {
  return {square(block.turning()), square(block.mirroring()),
          block.a * block.a + block.b * block.b + block.c * block.c + block.d * block.d};
}

/// The same of rotations, whose defect only turns: a = d and b = −c, bit for bit.
BlockSquares rotation_squares(const SchemeRows& rows, std::size_t k) {
  const auto cos = [k](const Rotor::Row& row) { return static_cast<Extended>(row.table.cos[k]); };
  const auto sin = [k](const Rotor::Row& row) { return static_cast<Extended>(row.table.sin[k]); };
  const auto scale = static_cast<Extended>(rows.scale);
  const Extended cq = cos(rows.query), sq = sin(rows.query), ck = cos(rows.key), sk = sin(rows.key);
  const Extended a = cq * ck + sq * sk - cos(rows.relative) * scale;
  const Extended c = cq * sk - sq * ck - sin(rows.relative) * scale;
  const Extended turning = a * a + c * c;
  return {turning, 0, turning + c * c + a * a};
}

Defect blockwise_defect(const SchemeRows& rows) {
  const bool rotations = rows.query.rotation && rows.key.rotation && rows.relative.rotation;
  Defect result;
  Extended squares = 0, longest = 0;
  for (std::size_t k = 0; k < rows.query.table.cos.size(); ++k) {
    const BlockSquares block =
        rotations ? rotation_squares(rows, k) : squares_of(defect_block(rows, k));
    squares += block.frobenius;
    if (block.mirroring == 0 && block.turning <= longest) continue;  // nor is its root longer
    longest = block.turning;
    const auto norm = static_cast<double>(std::sqrt(block.turning) + std::sqrt(block.mirroring));
    if (exceeds(norm, result.norm)) result = {norm, 0, k};
  }
  result.frobenius = static_cast<double>(std::sqrt(squares));
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
  if (scheme.blockwise()) return blockwise_defect(rows);
  return dense_defect(scheme, rows);
}

WorstPair worst_pair(const SchemeRows& rows, std::size_t pair) {
  const Block block = defect_block(rows, pair);
  const std::complex<Extended> turning = block.turning(), mirroring = block.mirroring();
  if (modulus(mirroring) == 0) {
    const Extended size = modulus(turning);
    if (size == 0) return {{1, 0}, {1, 0}};
    return {
        {static_cast<double>(turning.real() / size), static_cast<double>(turning.imag() / size)},
        {1, 0}};
  }
  const Extended right = (std::arg(mirroring) - std::arg(turning)) / 2;
  const Extended left = (std::arg(mirroring) + std::arg(turning)) / 2;
  return {{static_cast<double>(std::cos(left)), static_cast<double>(std::sin(left))},
          {static_cast<double>(std::cos(right)), static_cast<double>(std::sin(right))}};
}

double defect_of(const SchemeRows& rows, std::size_t pair, const WorstPair& v) {
  const Block block = defect_block(rows, pair);
  const auto extended = [](double value) { return static_cast<Extended>(value); };
  const Extended first = block.a * extended(v.k[0]) + block.b * extended(v.k[1]);
  const Extended second = block.c * extended(v.k[0]) + block.d * extended(v.k[1]);
  return static_cast<double>(std::abs(extended(v.q[0]) * first + extended(v.q[1]) * second));
}

}  // namespace rope
