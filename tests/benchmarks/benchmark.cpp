// What rope computes beside the limits of the machine and what others write, in one run:
//
//   rope_benchmark PROGRAM HELLO PEERS FOLDER [--rounds N] [--markdown FILE] [--json FILE]
//                  [--earlier FILE]
//   rope_benchmark PROGRAM HELLO PEERS FOLDER --growth FILE
//
// PROGRAM is rope, HELLO a static program that says hello, PEERS peers.py, FOLDER where files may
// be written. Times are never judged here: machines are shared, and only ratios mean something.
// --earlier is the JSON of a run before, whose ratios stand beside those of this one.
// --growth measures how the cost of rope grows with its work instead, up to tensors of 8 GiB.

#include <fmt/compile.h>
#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

#include "contest.hpp"
#include "growth.hpp"
#include "rope/attention/decay.hpp"
#include "rope/io/file.hpp"
#include "rope/io/tensor_writer.hpp"
#include "rope/random/random.hpp"
#include "rope/rotary/embedding.hpp"
#include "rope/rotary/rotate_heads.hpp"
#include "rope/rotary/rotation.hpp"
#include "rope/verify/verification.hpp"

namespace {

using namespace rope;
using namespace rope::benchmark;

double sink = 0;  // what is computed is used, or it could be left out

/// Runs the work on one processor: the library starts as many threads as it is allowed.
template <class Work>
double on_one(const Work& work) {
  cpu_set_t all, one;
  sched_getaffinity(0, sizeof all, &all);
  CPU_ZERO(&one);
  std::size_t cpu = 0;
  while (!CPU_ISSET(cpu, &all)) ++cpu;
  CPU_SET(cpu, &one);
  sched_setaffinity(0, sizeof one, &one);
  const double seconds = time_of(work);
  sched_setaffinity(0, sizeof all, &all);
  return seconds;
}

std::vector<std::int64_t> up_to(std::size_t n) {
  std::vector<std::int64_t> distances(n);
  std::iota(distances.begin(), distances.end(), 0);
  return distances;
}

/// One square root a term, the least that the bound curve needs.
[[gnu::always_inline]] inline void roots_loop(const double* __restrict x, double* __restrict y,
                                              std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] = std::sqrt(x[i]);
}
void roots_baseline(const double* x, double* y, std::size_t n) { roots_loop(x, y, n); }
ROPE_TARGET_V3 void roots_v3(const double* x, double* y, std::size_t n) { roots_loop(x, y, n); }
ROPE_TARGET_V4 void roots_v4(const double* x, double* y, std::size_t n) { roots_loop(x, y, n); }

void roots(std::size_t terms, CpuLevel level) {
  constexpr std::size_t kLanes = 1024;
  alignas(64) static double x[kLanes], y[kLanes];
  std::fill_n(x, kLanes, 2.0 + sink * 0);
  const auto loop = level == CpuLevel::v4   ? roots_v4
                    : level == CpuLevel::v3 ? roots_v3
                                            : roots_baseline;
  for (std::size_t done = 0; done < terms; done += kLanes) loop(x, y, kLanes);
  sink += y[0];
}

/// The curve as one writes it first: libm, one distance after the other.
void obvious_curve(const std::vector<double>& theta, std::size_t points) {
  for (std::size_t distance = 0; distance < points; ++distance) {
    double real = 0, imaginary = 0, sum = 0;
    for (const double t : theta) {
      real += std::cos(static_cast<double>(distance) * t);
      imaginary += std::sin(static_cast<double>(distance) * t);
      sum += std::hypot(real, imaginary);
    }
    sink += sum;
  }
}

/// A line of the process that other languages run in, if it is there.
void add_peer(Contest& contest, Peers& peers, const std::string& line, const std::string& peer,
              std::array<std::size_t, 2> size, double share = 1) {
  if (!peers.have(peer)) return;
  const std::string request = fmt::format("{} {} {}", peer, size[0], size[1]);
  contest.contestants.push_back(
      {line, [request, &peers] { return peers.seconds(request); }, share});
}

