#include <atomic>
#include <cstdio>
#include <mutex>

#include "long_sweeps.hpp"
#include "rope/parallel/parallel.hpp"
#include "support/documented_check.hpp"

namespace rope::sweep {

bool run_documented(std::uint64_t first, std::uint64_t settings, std::uint64_t positions,
                    std::uint64_t cases) {
  constexpr std::uint64_t kSeed = 20261127;
  test::DocumentedTally all;
  std::mutex adding;
  std::atomic<std::uint64_t> next = first;
  in_parallel(available_threads(), 1, [&](std::size_t, std::size_t) {
    for (std::uint64_t number = next++; number < first + settings; number = next++) {
      const test::DocumentedTally one = test::check_documented(kSeed, number, 1, positions, cases);
      const std::lock_guard<std::mutex> lock(adding);
      all.add(one);
    }
  });
  const auto print = [](const char* what, std::uint64_t count) {
    std::printf("%-46s %llu\n", what, static_cast<unsigned long long>(count));
  };
  print("settings", all.settings);
  print("refused: a frequency its format cannot hold", all.refused);
  print("pairs of positions", all.positions);
  print("  each the worst of this many, all in all",
        all.positions * 2 * test::DocumentedCheck::kCandidates);
  print("scores", all.cases);
  print("bounds beside the documented ones", all.bounds);
  print("  below", all.below);
  print("  wider than by roundings", all.wider);
  print("errors beside bounds", all.errors);
  print("  beyond", all.beyond);
  print("  not decided in 200 bits", all.undecided);
  std::printf(
      "largest error/bound: T %.6f, shift %.6f, C %.6f, (2') %.6f, rotated pair %.6f,\n"
      "  score: a priori %.6f, running %.6f, from the certificate %.6f\n",
      all.identity, all.shift, all.exact, all.entry, all.rotated, all.score, all.running,
      all.certificate);
  std::printf("%s", all.told.c_str());
  return all.right();
}

}  // namespace rope::sweep
