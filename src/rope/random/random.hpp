#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace rope {

/// A stream of random numbers that is a pure function of (seed, stream, index): the same on every
/// machine, and any stream can be replayed on its own. It uses Philox4x64-10 from Random123.
///
/// Source    Salmon et al., Parallel Random Numbers: As Easy as 1, 2, 3 (SC 2011).
class RandomStream {
 public:
  /// Stream number `stream` (for example, a case number) for the seed `seed`.
  RandomStream(std::uint64_t seed, std::uint64_t stream) : seed_(seed), stream_(stream) {}

  /// The next 64 random bits.
  std::uint64_t bits() {
    if (used_ == words_.size()) refill();
    return words_[used_++];
  }

  /// An integer in [low, high]; all values are equally likely to within 2^-64.
  std::int64_t integer(std::int64_t low, std::int64_t high);

  /// Fills `values` with near-normal numbers of mean 0 and variance 1.
  ///
  /// Each is the number of ones among 32 random bits (binomial), smoothed by adding a uniform
  /// number from an interval of width 1. The distribution is bell-shaped and within ±5.8. Only
  /// exact operations are used, so the bits do not depend on a libm.
  void fill_normal(std::span<double> values);

 private:
  void make_block(std::uint64_t* words);  // makes the next four words
  void refill();
  void fill(std::span<std::uint64_t> words);

  std::uint64_t seed_;
  std::uint64_t stream_;
  std::uint64_t block_ = 0;               // how many blocks of four words have been made
  std::array<std::uint64_t, 4> words_{};  // the current block
  std::size_t used_ = 4;                  // how many words of the current block have been used
};

}  // namespace rope