Contest decay(const std::string& key, std::size_t points, std::size_t dim, Peers& peers) {
  const Frequencies frequencies = geometric_frequencies(10000, dim);
  const std::size_t terms = points * frequencies.pairs();
  const auto curve = [=](CpuLevel level) {
    static std::vector<double> bound, mean;
    static std::vector<std::int64_t> distances;
    distances = up_to(points);
    bound.resize(points);
    mean.resize(points);
    return [=] {
      decay_curve(frequencies, std::span(distances).first(points), std::span(bound).first(points),
                  std::span(mean).first(points), level);
      sink += bound[points - 1];
    };
  };
  const CpuLevel best = best_cpu_level();
  Contest contest{key,
                  fmt::format("decay: {} distances, d = {}", points, dim),
                  "The first line is the limit: one correctly rounded square root a term, in the "
                  "widest vectors, on one processor.",
                  {{"limit: square roots", [=] { return on_one([=] { roots(terms, best); }); }}}};
  auto& lines = contest.contestants;
  lines.push_back({"rope, one thread", [=] { return on_one(curve(best)); }});
  lines.push_back({"rope, all threads", [=] { return time_of(curve(best)); }});
  if (best == CpuLevel::v4) {
    lines.push_back(
        {"square roots, AVX2", [=] { return on_one([=] { roots(terms, CpuLevel::v3); }); }});
    lines.push_back({"rope, AVX2, one thread", [=] { return on_one(curve(CpuLevel::v3)); }});
  }
  constexpr double kPart = 0.05;  // of slow peers; their time grows with the number of points
  const auto some = static_cast<std::size_t>(kPart * static_cast<double>(points));
  lines.push_back({"loops in C++ with libm, a twentieth of the points",
                   [=] { return on_one([&] { obvious_curve(frequencies.theta, some); }); },
                   static_cast<double>(some) / static_cast<double>(points)});
  add_peer(contest, peers, "NumPy", "numpy", {points, dim});
  add_peer(contest, peers, "PyTorch", "torch", {points, dim});
  constexpr std::size_t kFew = 2;
  if (dim <= 128)
    add_peer(contest, peers, "the loop that articles print, two points", "script", {kFew, dim},
             static_cast<double>(kFew) / static_cast<double>(points));
  return contest;
}

/// Distances that no table serves: a cosine and a sine of each term, and then its root.
Contest unequal_distances() {
  constexpr std::size_t kPoints = 20000, kPairs = 64, kBlock = 1024;
  const Frequencies frequencies = geometric_frequencies(10000, 2 * kPairs);
  std::vector<std::int64_t> distances(kPoints);
  std::vector<std::uint64_t> turns(kBlock);
  RandomStream random(7, 0);
  for (std::int64_t& distance : distances) distance = random.integer(0, 1000000000);
  for (std::uint64_t& each : turns) each = random.bits();
  const auto cosines = [=] {
    std::vector<double> cos(kBlock), sin(kBlock);
    for (std::size_t done = 0; done < kPoints * kPairs; done += kBlock) cos_sin(turns, cos, sin);
    sink += cos[0];
  };
  const auto curve = [=] { sink += decay_curve(frequencies, distances).bound[1]; };
  return {"decay_unequal",
          fmt::format("decay: {} distances drawn at random, d = {}", kPoints, 2 * kPairs),
          "The first line computes an exact cosine and sine a term, of angles that are there.",
          {{"limit: cosines and sines", [=] { return on_one(cosines); }},
           {"rope, one thread", [=] { return on_one(curve); }},
           {"rope, all threads", [=] { return time_of(curve); }}}};
}

