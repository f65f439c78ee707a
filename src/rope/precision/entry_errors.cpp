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
  std::array<double, kCachedPositions> cos{}, sin{}, entry_cos{}, entry_sin{};
  double largest = 0;
  for (std::size_t begin = 0; begin < positions; begin += kCachedPositions) {
    const std::size_t count = std::min<std::size_t>(kCachedPositions, positions - begin);
    double* const __restrict real = real_.data() + begin;
    double* const __restrict imag = imag_.data() + begin;
    double* const __restrict moduli = moduli_.data() + begin;
    for (std::size_t i = 0; i < count; ++i)
      turns[i] = (static_cast<std::int64_t>(begin + i) * turn).high;
    cos_sin(std::span(turns).first(count), std::span(cos).first(count),
            std::span(sin).first(count));
    columns.take(static_cast<std::int64_t>(begin), std::span(entry_cos).first(count),
                 std::span(entry_sin).first(count));
    for (std::size_t i = 0; i < count; ++i) {
      const double c = entry_cos[i] / factor, s = entry_sin[i] / factor;
      const double x = c * cos[i] + s * sin[i] - 1, y = s * cos[i] - c * sin[i];
      real[i] = x;
      imag[i] = y;
      moduli[i] = std::sqrt(x * x + y * y);
    }
    for (std::size_t p = begin; p < begin + count; ++p) {
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
