#pragma once

#include <cstdint>

namespace rope::sweep {

/// Which settings are swept, and how hard.
struct RandomSweep {
  std::uint64_t first = 0, settings = 0;  ///< numbers first … first + settings − 1
  std::uint64_t cases_each = 500;
  std::uint64_t self_test_each = 0;  ///< of every so many settings; 0: of none
};

/// Sweeps them and prints what became of every case. Whether no bound was exceeded, no right
/// pipeline failed its self-test, and every ordinary case was decided.
bool run(const RandomSweep& sweep);

}  // namespace rope::sweep
