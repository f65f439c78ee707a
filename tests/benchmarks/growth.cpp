#include "growth.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include "contest.hpp"
#include "rope/attention/decay.hpp"
#include "rope/io/tensor_writer.hpp"
#include "rope/random/random.hpp"
#include "rope/rotary/frequencies.hpp"

namespace rope::benchmark {
namespace {

constexpr double kMib = 1048576;

/// Work of one kind, and what each size of it takes.
struct Growing {
  std::string title, unit;
  std::vector<std::uint64_t> sizes;
  std::function<Usage(std::uint64_t)> run;
};

/// A curve that is computed and not written.
Usage curve(std::uint64_t points, std::size_t dim) {
  return usage_of([=] {
    const Frequencies frequencies = geometric_frequencies(10000, dim);
    std::vector<std::int64_t> distances(points);
    std::iota(distances.begin(), distances.end(), 0);
    std::vector<double> bound(points), mean(points);
    decay_curve(frequencies, distances, bound, mean);
  });
}

void write_tensor(const std::string& path, std::uint64_t mib) {
  constexpr std::size_t kHeads = 32, kHead = 128, kTokensPerMib = 64;
  io::TensorWriter writer(path, {}, io::ElementType::float32, {mib * kTokensPerMib, kHeads, kHead});
  std::vector<double> block(kTokensPerMib * kHeads * kHead);
  RandomStream(1, 0).fill_normal(block);
  for (std::uint64_t i = 0; i < mib; ++i) writer.append(block);
  writer.commit();
}

/// Nothing where a time is too short for the system's clock of processes.
std::string exponent(double size_before, double seconds_before, double size, double seconds) {
  constexpr double kShortest = 0.01;
  if (seconds_before < kShortest || seconds < kShortest) return "";
  return fmt::format("{:.2f}", std::log(seconds / seconds_before) / std::log(size / size_before));
}

std::string table(const Growing& growing) {
  std::string text = fmt::format(
      "\n### {}\n\n| {} | user s | system s | peak MiB | exponent |\n|---:|---:|---:|---:|---:|\n",
      growing.title, growing.unit);
  double size_before = 0, seconds_before = 0;
  for (const std::uint64_t each : growing.sizes) {
    const Usage usage = growing.run(each);
    const auto size = static_cast<double>(each);
    text += fmt::format("| {} | {:.3g} | {:.3g} | {:.0f} | {} |\n", each, usage.user_seconds,
                        usage.system_seconds, static_cast<double>(usage.peak_bytes) / kMib,
                        exponent(size_before, seconds_before, size, usage.user_seconds));
    size_before = size;
    seconds_before = usage.user_seconds;
  }
  return text;
}

}  // namespace

std::string growth(const std::string& program, const std::string& folder) {
  const std::string x = folder + "/x.npy", y = folder + "/y.npy";
  const std::vector<Growing> all = {
      {"decay: distances, d = 128, not written",
       "distances",
       {1000, 10000, 100000, 1000000, 10000000, 100000000},
       [](std::uint64_t points) { return curve(points, 128); }},
      {"decay: 10000 distances",
       "d",
       {2, 16, 128, 1024, 8192, 65536},
       [](std::uint64_t dim) { return curve(10000, dim); }},
      {"verify: cases with all checks, d = 128, whole processes",
       "cases",
       {1000, 10000, 100000, 1000000, 10000000},
       [&](std::uint64_t cases) {
         return usage_of_program({program, "verify", "--trials", std::to_string(cases)});
       }},
      {"apply: float32 from file to file, whole processes",
       "MiB",
       {1, 8, 64, 512, 8192},
       [&](std::uint64_t mib) {
         write_tensor(x, mib);
         return usage_of_program({program, "apply", x, "-o", y});
       }},
      {"diagnose: the same, two files of float32",
       "MiB each",
       {1, 8, 64, 512},
       [&](std::uint64_t mib) {
         write_tensor(x, mib);
         usage_of_program({program, "apply", x, "-o", y});
         return usage_of_program({program, "diagnose", x, y});
       }}};
  std::string text;
  for (const Growing& growing : all) {
    fmt::print(stderr, "{}\n", growing.title);
    text += table(growing);
  }
  unlink(x.c_str());
  unlink(y.c_str());
  return text;
}

}  // namespace rope::benchmark
