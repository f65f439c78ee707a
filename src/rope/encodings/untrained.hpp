#pragma once

#include "rope/encodings/encodings.hpp"
#include "rope/encodings/vectors.hpp"

namespace rope {

// Random numbers in place of those that a model would learn; the comment on EncodingContext gives
// their sizes.

/// What the random numbers stand for; everything that a model would learn has random numbers of its
/// own.
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

/// Random vectors of the head's size, as rows.
///
/// Throws    DomainError if they would take too much memory.
RowMatrix untrained_rows(const EncodingContext& context, std::int64_t rows, double deviation,
                         Untrained what);

/// A random d × d matrix, scaled so that its product with a vector has the same deviation as the
/// vector.
RowMatrix untrained_projection(const EncodingContext& context, Untrained what);

std::vector<double> untrained_vector(const EncodingContext& context, std::size_t size,
                                     double deviation, Untrained what);

}  // namespace rope
