#include "negative_distance.hpp"

#include <algorithm>

namespace rope::app {

NegativeDistance negative_distance(const Frequencies& frequencies, std::int64_t wanted) {
  constexpr std::int64_t kMost = std::int64_t{1} << 20;
  constexpr std::int64_t kCosines = std::int64_t{1} << 27;
  const auto pairs = static_cast<std::int64_t>(frequencies.pairs());
  NegativeDistance found;
  found.searched = std::min(wanted, std::clamp<std::int64_t>(kCosines / pairs, 4096, kMost));
  if (found.searched >= 1) found.first = first_negative(frequencies, found.searched);
  return found;
}

}  // namespace rope::app
