#include "contest.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "rope/rotary/cpu_level.hpp"

namespace rope::benchmark {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

double quickest(const Contestant& contestant) { return *std::ranges::min_element(contestant.runs); }

[[noreturn]] void fail(const std::string& what) {
  fmt::print(stderr, "rope_benchmark: {}\n", what);
  std::exit(1);
}

/// Waits for its end.
Usage usage_of_child(pid_t child, const std::string& name) {
  int status = 0;
  rusage used = {};
  if (child < 0 || wait4(child, &status, 0, &used) < 0 || status != 0) fail(name + " failed");
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return {seconds(used.ru_utime), seconds(used.ru_stime),
          static_cast<std::size_t>(used.ru_maxrss) * 1024};
}

}  // namespace

Ratio ratio(const Contest& contest, const Contestant& contestant) {
  const Contestant& first = contest.contestants.front();
  std::vector<double> ratios;
  for (std::size_t i = 0; i < contestant.runs.size(); ++i)
    ratios.push_back(contestant.runs[i] / first.runs[i]);
  std::ranges::sort(ratios);
  const auto at = [&](double share) {
    return ratios[static_cast<std::size_t>(share * static_cast<double>(ratios.size() - 1) + 0.5)];
  };
  return {at(0.1), at(0.5), at(0.9), quickest(contestant) / quickest(first)};
}

void run(Contest& contest, int rounds) {
  for (Contestant& contestant : contest.contestants) contestant.seconds();  // warm
  for (int round = 0; round < rounds; ++round)
    for (Contestant& contestant : contest.contestants)
      contestant.runs.push_back(contestant.seconds() / contestant.share);
}

std::string markdown(const std::vector<Contest>& contests, int rounds, const std::string& earlier) {
  const nlohmann::json before = earlier.empty() ? nlohmann::json() : nlohmann::json::parse(earlier);
  std::string text = fmt::format(
      "{} rounds, each of which ran every line once, in turn; CPU level {}. A ratio is that of a\n"
      "line's time to the first line's: the median of the rounds, with the first and the last "
      "tenth;\nbefore it stands that of an earlier run.\n",
      rounds, name(best_cpu_level()));
  for (const Contest& contest : contests) {
    text += fmt::format(
        "\n### {}\n\n{}\n\n| | quickest | earlier | ratio | 10 … 90 % "
        "|\n|---|---:|---:|---:|---|\n",
        contest.title, contest.limit);
    for (const Contestant& contestant : contest.contestants) {
      const Ratio r = ratio(contest, contestant);
      std::string ratio_before;
      if (before.contains("contests") && before["contests"].contains(contest.key))
        for (const nlohmann::json& line : before["contests"][contest.key]["lines"])
          if (line["name"] == contestant.name)
            ratio_before = fmt::format("{:.3g}", line["ratio"].get<double>());
      text += fmt::format("| {} | {:.4g} ms | {} | {:.3g} | {:.3g} … {:.3g} |\n", contestant.name,
                          1e3 * quickest(contestant), ratio_before, r.median, r.low, r.high);
    }
  }
  return text;
}

std::string json(const std::vector<Contest>& contests, int rounds) {
  nlohmann::ordered_json document;
  document["schema"] = "rope.benchmark/1";
  document["rounds"] = rounds;
  document["cpu_level"] = std::string(name(best_cpu_level()));
  for (const Contest& contest : contests) {
    nlohmann::ordered_json lines = nlohmann::ordered_json::array();
    for (const Contestant& contestant : contest.contestants) {
      const Ratio r = ratio(contest, contestant);
      lines.push_back({{"name", contestant.name},
                       {"quickest_seconds", quickest(contestant)},
                       {"ratio", r.median},
                       {"ratio_10", r.low},
                       {"ratio_90", r.high},
                       {"ratio_of_quickest", r.best}});
    }
    document["contests"][contest.key] = {{"limit", contest.limit}, {"lines", std::move(lines)}};
  }
  return document.dump(2) + "\n";
}

double time_of(const std::function<void()>& work) {
  const Clock::time_point begin = Clock::now();
  work();
  return since(begin);
}

Usage usage_of_program(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = vfork();  // a copy of this process would take longer than a small program
  if (child == 0) {
    const int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0) _exit(127);
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  return usage_of_child(child, command[0]);
}

Usage usage_of(const std::function<void()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    work();
    _exit(0);
  }
  return usage_of_child(child, "a part of the benchmark");
}

double time_of_program(const std::vector<std::string>& command) {
  return time_of([&] { usage_of_program(command); });
}

Peers::Peers(const std::string& script) {
  int down[2], up[2];
  if (pipe2(down, O_CLOEXEC) != 0 || pipe2(up, O_CLOEXEC) != 0) fail("no pipe");
  child_ = fork();
  if (child_ == 0) {
    dup2(down[0], STDIN_FILENO);
    dup2(up[1], STDOUT_FILENO);
    for (const char* python : {"python3", "/usr/bin/python3"})
      if (std::system((std::string(python) + " -c 'import numpy' 2>/dev/null").c_str()) == 0)
        execlp(python, python, script.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  close(down[0]);
  close(up[1]);
  to_ = down[1];
  from_ = up[0];
  if (child_ > 0) names_ = " " + answer() + " ";
}

bool Peers::have(const std::string& name) const {
  return names_.find(" " + name + " ") != std::string::npos;
}

Peers::~Peers() {
  close(to_);
  close(from_);
  if (child_ > 0) waitpid(child_, nullptr, 0);
}

std::string Peers::answer() {
  std::string line;
  char letter = 0;
  while (read(from_, &letter, 1) == 1 && letter != '\n') line += letter;
  return line;
}

double Peers::seconds(const std::string& request) {
  const std::string line = request + "\n";
  if (write(to_, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    fail("peers.py is gone");
  const std::string seconds = answer();
  if (seconds.empty()) fail("peers.py failed");
  return std::strtod(seconds.c_str(), nullptr);
}

}  // namespace rope::benchmark
