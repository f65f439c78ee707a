#pragma once

#include "rope/encodings/encodings.hpp"
#include "rope/encodings/vectors.hpp"

namespace rope {

// Random numbers in place of those a model would learn; EncodingContext says how large.

/// What the random numbers are for; everything that a model would learn has its own numbers.
enum class Untrained : std::uint64_t {
  w_query,
  w_key,
  w_relative,
  u_bias,
  v_bias,
  t5_bias,
  shaw_keys,
  rows,
};

/// Vectors of the head's size, as rows.
///
/// Throws    DomainError if they would take too much memory.
RowMatrix untrained_rows(const EncodingContext& context, std::int64_t rows, double deviation,
                         Untrained what);

/// d × d, scaled so that the product with a vector has the deviation of the vector.
RowMatrix untrained_projection(const EncodingContext& context, Untrained what);

std::vector<double> untrained_vector(const EncodingContext& context, std::size_t size,
                                     double deviation, Untrained what);

}  // namespace rope
