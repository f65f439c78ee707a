#include "rope/precision/entry_errors.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "rope/precision/largest.hpp"

namespace rope {
namespace {

constexpr std::size_t kCachedPositions = 1024;  // positions whose cos and sin stay in the cache

}  // namespace

EntryErrors::EntryErrors(const Pipeline& pipeline, Against against, std::int64_t most)
    : pipeline_(pipeline),
      against_(against),
      real_(static_cast<std::size_t>(most) + 1),
      imag_(real_.size()),
      moduli_(real_.size()),
      largest_(real_.size()) {}

void EntryErrors::take(const TableByPairs& columns, std::int64_t last) {
  last_ = last;
  const std::size_t positions = static_cast<std::size_t>(last) + 1;
  const double shared = pipeline_.theta()[columns.pair()];
  const TurnFraction turn = against_ == Against::identity
                                ? given_frequencies(std::span(&shared, 1)).turns[0]
                                : pipeline_.embedding().frequencies.turns[columns.pair()];
  const double factor = pipeline_.embedding().attention_factor;
  std::array<std::uint64_t, kCachedPositions> turns{};
  std::array<double, kCachedPositions> cos{}, sin{};
  double largest = 0;
  for (std::size_t begin = 0; begin < positions; begin += kCachedPositions) {
    const std::size_t count = std::min<std::size_t>(kCachedPositions, positions - begin);
    for (std::size_t i = 0; i < count; ++i)
      turns[i] = (static_cast<std::int64_t>(begin + i) * turn).high;
    cos_sin(std::span(turns).first(count), std::span(cos).first(count),
            std::span(sin).first(count));
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t p = begin + i;
      CosSin entry = columns.entry(static_cast<std::int64_t>(p));
      entry = {entry.cos / factor, entry.sin / factor};
      real_[p] = entry.cos * cos[i] + entry.sin * sin[i] - 1;
      imag_[p] = entry.sin * cos[i] - entry.cos * sin[i];
      moduli_[p] = std::sqrt(real_[p] * real_[p] + imag_[p] * imag_[p]);
      // No score comes of a number that is none: no error is larger.
      if (!std::isfinite(moduli_[p])) {
        real_[p] = moduli_[p] = std::numeric_limits<double>::infinity();
        imag_[p] = 0;
      }
      largest = larger(largest, moduli_[p]);
      largest_[p] = largest;
    }
  }
}

}  // namespace rope
