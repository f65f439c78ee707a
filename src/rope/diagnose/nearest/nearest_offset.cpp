#include "rope/diagnose/nearest/nearest_offset.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace rope {

NearestOffset::NearestOffset(std::span<const std::complex<double>> pairs,
                             std::span<const double> theta, double times, double least)
    : best_{0, least} {
  pairs_.reserve(pairs.size());
  for (std::size_t k = 0; k < pairs.size(); ++k)
    pairs_.push_back({times * theta[k], std::arg(pairs[k]), std::abs(pairs[k])});
  // Slow ones tell most of a long stretch.
  std::ranges::sort(pairs_, {}, [](const Pair& pair) { return std::abs(pair.rate); });
  double rest = 0;
  for (const Pair& pair : pairs_) rest += pair.size;
  for (Pair& pair : pairs_) pair.faster = rest -= pair.size;
}

double NearestOffset::score(std::int64_t offset) const {
  double sum = 0;
  for (const Pair& pair : pairs_)
    sum += pair.size * std::cos(pair.angle - static_cast<double>(offset) * pair.rate);
  return sum;
}

std::pair<std::int64_t, double> NearestOffset::within(std::int64_t farthest) {
  constexpr std::int64_t kStretch = 256;
  for (std::int64_t first = 1; first <= farthest; first += kStretch) {
    const std::int64_t last = std::min<std::int64_t>(first + kStretch - 1, farthest);
    search(first, last);
    search(-last, -first);
  }
  return best_;
}

void NearestOffset::search(std::int64_t first, std::int64_t last) {
  const double middle = (static_cast<double>(first) + static_cast<double>(last)) / 2;
  const double most = most_around(middle, static_cast<double>(last) - middle);
  if (!(most > best_.second)) return;
  if (first == last) {
    best_ = {first, most};
    return;
  }
  constexpr std::int64_t kParts = 4;
  const std::int64_t part = std::max<std::int64_t>(1, (last - first + 1) / kParts);
  for (std::int64_t at = first; at <= last; at += part)
    search(at, std::min<std::int64_t>(at + part - 1, last));
}

/// The most that an offset may score within a radius; 0 if that is no more than the best.
double NearestOffset::most_around(double middle, double radius) const {
  double sum = 0;
  for (const Pair& pair : pairs_) {
    const double off =
        std::abs(std::remainder(pair.angle - middle * pair.rate, 2 * std::numbers::pi)) -
        radius * std::abs(pair.rate);
    sum += off > 0 ? pair.size * std::cos(off) : pair.size;
    if (!(sum + pair.faster > best_.second)) return 0;
  }
  return sum;
}

}  // namespace rope