Contest verification() {
  constexpr std::uint64_t kCases = 100000;  // what is done once, whatever their number, is 1 %
  VerifyOptions options;
  options.embedding = default_embedding(128, 10000);
  options.layouts = {PairLayout::interleaved, PairLayout::half};
  options.trials = kCases;
  const auto with = [&options](std::string_view policy) {
    options.policy = *find_policy(policy);
    return [options] { sink += verify(options).identity.max_ratio; };
  };
  const auto numbers = [] {
    std::vector<double> x(256);
    for (std::uint64_t i = 0; i < kCases; ++i) {
      RandomStream(42, i).fill_normal(x);
      sink += x[0];
    }
  };
  const auto exact = with("exact"), single = with("float32");
  return {"verify",
          fmt::format("verify: {} cases with all checks, d = 128", kCases),
          "The first line is the limit: the random numbers of the cases alone.",
          {{"limit: random numbers", [=] { return on_one(numbers); }},
           {"rope, exact, one thread", [=] { return on_one(exact); }},
           {"rope, exact, all threads", [=] { return time_of(exact); }},
           {"rope, float32, one thread", [=] { return on_one(single); }}}};
}

/// The rotation of a float32 tensor as inference engines write it: for each token an angle that is
/// multiplied by a constant from pair to pair, cos and sin of it in float32.
void engine_rotation(std::vector<float>& x, std::size_t tokens, std::size_t heads, std::size_t d,
                     bool half) {
  const float scale = std::pow(10000.0F, -2.0F / static_cast<float>(d));
  std::vector<float> cos(d / 2), sin(d / 2);
  for (std::size_t t = 0; t < tokens; ++t) {
    auto angle = static_cast<float>(t);
    for (std::size_t k = 0; k < d / 2; ++k, angle *= scale) {
      cos[k] = std::cos(angle);
      sin[k] = std::sin(angle);
    }
    for (std::size_t h = 0; h < heads; ++h) {
      float* const head = x.data() + (t * heads + h) * d;
      for (std::size_t k = 0; k < d / 2; ++k) {
        float& first = head[half ? k : 2 * k];
        float& second = head[half ? k + d / 2 : 2 * k + 1];
        const float a = first, b = second;
        first = a * cos[k] - b * sin[k];
        second = a * sin[k] + b * cos[k];
      }
    }
  }
}

Contest rotation(Peers& peers) {
  constexpr std::size_t kTokens = 8192, kHeads = 8, kHead = 128;
  constexpr std::size_t kNumbers = kTokens * kHeads * kHead;
  static std::vector<double> wide(kNumbers, 1);
  static std::vector<float> narrow(kNumbers, 1);
  const auto scale = [] {
    for (double& value : wide) value *= 0.5 + sink * 0 + 0.5;
  };
  const auto rotate = [](PairLayout layout) {
    return [layout] {
      RotaryEmbedding embedding = default_embedding(kHead, 10000);
      embedding.layout = layout;
      RotationRow row;
      for (std::size_t t = 0; t < kTokens; ++t) {
        const std::span<double> token(wide.data() + t * kHeads * kHead, kHeads * kHead);
        set_rotation_row(embedding, static_cast<std::int64_t>(t), row);
        rotate_heads(embedding, row, token, token);
      }
    };
  };
  const auto engine = [](bool half) {
    return [half] { engine_rotation(narrow, kTokens, kHeads, kHead, half); };
  };
  const auto half = rotate(PairLayout::half), pairs = rotate(PairLayout::interleaved);
  const auto engine_half = engine(true), engine_pairs = engine(false);
  Contest contest = {
      "rotate",
      "rotation in memory: [8192, 8, 128], exact angles included",
      "The first line is the limit: every number read and written once, in place, in float64 as "
      "the library holds them. The engine's formula (ggml's: one angle, multiplied from pair to "
      "pair) and PyTorch store half as many bytes.",
      {{"limit: memory in place", [=] { return on_one(scale); }},
       {"rope, half layout", [=] { return on_one(half); }},
       {"rope, interleaved layout", [=] { return on_one(pairs); }},
       {"an engine's formula, float32, half", [=] { return on_one(engine_half); }},
       {"an engine's formula, float32, interleaved", [=] { return on_one(engine_pairs); }}}};
  add_peer(contest, peers, "PyTorch, float32, half", "torch-half", {kTokens, kHeads * kHead});
  add_peer(contest, peers, "PyTorch, float32, interleaved", "torch-complex",
           {kTokens, kHeads * kHead});
  return contest;
}

