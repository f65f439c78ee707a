// rope apply on a file larger than its memory, beside cp of the same file, in turns.
//
//   rope_apply_benchmark PROGRAM FOLDER [MIB]     2048 MiB of float32 unless told otherwise

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "rope/io/tensor_writer.hpp"
#include "rope/random/random.hpp"

namespace {

constexpr int kRounds = 3;

struct Cost {
  double wall = 1e300;
  double cpu = 1e300;
  double peak_mib = 0;
};

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

/// Runs a program to its end; keeps the quickest run and the highest peak.
void run(const std::vector<std::string>& command, Cost& cost) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = vfork();  // a copy of this process would count as the child's memory
  if (child == 0) {
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  if (child < 0 || wait4(child, &status, 0, &usage) < 0 || status != 0) {
    std::fprintf(stderr, "%s failed\n", command[0].c_str());
    std::exit(1);
  }
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  cost.wall = std::min(cost.wall, wall.count());
  cost.cpu = std::min(cost.cpu, seconds(usage.ru_utime) + seconds(usage.ru_stime));
  cost.peak_mib = std::max(cost.peak_mib, static_cast<double>(usage.ru_maxrss) / 1024);
}

void make_file(const std::string& path, std::size_t mib) {
  constexpr std::size_t kHeads = 32, kHead = 128, kTokensPerMib = 64;
  rope::io::TensorWriter writer(path, {}, rope::io::ElementType::float32,
                                {mib * kTokensPerMib, kHeads, kHead});
  std::vector<double> block(kTokensPerMib * kHeads * kHead);
  rope::RandomStream(1, 0).fill_normal(block);
  for (std::size_t i = 0; i < mib; ++i) writer.append(block);
  writer.commit();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "rope_apply_benchmark PROGRAM FOLDER [MIB]\n");
    return 2;
  }
  const std::string program = argv[1], folder = argv[2];
  const std::size_t mib = argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 2048;
  const std::string x = folder + "/rope_x.npy", copy = folder + "/rope_copy.npy",
                    y = folder + "/rope_y.npy";
  make_file(x, mib);
  const auto apply = [&](const std::string& layout) {
    return "exec " + program + " apply " + x + " --layout " + layout + " -o " + y + " > /dev/null";
  };
  Cost cp, half, interleaved;
  for (int round = 0; round < kRounds; ++round) {
    run({"sh", "-c", "cp " + x + " " + copy + " && sync " + copy}, cp);
    run({"sh", "-c", apply("half")}, half);
    run({"sh", "-c", apply("interleaved")}, interleaved);
  }
  std::printf("%zu MiB of float32, best of %d rounds in turn; ratios to cp\n", mib, kRounds);
  const auto print = [&](const char* name, const Cost& cost) {
    std::printf("  %-26s %6.2f s  %5.2f   cpu %5.2f s  %5.2f   peak %5.1f MiB\n", name, cost.wall,
                cost.wall / cp.wall, cost.cpu, cost.cpu / cp.cpu, cost.peak_mib);
  };
  print("cp and sync", cp);
  print("rope apply, half", half);
  print("rope apply, interleaved", interleaved);
  for (const std::string& file : {x, copy, y}) unlink(file.c_str());
}
