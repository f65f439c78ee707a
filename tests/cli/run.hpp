#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace rope::test {

/// What a run of the program left behind.
struct Outcome {
  int exit_code = -1;  ///< minus the signal if it was killed
  std::string out;
  std::string err;
};

/// Where a run differs from a usual one.
struct Setting {
  std::map<std::string, std::string> environment;  ///< an empty value removes the variable
  std::string out_file;                            ///< standard output goes there, not into Outcome
  bool close_out = false;                          ///< standard output is closed
  bool close_reader = false;                       ///< nobody reads standard output
  int terminal_columns =
      0;                  ///< both streams are a terminal so wide, and both arrive in Outcome::out
  std::string keys = {};  ///< typed into that terminal once the program has said what keys do
};

/// The words of a text with one blank between them: sentences as they were before they were broken
/// into lines.
std::string flowing(const std::string& text);

std::vector<std::string> lines_of(const std::string& text);

/// The commands that the help of the program lists.
std::vector<std::string> commands_in(const std::string& help);

/// The columns that a line takes in a terminal, two for a Chinese character, without colour codes
/// and without a progress bar that the line replaced.
std::size_t columns_of(const std::string& line);

/// A test in a fresh folder of its own, which is removed afterwards.
class CliTest : public testing::Test {
 protected:
  CliTest();
  ~CliTest() override;
  CliTest(const CliTest&) = delete;
  CliTest& operator=(const CliTest&) = delete;

  /// Runs rope in the folder. English, UTF-8, no terminal, unless the setting says otherwise.
  Outcome rope(const std::vector<std::string>& arguments, const Setting& setting = {}) const;

  /// Runs a line of shell there, with rope on the PATH.
  Outcome shell(const std::string& line, Setting setting = {}) const;

  /// The names in the folder, sorted: what a run left behind.
  std::vector<std::string> files() const;
  std::string read(const std::string& name) const;
  void write(const std::string& name, const std::string& content) const;
  /// A program of that name in a folder that is the whole PATH; returns the folder.
  std::string fake_program(const std::string& name, const std::string& script) const;
  std::string path(const std::string& name) const { return folder_ + "/" + name; }

 private:
  Outcome start(const std::vector<std::string>& command, const Setting& setting) const;
  Outcome start_in_terminal(const std::vector<std::string>& command, const Setting& setting) const;

  std::string root_;  // holds the folder, and beside it what no test counts
  std::string folder_;
};

}  // namespace rope::test
