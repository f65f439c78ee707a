#include "rope/verify/certify.hpp"

#include <cstddef>
#include <string>
#include <vector>

#include "rope/error.hpp"
#include "rope/verify/judge_outputs.hpp"

namespace rope {
namespace {

Format format_of(float /*number*/) { return Format::float32; }
Format format_of(double /*number*/) { return Format::float64; }

/// How many numbers each position has, in two arrays alike.
template <typename Number>
std::size_t numbers_a_position(std::span<const Number> one, std::span<const Number> other,
                               std::span<const std::int64_t> positions) {
  if (one.empty() || one.size() != other.size() || positions.empty() ||
      one.size() % positions.size() != 0)
    throw ShapeError(
        "certify: expected two arrays of equal size, with the same number of values for each of " +
            std::to_string(positions.size()) + " positions, got " + std::to_string(one.size()) +
            " and " + std::to_string(other.size()),
        "Give one position per token.");
  return one.size() / positions.size();
}

/// The vectors of an array whose tokens stand outermost.
std::vector<ArrayVector> tokens_first(std::size_t numbers, std::size_t of_token, std::size_t d) {
  if (d == 0 || of_token % d != 0)
    throw ShapeError("certify: expected whole vectors of head_dim = " + std::to_string(d) +
                         " for each position, got " + std::to_string(of_token) + " numbers",
                     "Is this the right embedding for these vectors?");
  std::vector<ArrayVector> all(numbers / d);
  for (std::size_t v = 0; v < all.size(); ++v) all[v] = {v * d, 1, v * d / of_token};
  return all;
}

template <typename Number>
void gather(std::span<const Number> numbers, const ArrayVector& vector, std::vector<double>& wide) {
  for (std::size_t i = 0; i < wide.size(); ++i)
    wide[i] = static_cast<double>(numbers[vector.start + i * vector.step]);
}

template <typename Number>
void widen(std::span<const Number> numbers, std::vector<double>& wide) {
  wide.assign(numbers.begin(), numbers.end());
}

/// Names the vector or row at which the judgement refused to go on.
template <typename Action>
void at_place(const char* what, std::size_t number, Action action) {
  const auto place = [&](const Error& error) {
    return std::string("certify: ") + what + " " + std::to_string(number) + ": " + error.what();
  };
  try {
    action();
  } catch (const ShapeError& error) {
    throw ShapeError(place(error), error.remedy());
  } catch (const DomainError& error) {
    throw DomainError(place(error), error.remedy());
  }
}

template <typename Number>
Certification certify_vectors(const RotaryEmbedding& embedding, const Policy& policy,
                              std::span<const ArrayVector> vectors, std::span<const Number> x,
                              std::span<const Number> y, std::span<const std::int64_t> positions,
                              const CertifyOptions& options) {
  const auto add = [&](OutputCheck& check) {
    std::vector<double> given(embedding.head_dim), found(embedding.head_dim);
    for (std::size_t v = 0; v < vectors.size(); ++v) {
      gather(x, vectors[v], given);
      gather(y, vectors[v], found);
      at_place("vector", v,
               [&] { check.add_vector(v, positions[vectors[v].position], given, found); });
    }
  };
  return judge_outputs(embedding, policy, options.result.value_or(format_of(Number{})),
                       options.hypotheses, add);
}

template <typename Number>
Certification certify_tokens_first(const RotaryEmbedding& embedding, const Policy& policy,
                                   std::span<const Number> x, std::span<const Number> y,
                                   std::span<const std::int64_t> positions,
                                   const CertifyOptions& options) {
  const std::size_t of_token = numbers_a_position(x, y, positions);
  return certify_vectors(embedding, policy, tokens_first(x.size(), of_token, embedding.head_dim), x,
                         y, positions, options);
}

template <typename Number>
Certification certify_array(const RotaryEmbedding& embedding, const Policy& policy,
                            const ArrayAxes& axes, std::span<const Number> x,
                            std::span<const Number> y, std::span<const std::int64_t> positions,
                            const CertifyOptions& options) {
  axes.check("x", x.size());
  axes.check("y", y.size());
  return certify_vectors(embedding, policy, axes.vectors(embedding.head_dim, positions.size()), x,
                         y, positions, options);
}

template <typename Number>
Certification certify_rows(const RotaryEmbedding& embedding, const Policy& policy,
                           std::span<const Number> cos, std::span<const Number> sin,
                           std::span<const std::int64_t> positions, const CertifyOptions& options) {
  const std::size_t columns = numbers_a_position(cos, sin, positions);
  const auto add = [&](OutputCheck& check) {
    std::vector<double> c, s;
    for (std::size_t row = 0; row < positions.size(); ++row) {
      widen(cos.subspan(row * columns, columns), c);
      widen(sin.subspan(row * columns, columns), s);
      at_place("row", row, [&] { check.add_row(row, positions[row], c, s); });
    }
  };
  Certification result = judge_outputs(
      embedding, policy, options.result.value_or(format_of(Number{})), options.hypotheses, add);
  result.of_tables = true;
  return result;
}

}  // namespace

Certification certify(const RotaryEmbedding& embedding, const Policy& policy,
                      std::span<const float> x, std::span<const float> y,
                      std::span<const std::int64_t> positions, const CertifyOptions& options) {
  return certify_tokens_first(embedding, policy, x, y, positions, options);
}

Certification certify(const RotaryEmbedding& embedding, const Policy& policy,
                      std::span<const double> x, std::span<const double> y,
                      std::span<const std::int64_t> positions, const CertifyOptions& options) {
  return certify_tokens_first(embedding, policy, x, y, positions, options);
}

Certification certify(const RotaryEmbedding& embedding, const Policy& policy, const ArrayAxes& axes,
                      std::span<const float> x, std::span<const float> y,
                      std::span<const std::int64_t> positions, const CertifyOptions& options) {
  return certify_array(embedding, policy, axes, x, y, positions, options);
}

Certification certify(const RotaryEmbedding& embedding, const Policy& policy, const ArrayAxes& axes,
                      std::span<const double> x, std::span<const double> y,
                      std::span<const std::int64_t> positions, const CertifyOptions& options) {
  return certify_array(embedding, policy, axes, x, y, positions, options);
}

Certification certify_tables(const RotaryEmbedding& embedding, const Policy& policy,
                             std::span<const float> cos, std::span<const float> sin,
                             std::span<const std::int64_t> positions,
                             const CertifyOptions& options) {
  return certify_rows(embedding, policy, cos, sin, positions, options);
}

Certification certify_tables(const RotaryEmbedding& embedding, const Policy& policy,
                             std::span<const double> cos, std::span<const double> sin,
                             std::span<const std::int64_t> positions,
                             const CertifyOptions& options) {
  return certify_rows(embedding, policy, cos, sin, positions, options);
}

}  // namespace rope
