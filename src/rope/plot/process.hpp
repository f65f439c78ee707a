#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace rope::plot {

/// How a child process ended and what it wrote.
struct ProcessResult {
  int exit_code = 0;
  int signal = 0;  ///< the signal that ended it; 0: it ended by itself
  bool timed_out = false;
  bool too_much = false;  ///< it was killed because it wrote more than a gigabyte
  std::string output;
  std::string messages;  ///< its standard error
};

/// Runs a program found on PATH with `input` as its standard input and waits for it to end. No
/// shell is involved. The program's locale is C.UTF-8, and gnuplot's own variables are not passed
/// on; `variables` are added, each as NAME=VALUE.
///
/// Edge      The program is killed after `timeout`, once it has written more than a gigabyte, or
///           when the thread that started it ends.
/// Throws    SystemError if it cannot be started.
ProcessResult run_process(const std::vector<std::string>& command, std::string_view input,
                          std::chrono::milliseconds timeout,
                          const std::vector<std::string>& variables = {});

}  // namespace rope::plot
