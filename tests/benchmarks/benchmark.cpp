// Heavy paths against a limit of the machine and against the code one would write first. Every
// round runs all contestants once, in turn; a ratio is the median of the ratios of the rounds.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "rope/attention/decay.hpp"
#include "rope/random/random.hpp"
#include "rope/rotary/embedding.hpp"
#include "rope/verify/verification.hpp"

namespace {

using namespace rope;

constexpr int kRounds = 15;

struct Contestant {
  std::string name;
  std::function<double()> work;  // returns a number, so that it cannot be left out
  std::vector<double> seconds = {};
};

double seconds_of(const std::function<double()>& work, double& sink) {
  const auto begin = std::chrono::steady_clock::now();
  sink += work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Prints every contestant's time over the first one's.
void compare(const char* title, std::vector<Contestant> contestants) {
  double sink = 0;
  for (int round = 0; round < kRounds; ++round)
    for (Contestant& c : contestants) c.seconds.push_back(seconds_of(c.work, sink));
  std::printf("\n%s\n", title);
  for (const Contestant& c : contestants) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < c.seconds.size(); ++i)
      ratios.push_back(c.seconds[i] / contestants.front().seconds[i]);
    std::ranges::nth_element(ratios, ratios.begin() + kRounds / 2);
    std::printf("  %-44s %8.2f x   (fastest %.3g ms)\n", c.name.c_str(), ratios[kRounds / 2],
                *std::ranges::min_element(c.seconds) * 1e3);
  }
  if (std::isnan(sink)) std::puts("  (not a number)");
}

std::vector<std::int64_t> up_to(std::int64_t n) {
  std::vector<std::int64_t> distances(static_cast<std::size_t>(n));
  std::iota(distances.begin(), distances.end(), 0);
  return distances;
}

/// The curve as one writes it first: libm, one distance after the other.
double obvious_curve(const std::vector<double>& theta, const std::vector<std::int64_t>& distances) {
  double total = 0;
  for (const std::int64_t distance : distances) {
    double real = 0, imaginary = 0, sum = 0;
    for (const double t : theta) {
      real += std::cos(static_cast<double>(distance) * t);
      imaginary += std::sin(static_cast<double>(distance) * t);
      sum += std::hypot(real, imaginary);
    }
    total += sum / static_cast<double>(theta.size());
  }
  return total;
}

/// One square root per term, the least that the bound curve needs.
ROPE_TARGET_V4 double roots_v4(std::vector<double>& x, std::size_t repeats) {
  for (std::size_t r = 0; r < repeats; ++r)
    for (double& value : x) value = std::sqrt(value);
  return x[0];
}
ROPE_TARGET_V3 double roots_v3(std::vector<double>& x, std::size_t repeats) {
  for (std::size_t r = 0; r < repeats; ++r)
    for (double& value : x) value = std::sqrt(value);
  return x[0];
}
double roots(std::vector<double>& x, std::size_t repeats) {
  for (std::size_t r = 0; r < repeats; ++r)
    for (double& value : x) value = std::sqrt(value);
  return x[0];
}

void decay(std::int64_t points, std::size_t dim) {
  const Frequencies frequencies = geometric_frequencies(10000, dim);
  const std::vector<std::int64_t> distances = up_to(points);
  std::vector<std::int64_t> some = distances;
  const std::size_t fraction = 20;  // the obvious code runs a twentieth, counted twenty times
  some.resize(distances.size() / fraction);
  std::vector<double> lane(1024, 2.0);
  const std::size_t repeats = distances.size() * frequencies.pairs() / lane.size();
  const CpuLevel best = best_cpu_level();
  std::vector<Contestant> contestants = {
      {"decay_curve, best CPU level",
       [&] { return decay_curve(frequencies, distances, best).bound.back(); }},
      {"decay_curve, baseline",
       [&] { return decay_curve(frequencies, distances, CpuLevel::baseline).bound.back(); }},
      {"limit: one vector square root a term",
       [&] {
         return best == CpuLevel::v4   ? roots_v4(lane, repeats)
                : best == CpuLevel::v3 ? roots_v3(lane, repeats)
                                       : roots(lane, repeats);
       }},
      {"obvious loops with libm (1/20 of the points)",
       [&] { return obvious_curve(frequencies.theta, some); }}};
  compare(("decay: " + std::to_string(points) + " distances, d = " + std::to_string(dim)).c_str(),
          std::move(contestants));
}

void verification() {
  VerifyOptions options;
  options.embedding = default_embedding(128, 10000);
  options.layouts = {PairLayout::interleaved, PairLayout::half};
  options.trials = 5000;
  const auto with_policy = [options](std::string_view name) {
    return [options, name]() mutable {
      options.policy = *find_policy(name);
      return verify(options).identity.max_ratio;
    };
  };
  const auto generator = [] {
    std::vector<double> x(256);
    double sum = 0;
    for (std::uint64_t i = 0; i < 5000; ++i) {
      RandomStream(42, i).fill_normal(x);
      sum += x[0];
    }
    return sum;
  };
  compare("verify: 5000 cases, d = 128, both layouts, controls included",
          {{"exact", with_policy("exact")},
           {"float64", with_policy("float64")},
           {"float32", with_policy("float32")},
           {"limit: the random numbers alone", generator}});
}

}  // namespace

int main() {
  std::printf("CPU level: %s; %d rounds, each contestant in turn; ratios to the first\n",
              std::string(name(best_cpu_level())).c_str(), kRounds);
  decay(1000, 128);
  decay(1000000, 128);
  decay(20000, 4096);
  verification();
}
