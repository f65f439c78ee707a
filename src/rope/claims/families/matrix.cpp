// The family `matrix`: what R_m is, what it does to vectors, and what its products are.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "rope/claims/families/families.hpp"
#include "rope/claims/families/given.hpp"
#include "rope/claims/parameters.hpp"
#include "rope/encodings/vectors.hpp"
#include "rope/error.hpp"
#include "rope/primer/complex_number.hpp"
#include "rope/primer/orthogonal.hpp"
#include "rope/primer/plane.hpp"
#include "rope/random/random.hpp"
#include "rope/rotary/measured.hpp"
#include "rope/rotary/rotation_columns.hpp"
#include "rope/rotary/rotation_matrix.hpp"
#include "rope/rotary/rotation_table.hpp"
#include "rope/studies/score.hpp"

namespace rope::claims {
namespace {
namespace matrix_family {

using primer::gamma;
using Vector = std::vector<double>;

Eigen::Map<const Eigen::VectorXd> column(const Vector& x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}

Vector random_vector(std::size_t size, RandomStream& random) {
  Vector x(size);
  random.fill_normal(x);
  return x;
}

/// W of `projection`, a stream of random numbers, for q = Wx; none where it is not given.
std::optional<RowMatrix> projection_given(Parameters& given, std::size_t size) {
  if (!given.has("projection")) return std::nullopt;
  return random_matrix(size, size, 1 / std::sqrt(static_cast<double>(size)), 42,
                       static_cast<std::uint64_t>(given.integer("projection")));
}

Vector turned(const RotaryEmbedding& embedding, const Vector& x, std::int64_t position) {
  Vector result(x.size());
  rotate_elementwise(embedding, rotation_row(embedding, position), x, result);
  return result;
}

/// What a pair of R_m x is off by, as a part of its length, without an attention factor: cosine and
/// sine, products and a sum.
constexpr double kTurnError = primer::kUnitError + 1.01 * primer::kProductError;

std::size_t pair_of(std::int64_t pair, const RotaryEmbedding& embedding) {
  if (pair < 0 || static_cast<std::size_t>(pair) >= embedding.pairs())
    throw DomainError("there is no pair " + std::to_string(pair));
  return static_cast<std::size_t>(pair);
}

/// The two of a list of positions.
std::pair<std::int64_t, std::int64_t> two_positions(Parameters& given) {
  const std::vector<std::int64_t> both = given.integers("positions");
  if (both.size() != 2) throw DomainError("expected two positions");
  return {both[0], both[1]};
}

/// R_m x, dimension by dimension.
Outcome rotated(Parameters& given) {
  const RotaryEmbedding embedding = given.embedding();
  const Vector x = given.vector("vector", embedding.head_dim);
  return {turned(embedding, x, given.integer("position")), kTurnError * norm(x) * 1.01};
}

enum class Form : std::size_t { elementwise, complex, matrix, columns, thrice };

/// R_m x in one of the ways to write it. `thrice`: by columns in which the sine of pair 1 stands
/// three times, so that those behind it come one late.
Vector written(Form form, const RotaryEmbedding& embedding, std::int64_t position,
               const Vector& x) {
  const RotationRow row = rotation_row(embedding, position);
  Vector result(x.size());
  switch (form) {
    case Form::elementwise:
      rotate_elementwise(embedding, row, x, result);
      break;
    case Form::complex:
      rotate_complex(embedding, row, x, result);
      break;
    case Form::matrix:
      Eigen::Map<Eigen::VectorXd>(result.data(), static_cast<Eigen::Index>(result.size())) =
          rotation_matrix(embedding, row) * column(x);
      break;
    case Form::columns:
      return rotate_by_columns(embedding, rotation_columns(embedding, row), x);
    case Form::thrice: {
      if (embedding.pairs() < 3) throw DomainError("expected three pairs or more");
      RotationColumns columns = rotation_columns(embedding, row);
      columns.sin.insert(columns.sin.begin() + 4, row.sin[1]);
      columns.sin.resize(x.size());
      return rotate_by_columns(embedding, columns, x);
    }
  }
  return result;
}

Form form_given(Parameters& given, std::string_view name) {
  return static_cast<Form>(
      one_of(given, name, {"elementwise", "complex", "matrix", "columns", "thrice"}));
}

/// The largest difference of a number of R_m x in `form` and in `other` form, over random x, or
/// random Wx; `way` back: the other turns by −m. Both are made of the same cosines and sines, so
/// each number is off by γ_2 of what its pair has as length, and they differ by twice that.
Outcome forms(Parameters& given) {
  const RotaryEmbedding embedding = given.embedding();
  const Form one = form_given(given, "form"), other = form_given(given, "other");
  const bool back = one_of(given, "way", {"same", "back"}) == 1;
  const std::int64_t reach = given.integer("max_position", 4095);
  const std::optional<RowMatrix> projection = projection_given(given, embedding.head_dim);
  return worst_of(given, [&](RandomStream& random) {
    Vector x = random_vector(embedding.head_dim, random);
    if (projection) x = multiply(*projection, x);
    const std::int64_t m = random.integer(0, reach);
    const Vector a = written(one, embedding, m, x);
    const Vector b = written(other, embedding, back ? -m : m, x);
    Measured worst;
    for (std::size_t k = 0; k < embedding.pairs(); ++k) {
      const PairDimensions pair = embedding.dimensions(k);
      const double length = primer::modulus({x[pair.first], x[pair.second]});
      for (const std::size_t i : {pair.first, pair.second}) {
        const Measured here{std::abs(a[i] - b[i]), 2.02 * gamma(2) * length};
        worst.keep_worse(here);
      }
    }
    return worst;
  });
}

/// The length of a column of sines as it is written: each twice, or that of pair 1 `thrice`.
Outcome column_length(Parameters& given) {
  const RotaryEmbedding embedding = given.embedding();
  const bool thrice = one_of(given, "sines", {"twice", "thrice"}) == 1;
  const RotationColumns columns = rotation_columns(embedding, rotation_row(embedding, 1));
  return {{static_cast<double>(columns.sin.size() + (thrice ? 1 : 0))}, 0};
}

/// The largest entry of a product of two matrices less R at the difference of their positions, over
/// random m and n. `form`: RmT Rn, R-m Rn or Rm RnT; `order`: n-m or m-n; `angle`: m for R(mθ), m*m
/// where θ itself is to grow with the position, R(m·mθ). An entry of the product and of the
/// matrix that it must be, is off by no more than both blocks of the plane.
Outcome product(Parameters& given) {
  const RotaryEmbedding embedding = given.embedding();
  const std::size_t form = one_of(given, "form", {"RmT Rn", "R-m Rn", "Rm RnT"});
  const bool reversed = one_of(given, "order", {"n-m", "m-n"}) == 1;
  const bool squared = one_of(given, "angle", {"m", "m*m"}) == 1;
  const std::int64_t reach = given.integer("max_position", 4095);
  const auto matrix = [&](std::int64_t position) {
    return rotation_matrix(embedding, squared ? position * std::abs(position) : position);
  };
  return worst_of(given, [&](RandomStream& random) {
    const std::int64_t m = random.integer(0, reach), n = random.integer(0, reach);
    Eigen::MatrixXd both;
    if (form == 0) both = matrix(m).transpose() * matrix(n);
    if (form == 1) both = matrix(-m) * matrix(n);
    if (form == 2) both = matrix(m) * matrix(n).transpose();
    const Eigen::MatrixXd rest = both - matrix(reversed ? m - n : n - m);
    return Measured{rest.cwiseAbs().maxCoeff<Eigen::PropagateNaN>(), primer::plane_product_error()};
  });
}

/// How often mθ_i − nθ_i is not (m−n)θ_i, over random m and n and all pairs, whole turns left out;
/// `order` n-m: not (n−m)θ_i. Turns are whole numbers of 2^-128, so nothing is rounded.
Outcome angle_difference(Parameters& given) {
  const RotaryEmbedding embedding = given.embedding();
  const bool reversed = one_of(given, "order", {"m-n", "n-m"}) == 1;
  const std::int64_t reach = given.integer("max_position", 4095);
  const std::size_t cases = given.count("cases");
  const std::uint64_t seed = seed_given(given);
  std::size_t count = 0;
  for (std::uint64_t i = 0; i < cases; ++i) {
    RandomStream random(seed, i);
    const std::int64_t m = random.integer(0, reach), n = random.integer(0, reach);
    for (const TurnFraction theta : embedding.frequencies.turns)
      if (primer::difference(m * theta, n * theta) != (reversed ? n - m : m - n) * theta) ++count;
  }
  return {{static_cast<double>(count)}, 0};
}

/// ‖RᵀR − I‖ of R_m, or of R_m·W where a `projection` is to stand inside of it. A block is off by
/// what a rotation of the plane is, √2·kUnitError, and the blocks are apart.
Outcome orthogonality(Parameters& given) {
  const RotaryEmbedding embedding = given.embedding();
  Eigen::MatrixXd matrix = rotation_matrix(embedding, given.integer("position"));
  const auto d = static_cast<double>(matrix.rows());
  if (const auto projection = projection_given(given, embedding.head_dim))
    matrix = matrix * *projection;
  return {{primer::gram_defect(matrix)},
          primer::gram_error(matrix.rows(), 1.01 * std::sqrt(d) * primer::kUnitError)};
}

/// How many entries of R_m are not 0.
Outcome nonzero(Parameters& given) {
  const RotaryEmbedding embedding = given.embedding();
  const Eigen::MatrixXd matrix = rotation_matrix(embedding, given.integer("position"));
  return {{static_cast<double>((matrix.array() != 0).count())}, 0};
}

/// The part of them that is.
Outcome zeros(Parameters& given) {
  const RotaryEmbedding embedding = given.embedding();
  const Eigen::MatrixXd matrix = rotation_matrix(embedding, given.integer("position"));
  const auto found = static_cast<double>((matrix.array() == 0).count());
  return {{found / static_cast<double>(matrix.size())}, primer::kUnitRoundoff};
}

/// Rows and columns of R_m, or of the `table` of cosines at so many positions.
Outcome shape(Parameters& given) {
  const RotaryEmbedding embedding = given.embedding();
  if (given.has("table")) {
    std::vector<std::int64_t> positions(given.count("table"));
    std::iota(positions.begin(), positions.end(), std::int64_t{0});
    const auto table = rotation_table<float>(embedding, positions);
    return {{static_cast<double>(table.positions), static_cast<double>(table.pairs)}, 0};
  }
  const Eigen::MatrixXd matrix = rotation_matrix(embedding, given.integer("position"));
  return {{static_cast<double>(matrix.rows()), static_cast<double>(matrix.cols())}, 0};
}

/// How many different blocks the pairs have at these positions: those farther apart than rounding
/// explains. `turned_back`: after each was turned back by its own angle.
Outcome different(Parameters& given) {
  const RotaryEmbedding embedding = given.embedding();
  const bool back = given.flag("turned_back");
  std::vector<primer::Complex> found;
  for (const std::int64_t position : given.integers("positions")) {
    const RotationRow row = rotation_row(embedding, position);
    for (std::size_t k = 0; k < embedding.pairs(); ++k) {
      const primer::Complex own = primer::unit(-(position * embedding.frequencies.turns[k]));
      const primer::Complex block{row.cos[k], row.sin[k]};
      const primer::Complex kept = back ? primer::product(block, own) : block;
      const bool known = std::ranges::any_of(found, [&](primer::Complex other) {
        return primer::modulus(kept - other) <= 2 * primer::plane_product_error();
      });
      if (!known) found.push_back(kept);
    }
  }
  return {{static_cast<double>(found.size())}, 0};
}

/// ‖R_b x − R_a x‖/‖x‖ at two positions, or of one `pair` alone.
Outcome moved(Parameters& given) {
  const RotaryEmbedding embedding = given.embedding();
  const Vector x = given.vector("vector", embedding.head_dim);
  const auto [a, b] = two_positions(given);
  const Vector first = turned(embedding, x, a), second = turned(embedding, x, b);
  Vector difference(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) difference[i] = second[i] - first[i];
  const double error = 2.02 * kTurnError + gamma(static_cast<double>(x.size()) + 8);
  if (!given.has("pair")) return {{norm(difference) / norm(x)}, error};
  const PairDimensions pair = embedding.dimensions(pair_of(given.integer("pair"), embedding));
  return {{primer::modulus({difference[pair.first], difference[pair.second]}) /
           primer::modulus({x[pair.first], x[pair.second]})},
          error};
}

/// The largest |‖R_m x‖/‖x‖ − 1| over random x, or random Wx. Lengths are sums of d squares.
Outcome length_kept(Parameters& given) {
  const RotaryEmbedding embedding = given.embedding();
  const std::int64_t reach = given.integer("max_position", 4095);
  const std::optional<RowMatrix> projection = projection_given(given, embedding.head_dim);
  const double bound = 1.01 * (kTurnError + gamma(static_cast<double>(embedding.head_dim) + 6));
  return worst_of(given, [&](RandomStream& random) {
    Vector x = random_vector(embedding.head_dim, random);
    if (projection) x = multiply(*projection, x);
    const Vector y = turned(embedding, x, random.integer(0, reach));
    return Measured{std::abs(norm(y) / norm(x) - 1), bound};
  });
}

/// The largest ‖R_{−m}R_m x − x‖/‖x‖; `again`: with R_m for R_{−m}.
Outcome undone(Parameters& given) {
  const RotaryEmbedding embedding = given.embedding();
  const bool again = given.flag("again");
  const std::int64_t reach = given.integer("max_position", 4095);
  return worst_of(given, [&](RandomStream& random) {
    const Vector x = random_vector(embedding.head_dim, random);
    const std::int64_t m = random.integer(1, reach);
    Vector back = turned(embedding, turned(embedding, x, m), again ? m : -m);
    for (std::size_t i = 0; i < x.size(); ++i) back[i] -= x[i];
    return Measured{norm(back) / norm(x), 2.02 * kTurnError};
  });
}

/// The largest |⟨R_m u, R_m v⟩ − ⟨u, v⟩| over random u and v; `turned` one: v stays at position 0.
Outcome dot_kept(Parameters& given) {
  ScoreVectors vectors{given.embedding(), {}, {}};
  const bool both = one_of(given, "turned", {"both", "one"}) == 0;
  const std::int64_t reach = given.integer("max_position", 4095);
  return worst_of(given, [&](RandomStream& random) {
    vectors.q = random_vector(vectors.embedding.head_dim, random);
    vectors.k = random_vector(vectors.embedding.head_dim, random);
    const std::int64_t m = random.integer(1, reach);
    const ScoreSides same = score_sides(vectors, m, m);  // its right side is ⟨u, v⟩
    if (both) return same.difference;
    const ScoreSides apart = score_sides(vectors, m, 0);
    return Measured{std::abs(apart.left - same.right),
                    apart.difference.bound + same.difference.bound};
  });
}

/// The angle from R_m q to R_n k in the plane of one pair.
Outcome angle(Parameters& given) {
  const RotaryEmbedding embedding = given.embedding();
  const Vector q = given.vector("query", embedding.head_dim);
  const Vector k = given.vector("key", embedding.head_dim);
  const auto [m, n] = two_positions(given);
  const PairDimensions pair = embedding.dimensions(pair_of(given.integer("pair", 0), embedding));
  const auto arrow = [&](const Vector& x, std::int64_t position) {
    const Vector y = turned(embedding, x, position);
    return primer::Complex{y[pair.first], y[pair.second]};
  };
  const primer::Complex between = primer::product(arrow(k, n), primer::conjugate(arrow(q, m)));
  return in_degrees(primer::argument(between),
                    primer::kArgumentError + 1.01 * (2 * kTurnError + primer::kProductError));
}

/// The largest difference of ⟨R_m q, R_n k⟩ and the sum of the scores of its pairs, each of the
/// plane, over random q, k, m and n; `planes` all, or without the first.
Outcome planes(Parameters& given) {
  ScoreVectors vectors{given.embedding(), {}, {}};
  const bool all = one_of(given, "planes", {"all", "without the first"}) == 0;
  const std::int64_t reach = given.integer("max_position", 4095);
  return worst_of(given, [&](RandomStream& random) {
    vectors.q = random_vector(vectors.embedding.head_dim, random);
    vectors.k = random_vector(vectors.embedding.head_dim, random);
    const std::int64_t m = random.integer(0, reach), n = random.integer(0, reach);
    const ScoreSides sides = score_sides(vectors, m, n);
    const ScoreTerms terms = score_terms(vectors, n - m);
    double sum = terms.passing;
    for (const PairTerm& term : terms.pairs)
      if (all || term.pair > 0) sum += term.term;
    return Measured{std::abs(sides.left - sum), sides.difference.bound + terms.allowed};
  });
}

/// What ⊗ between two vectors is read as: each number of a times that of b at its place, or every
/// number of a times every number of b, row by row.
Outcome circled_times(Parameters& given) {
  const Vector a = given.numbers("a"), b = given.numbers("b");
  if (a.size() != b.size()) throw DomainError("expected two vectors of the same length");
  const bool outer = one_of(given, "read", {"elementwise", "outer"}) == 1;
  const RowMatrix products = column(a) * column(b).transpose();
  const Vector every(products.data(), products.data() + products.size());
  const double largest = products.cwiseAbs().maxCoeff();
  if (outer) return {every, gamma(1) * largest};
  const Eigen::VectorXd diagonal = products.diagonal();
  return {{diagonal.begin(), diagonal.end()}, gamma(1) * largest};
}

constexpr std::array kQuantities = {
    Quantity{"matrix.rotated", "R_m x", rotated},
    Quantity{"matrix.forms", "largest difference between two ways to write R_m x", forms},
    Quantity{"matrix.column_length", "numbers in the column of sines", column_length},
    Quantity{"matrix.product", "largest entry of R_mᵀR_n − R_{n−m}", product},
    Quantity{"matrix.angle_difference", "cases with mθ − nθ ≠ (m−n)θ", angle_difference},
    Quantity{"matrix.orthogonality", "‖RᵀR − I‖", orthogonality},
    Quantity{"matrix.nonzero", "entries that are not 0", nonzero},
    Quantity{"matrix.zeros", "share of entries that are 0", zeros},
    Quantity{"matrix.shape", "rows, columns", shape},
    Quantity{"matrix.different", "different blocks", different},
    Quantity{"matrix.moved", "‖R_b x − R_a x‖/‖x‖", moved},
    Quantity{"matrix.length_kept", "largest |‖R_m x‖/‖x‖ − 1|", length_kept},
    Quantity{"matrix.undone", "largest ‖R_{−m}R_m x − x‖/‖x‖", undone},
    Quantity{"matrix.dot_kept", "largest |⟨R_m u, R_m v⟩ − ⟨u, v⟩|", dot_kept},
    Quantity{"matrix.angle", "angle from R_m q to R_n k (°)", angle},
    Quantity{"matrix.planes", "largest difference between score and sum of pairs", planes},
    Quantity{"matrix.circled_times", "a ⊗ b", circled_times},
};

}  // namespace matrix_family
}  // namespace

std::span<const Quantity> matrix_quantities() { return matrix_family::kQuantities; }

}  // namespace rope::claims
