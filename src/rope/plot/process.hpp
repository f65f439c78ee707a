#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace rope::plot {

/// How a child process ended and what it wrote.
struct ProcessResult {
  int exit_code = 0;
  int signal = 0;  ///< that ended it; 0: it ended by itself
  bool timed_out = false;
  std::string output;
  std::string messages;  ///< its standard error
};

/// Runs a program found on PATH with `input` as its standard input and waits for its end. There is
/// no shell; its language is C.UTF-8, and gnuplot's own variables are not passed on.
///
/// Edge      After `timeout`, or when it has written more than a gigabyte, it is killed.
/// Throws    SystemError if it cannot be started.
ProcessResult run_process(const std::vector<std::string>& command, std::string_view input,
                          std::chrono::milliseconds timeout);

}  // namespace rope::plot
