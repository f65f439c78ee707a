#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

namespace rope::test {

/// A program that checks proofs. Who builds the program needs none: then the test says what was not
/// proved, and is skipped. Where ROPE_PROVERS is "required", as in the gates, it fails instead.
class Prover {
 public:
  explicit Prover(std::string program) : program_(std::move(program)) {
    missing_ = std::system(("command -v " + program_ + " >/dev/null 2>&1").c_str()) != 0;
    const char* const required = std::getenv("ROPE_PROVERS");
    if (missing_ && required != nullptr && std::string(required) == "required")
      ADD_FAILURE() << remedy();
  }

  bool missing() const { return missing_; }
  std::string remedy() const {
    return "not proved here: " + program_ + " is not installed (./setup.sh --dev installs it)";
  }

  /// Runs it on a script; whether it ended well.
  bool run(const std::string& script) {
    const std::string path =
        testing::TempDir() + "rope-" + program_ + "-" + std::to_string(getpid()) + ".txt";
    std::ofstream(path) << script;
    const std::string input = program_ == "sollya" ? " < " : " ";
    // A bound that does not hold may keep gappa looking for a proof of it for hours.
    FILE* const pipe = popen(("timeout 240 " + program_ + input + path + " 2>&1").c_str(), "r");
    if (pipe == nullptr) return false;
    said_.clear();
    std::array<char, 4096> part{};
    for (std::size_t n = 0; (n = fread(part.data(), 1, part.size(), pipe)) > 0;)
      said_.append(part.data(), n);
    const int status = pclose(pipe);
    std::remove(path.c_str());
    return status == 0;
  }

  /// Whether every conclusion of the script was proved, without a doubt about a step.
  bool proves(const std::string& script) {
    return run(script) && said_.find("not trivially equal") == std::string::npos &&
           said_.find("Error") == std::string::npos;
  }

  const std::string& said() const { return said_; }

 private:
  std::string program_, said_;
  bool missing_ = false;
};

}  // namespace rope::test