Contest start(const std::string& program, const std::string& hello) {
  const auto rope_with = [=](std::vector<std::string> words) {
    words.insert(words.begin(), program);
    return [words] { return time_of_program(words); };
  };
  return {"start",
          "start: whole processes",
          "The first line is the limit: a static program that says hello.",
          {{"limit: hello", [=] { return time_of_program({hello}); }},
           {"rope --version", rope_with({"--version"})},
           {"rope --help", rope_with({"--help"})},
           {"rope wavelengths --json", rope_with({"wavelengths", "--json"})},
           {"rope decay --json", rope_with({"decay", "--json"})}}};
}

/// What rope hands to gnuplot is taken down by a script of that name that stands before it in PATH.
Contest picture(const std::string& program, const std::string& folder) {
  const std::string script = folder + "/gnuplot", commands = folder + "/commands";
  io::write_file(script, "#!/bin/sh\nPATH=${PATH#*:}\ntee '" + commands + "' | gnuplot \"$@\"\n");
  const auto shell = [](const std::string& line) {
    return [=] { return time_of_program({"sh", "-c", line}); };
  };
  const std::string curve = program + " decay -o " + folder + "/curve.png";
  shell("chmod +x " + script + " && PATH=" + folder + ":$PATH " + curve + " && rm " + script)();
  return {"picture",
          "a picture: whole processes",
          "The first line is the limit: gnuplot alone, given what rope decay gives to it.",
          {{"limit: gnuplot",
            shell("exec gnuplot --default-settings < " + commands + " > " + folder + "/limit.png")},
           {"rope decay -o png", shell("exec " + curve)},
           {"rope decay, its picture and csv",
            shell("cd " + folder + " && exec " + program + " decay")}}};
}

/// Rows of an integer and three numbers of 17 digits, by the library that rope prints them with.
void write_rows(const DecayCurve& curve, const std::string& path) {
  std::string rows;
  for (std::size_t i = 0; i < curve.bound.size(); ++i)
    fmt::format_to(std::back_inserter(rows), FMT_COMPILE("{},{},{},{}\n"), i, curve.bound[i],
                   curve.mean_cosine[i], curve.bound[i] * curve.mean_cosine[i]);
  io::write_file(path, rows);
}

Contest text(const std::string& program, const std::string& folder) {
  const std::string distances = "0:999999";
  const auto decay_to = [=](const std::string& file) {
    return [=] {
      return time_of_program(
          {program, "decay", "--distances", distances, "-o", folder + "/" + file});
    };
  };
  const Frequencies frequencies = geometric_frequencies(10000, 128);
  const DecayCurve rows = decay_curve(frequencies, up_to(1000000));
  return {"text",
          "files of a million rows: decay, whole processes",
          "The first line writes such rows that are computed already, by fmt and to the same disk; "
          "the second "
          "computes them, on all threads, and writes nothing.",
          {{"limit: written",
            [=] { return time_of([&] { write_rows(rows, folder + "/limit.csv"); }); }},
           {"computed",
            [=] {
              return time_of([&] { sink += decay_curve(frequencies, up_to(1000000)).bound[1]; });
            }},
           {"rope decay -o csv", decay_to("rows.csv")},
           {"rope decay -o json", decay_to("rows.json")}}};
}

