#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "rope/claims/parameters.hpp"
#include "rope/encodings/encodings.hpp"
#include "rope/encodings/vectors.hpp"
#include "rope/error.hpp"

// How the quantities about encodings read the parameters that they share.

namespace rope::claims {

inline EncodingContext context_given(Parameters& given) {
  EncodingContext context;
  context.rotary = given.embedding();
  context.base = given.number("base", context.base);
  context.trained = given.integer("trained", context.trained);
  context.length = std::max(given.integer("length", context.length), context.trained);
  context.heads = given.integer("heads", context.heads);
  context.seed = static_cast<std::uint64_t>(given.integer("seed", 42));
  return context;
}

inline double root_of(std::size_t size) { return std::sqrt(static_cast<double>(size)); }

/// An upper bound on the Euclidean length of a vector.
inline double length_of(std::span<const double> x) { return norm(x) * (1 + dot_error(x.size())); }

/// The item of a list at an index that a parameter contains, counting from 0.
template <typename Value>
Value item_of(const std::vector<Value>& all, std::int64_t index) {
  if (index < 0 || static_cast<std::size_t>(index) >= all.size())
    throw DomainError("there is no item " + std::to_string(index) + " among " +
                      std::to_string(all.size()));
  return all[static_cast<std::size_t>(index)];
}

}  // namespace rope::claims
