// The family `projections`: the rotation together with W_Q and W_K, in all the ways in which it is
// written down.
#include "rope/attention/projections.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "rope/claims/families/families.hpp"
#include "rope/claims/families/outcomes.hpp"
#include "rope/claims/parameters.hpp"
#include "rope/error.hpp"
#include "rope/random/random.hpp"
#include "rope/rotary/measured.hpp"
#include "rope/rotary/rotation.hpp"

namespace rope::claims {
namespace projection_family {
namespace {

RowMatrix square(const std::vector<double>& numbers, std::size_t size) {
  if (numbers.size() != size * size)
    throw DomainError("expected a matrix of " + std::to_string(size * size) + " numbers");
  const auto rows = static_cast<Eigen::Index>(size);
  RowMatrix matrix(rows, rows);
  std::ranges::copy(numbers, matrix.data());
  return matrix;
}

/// `w_query` and `w_key` row by row, or random ones.
HeadProjections head_of(Parameters& given, std::size_t size) {
  if (given.has("w_query") || given.has("w_key"))
    return {square(given.numbers("w_query"), size), square(given.numbers("w_key"), size)};
  return random_projections(size, static_cast<std::uint64_t>(given.integer("seed", 42)), 0);
}

ProjectedForm form_of(Parameters& given, std::string_view name, std::string_view otherwise) {
  const std::string word = given.word(name, otherwise);
  const std::optional<ProjectedForm> form = projected_form(word);
  if (!form) throw DomainError("there is no form '" + word + "'");
  return *form;
}

/// Two tokens and one head; `x` and `y` are vectors.
struct HeadAndTokens {
  RotaryEmbedding embedding;
  HeadProjections head;
  std::vector<double> x, y;
};

std::vector<double> token_of(Parameters& given, std::string_view name, std::size_t size,
                             std::uint64_t stream) {
  if (given.has(name)) return given.vector(name, size);
  std::vector<double> token(size);
  RandomStream(static_cast<std::uint64_t>(given.integer("seed", 42)), stream).fill_normal(token);
  return token;
}

HeadAndTokens tokens_of(Parameters& given) {
  HeadAndTokens tokens{given.embedding(), {}, {}, {}};
  const std::size_t size = tokens.embedding.head_dim;
  tokens.head = head_of(given, size);
  tokens.x = token_of(given, "x", size, 100);
  tokens.y = token_of(given, "y", size, 101);
  return tokens;
}

Outcome score(Parameters& given) {
  const HeadAndTokens tokens = tokens_of(given);
  const ProjectedForm form = form_of(given, "form", "turned-after");
  const std::vector<std::int64_t> at = given.integers("positions");
  if (at.size() != 2) throw DomainError("expected the two positions m and n");
  const ProjectedScore found =
      projected_score(form, tokens.embedding, tokens.head, tokens.x, at[0], tokens.y, at[1]);
  return {{found.value}, found.error};
}

/// The smallest and the largest score of x at i and y at i + distance, i = 0 … last.
outcomes::Range range_of(Parameters& given) {
  const HeadAndTokens tokens = tokens_of(given);
  const ProjectedForm form = form_of(given, "form", "turned-after");
  const std::int64_t distance = given.integer("distance");
  const std::int64_t last = given.integer("last");
  outcomes::Range range;
  for (std::int64_t i = 0; i <= last; ++i) {
    const ProjectedScore found =
        projected_score(form, tokens.embedding, tokens.head, tokens.x, i, tokens.y, i + distance);
    range.add(found.value, found.error);
  }
  return range;
}

Outcome range(Parameters& given) { return range_of(given).ends(); }

Outcome spread(Parameters& given) { return range_of(given).spread(); }

/// The largest difference of two forms beside what rounding explains, over random cases.
Outcome difference(Parameters& given) {
  const RotaryEmbedding embedding = given.embedding();
  const ProjectedForm form = form_of(given, "form", "turned-after");
  const ProjectedForm beside = form_of(given, "beside", "transposed");
  const std::size_t cases = given.count("cases");
  const std::int64_t reach = given.integer("max_position", 4095);
  const auto seed = static_cast<std::uint64_t>(given.integer("seed", 42));
  std::vector<double> x(embedding.head_dim), y(embedding.head_dim);
  Measured worst;
  for (std::size_t i = 0; i < cases; ++i) {
    RandomStream random(seed, 1000 + i);
    random.fill_normal(x);
    random.fill_normal(y);
    const std::int64_t m = random.integer(0, reach), n = random.integer(0, reach);
    const HeadProjections head = random_projections(embedding.head_dim, seed, 2000 + i);
    const ProjectedScore a = projected_score(form, embedding, head, x, m, y, n);
    const ProjectedScore b = projected_score(beside, embedding, head, x, m, y, n);
    const Measured one{std::fabs(a.value - b.value), (a.error + b.error) * 1.01};
    worst.keep_worse(one);
  }
  return {{worst.error}, worst.bound};
}

/// How many numbers f(x, m) = R_m W x has.
Outcome numbers(Parameters& given) {
  const HeadAndTokens tokens = tokens_of(given);
  const std::vector<double> projected = multiply(tokens.head.w_q, tokens.x);
  std::vector<double> f(projected.size());
  rotate_elementwise(tokens.embedding, rotation_row(tokens.embedding, given.integer("position")),
                     projected, f);
  return {{static_cast<double>(f.size())}, 0};
}

constexpr std::array kQuantities = {
    Quantity{"projections.score", "score", score},
    Quantity{"projections.range", "smallest and largest score", range},
    Quantity{"projections.spread", "largest minus smallest score", spread},
    Quantity{"projections.difference", "largest difference between the two forms", difference},
    Quantity{"projections.numbers", "entries of R_m W x", numbers},
};

}  // namespace
}  // namespace projection_family

std::span<const Quantity> projection_quantities() { return projection_family::kQuantities; }

}  // namespace rope::claims
