#include "rope/diagnose/nearest/grids.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <span>
#include <vector>

#include "rope/diagnose/samples.hpp"
#include "rope/precision/largest.hpp"

namespace rope {
namespace {

constexpr double kOffGrid = 0.02;         // of a step: far less than numbers in general are off
constexpr std::size_t kLeastOnGrid = 12;  // numbers: (2·kOffGrid)^10 lie on a grid by chance
constexpr std::size_t kMostGroups = 64;

/// The steps between the smallest and the largest number of a grid with equal steps that holds
/// them all; nothing where there is none of at most 255.
double integer_steps(std::span<const double> numbers) {
  constexpr double kMostGridSteps = 255, kSame = 1e-5;
  if (numbers.size() < kLeastOnGrid) return 0;
  std::vector<double> sorted(numbers.begin(), numbers.end());
  std::sort(sorted.begin(), sorted.end());
  const double range = sorted.back() - sorted.front();
  if (!(range > 0)) return 0;
  double gap = range;
  for (std::size_t i = 1; i < sorted.size(); ++i)
    if (const double one = sorted[i] - sorted[i - 1]; one > kSame * range) gap = smaller(gap, one);
  // Of few numbers, no two may be neighbours on the grid.
  for (const int parts : {1, 2, 3, 4, 6}) {
    const double steps = std::round(range / gap * parts);
    if (steps > kMostGridSteps) continue;
    const double step = range / steps;
    if (std::all_of(sorted.begin(), sorted.end(), [&](double number) {
          const double at = (number - sorted.front()) / step;
          return std::abs(at - std::round(at)) <= kOffGrid;
        }))
      return steps;
  }
  return 0;
}

/// Whether the numbers are floats of so many bits behind the point of their significand, all times
/// one factor. The smallest ones, which such formats hold with fewer bits, do not count.
bool on_float_grid(std::span<const double> numbers, int bits) {
  constexpr double kExact = 1e-3, kSmall = 0x1p-5;
  double largest = 0;
  for (const double number : numbers) largest = larger(largest, std::abs(number));
  if (!(largest > 0) || numbers.size() < kLeastOnGrid) return false;
  const int first = 1 << bits;
  for (int significand = first; significand < 2 * first; ++significand) {
    const auto holds = [&](double number) {
      double scaled = std::abs(number) / largest * significand;
      if (std::abs(number) < kSmall * largest) return true;
      while (scaled < first) scaled *= 2;
      return std::abs(scaled - std::round(scaled)) <= kExact * scaled;
    };
    if (std::all_of(numbers.begin(), numbers.end(), holds)) return true;
  }
  return false;
}

/// Numbers that may share a scale.
struct Grouping {
  const char* each;  ///< "vector"
  std::vector<std::vector<double>> groups;
};

void add_group(std::vector<double> numbers, Grouping& grouping) {
  const bool any = std::any_of(numbers.begin(), numbers.end(), [](double n) { return n != 0; });
  if (any && grouping.groups.size() < kMostGroups) grouping.groups.push_back(std::move(numbers));
}

std::vector<Grouping> groupings(const RotatedTensors& tensors) {
  constexpr std::size_t kMostOfTensor = 4096;
  const std::vector<double> numbers = copied(tensors).y;
  const std::span<const double> y = numbers;
  Grouping whole{"tensor", {}}, vectors{"vector", {}}, channels{"channel", {}};
  add_group({y.begin(), y.begin() + static_cast<std::ptrdiff_t>(
                                        std::min<std::size_t>(y.size(), kMostOfTensor))},
            whole);
  for (std::size_t row = 0; row < y.size(); row += tensors.dim) {
    const auto vector = y.subspan(row, tensors.dim);
    add_group({vector.begin(), vector.end()}, vectors);
  }
  for (std::size_t i = 0; i < tensors.lanes * tensors.dim; ++i) {
    std::vector<double> channel;
    for (std::size_t t = 0; t < tensors.tokens; ++t)
      channel.push_back(y[t * tensors.lanes * tensors.dim + i]);
    add_group(std::move(channel), channels);
  }
  std::vector<Grouping> all = {std::move(whole), std::move(vectors), std::move(channels)};
  for (const auto& [size, name] : {std::pair<std::size_t, const char*>{128, "block of 128"},
                                   {64, "block of 64"},
                                   {32, "block of 32"}}) {
    if (tensors.dim <= size || tensors.dim % size != 0) continue;
    Grouping blocks{name, {}};
    for (std::size_t at = 0; at < y.size(); at += size) {
      const auto block = y.subspan(at, size);
      add_group({block.begin(), block.end()}, blocks);
    }
    all.push_back(std::move(blocks));
  }
  return all;
}

}  // namespace

std::string grid_of(const RotatedTensors& tensors) {
  for (const Grouping& grouping : groupings(tensors)) {
    if (grouping.groups.empty()) continue;
    const auto all = [&](const auto& holds) {
      return std::all_of(grouping.groups.begin(), grouping.groups.end(), holds);
    };
    const std::string scale = std::string(" with one scale per ") + grouping.each;
    double most = 0;
    if (all([&](const std::vector<double>& group) {
          const double steps = integer_steps(group);
          most = larger(most, steps);
          return steps > 0;
        })) {
      constexpr double kMostOfInt4 = 15;
      return (most <= kMostOfInt4 ? "an int4 cache" : "an int8 cache") + scale;
    }
    // Numbers of a float8 type are those of a wider one as well: fewest bits first.
    for (const auto& [bits, name] : {std::pair{2, "e5m2"}, std::pair{3, "e4m3"}})
      if (all([&, b = bits](const std::vector<double>& group) { return on_float_grid(group, b); }))
        return std::string("an fp8 cache (") + name + ")" + scale;
  }
  return {};
}

}  // namespace rope