Contest files(const std::string& program, const std::string& folder, std::size_t mib) {
  constexpr std::size_t kHeads = 32, kHead = 128, kTokensPerMib = 64;
  const std::string x = folder + "/x.npy", copy = folder + "/copy.npy", y = folder + "/y.npy";
  io::TensorWriter writer(x, {}, io::ElementType::float32, {mib * kTokensPerMib, kHeads, kHead});
  std::vector<double> block(kTokensPerMib * kHeads * kHead);
  RandomStream(1, 0).fill_normal(block);
  for (std::size_t i = 0; i < mib; ++i) writer.append(block);
  writer.commit();
  const auto apply = [=](const std::string& layout) {
    return [=] { return time_of_program({program, "apply", x, "--layout", layout, "-o", y}); };
  };
  return {
      "apply",
      fmt::format("apply: {} MiB of float32, file to file", mib),
      "The first line is the limit: cp of the same file, and sync, as rope keeps what it wrote.",
      {{"limit: cp and sync",
        [=] {
          return time_of_program({"sh", "-c", "cp " + x + " " + copy + " && sync " + copy});
        }},
       {"rope apply, half", apply("half")},
       {"rope apply, interleaved", apply("interleaved")}}};
}

void keep(const std::string& path, const std::string& content) {
  if (!path.empty()) io::write_file(path, content);
}

}  // namespace

int main(int argc, char** argv) try {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() < 4 || words.size() % 2 != 0) {
    fmt::print(stderr,
               "rope_benchmark PROGRAM HELLO PEERS FOLDER [--rounds N] [--markdown FILE] "
               "[--json FILE] [--earlier FILE]\n"
               "rope_benchmark PROGRAM HELLO PEERS FOLDER --growth FILE\n");
    return 2;
  }
  for (std::string* path : {&words[0], &words[3]}) *path = std::filesystem::absolute(*path);
  int rounds = 15;
  std::string markdown_file, json_file, growth_file, earlier;
  for (std::size_t i = 4; i < words.size(); i += 2) {
    if (words[i] == "--rounds") rounds = std::max(std::atoi(words[i + 1].c_str()), 1);
    if (words[i] == "--markdown") markdown_file = words[i + 1];
    if (words[i] == "--json") json_file = words[i + 1];
    if (words[i] == "--earlier") earlier = io::read_file(words[i + 1], std::size_t{1} << 20);
    if (words[i] == "--growth") growth_file = words[i + 1];
  }
  if (!growth_file.empty()) {
    keep(growth_file, growth(words[0], words[3]));
    return 0;
  }
  Peers peers(words[2]);
  for (const char* peer : {"numpy", "torch"})
    if (!peers.have(peer))
      fmt::print(stderr, "python3-{} is not installed: its lines are left out\n", peer);
  std::vector<Contest> contests;
  contests.push_back(decay("decay_1000", 1000, 128, peers));
  contests.push_back(decay("decay_million", 1000000, 128, peers));
  contests.push_back(decay("decay_4096", 20000, 4096, peers));
  contests.push_back(unequal_distances());
  contests.push_back(verification());
  contests.push_back(rotation(peers));
  contests.push_back(start(words[0], words[1]));
  contests.push_back(picture(words[0], words[3]));
  contests.push_back(text(words[0], words[3]));
  contests.push_back(files(words[0], words[3], 256));
  for (Contest& contest : contests) {
    fmt::print(stderr, "{}\n", contest.title);
    run(contest, rounds);
  }
  for (const char* file : {"commands", "curve.png", "limit.png", "decay.png", "decay.csv",
                           "limit.csv", "rows.csv", "rows.json", "x.npy", "copy.npy", "y.npy"})
    unlink((words[3] + "/" + file).c_str());
  const std::string tables = markdown(contests, rounds, earlier);
  fmt::print("{}", tables);
  keep(markdown_file, tables);
  keep(json_file, json(contests, rounds));
  return std::isnan(sink) ? 1 : 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "rope_benchmark: {}\n", error.what());
  return 1;
}
