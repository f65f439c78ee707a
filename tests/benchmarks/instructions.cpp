// What is to be counted, not timed: rope_instructions WORK UNITS LEVEL does that many units of the
// work on one thread. instructions.cmake counts the instructions of a unit as the difference of two
// runs.

#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "rope/attention/decay.hpp"
#include "rope/io/csv.hpp"
#include "rope/random/random.hpp"
#include "rope/rotary/embedding.hpp"
#include "rope/rotary/rotate_heads.hpp"
#include "rope/rotary/rotation.hpp"
#include "rope/verify/verification.hpp"

namespace {

using namespace rope;

constexpr std::size_t kHead = 128;

/// Both curves at that many distances; a term is a distance and a pair.
double decay(std::size_t distances, CpuLevel level) {
  std::vector<std::int64_t> list(distances);
  std::iota(list.begin(), list.end(), 0);
  return decay_curve(geometric_frequencies(10000, kHead), list, level).bound.back();
}

/// Cases with all checks.
double verification(std::size_t cases, CpuLevel level) {
  VerifyOptions options;
  options.embedding = default_embedding(kHead, 10000);
  options.layouts = {PairLayout::interleaved};
  options.policy = *find_policy("float32");
  options.trials = cases;
  options.cpu_level = level;
  return verify(options).identity.max_ratio;
}

/// Tokens of eight heads.
double rotation(std::size_t tokens, CpuLevel level) {
  const RotaryEmbedding embedding = default_embedding(kHead, 10000);
  std::vector<double> heads(8 * kHead, 1);
  for (std::size_t t = 0; t < tokens; ++t)
    rotate_heads(embedding, rotation_row(embedding, static_cast<std::int64_t>(t)), heads, heads,
                 level);
  return heads[0];
}

/// Rows of an integer and two numbers.
double rows(std::size_t count, CpuLevel /*level*/) {
  std::vector<std::int64_t> list(count);
  std::iota(list.begin(), list.end(), 0);
  std::vector<double> numbers(count);
  RandomStream(1, 0).fill_normal(numbers);
  return static_cast<double>(
      io::to_csv({{"distance", list}, {"bound", numbers}, {"mean_cosine", numbers}}).size());
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, double (*)(std::size_t, CpuLevel)> works = {
      {"decay", decay}, {"verify", verification}, {"rotate", rotation}, {"csv", rows}};
  const std::map<std::string, CpuLevel> levels = {{"baseline", CpuLevel::baseline},
                                                  {"v3", CpuLevel::v3}};
  if (argc != 4 || !works.contains(argv[1]) || !levels.contains(argv[3])) {
    fmt::print(stderr, "rope_instructions decay|verify|rotate|csv UNITS baseline|v3\n");
    return 2;
  }
  fmt::print("{}\n", works.at(argv[1])(std::strtoull(argv[2], nullptr, 10), levels.at(argv[3])));
}
