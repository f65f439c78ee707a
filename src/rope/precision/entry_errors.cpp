#include "rope/precision/entry_errors.hpp"

#include <cmath>
#include <limits>

#include "rope/precision/measured.hpp"

namespace rope {

EntryErrors::EntryErrors(const Pipeline& pipeline, Against against, const TableByPairs& columns,
                         std::int64_t last)
    : errors_(static_cast<std::size_t>(last) + 1),
      moduli_(errors_.size()),
      largest_(errors_.size()) {
  const double shared = pipeline.theta()[columns.pair()];
  const TurnFraction turns = against == Against::identity
                                 ? given_frequencies(std::span(&shared, 1)).turns[0]
                                 : pipeline.embedding().frequencies.turns[columns.pair()];
  const double factor = pipeline.embedding().attention_factor;
  double largest = 0;
  for (std::int64_t p = 0; p <= last; ++p) {
    CosSin entry = columns.entry(p);
    const CosSin right = cos_sin(p * turns);
    entry = {entry.cos / factor, entry.sin / factor};
    const auto i = static_cast<std::size_t>(p);
    errors_[i] = {entry.cos * right.cos + entry.sin * right.sin - 1,
                  entry.sin * right.cos - entry.cos * right.sin};
    moduli_[i] = std::sqrt(std::norm(errors_[i]));
    // No score comes of a number that is none: no error is larger.
    if (!std::isfinite(moduli_[i])) {
      moduli_[i] = std::numeric_limits<double>::infinity();
      errors_[i] = moduli_[i];
    }
    largest = larger(largest, moduli_[i]);
    largest_[i] = largest;
  }
}

}  // namespace rope
