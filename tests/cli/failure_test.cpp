// When the system fails: exit code 3, one message, old files as they were, nothing new.

#include <algorithm>
#include <csignal>

#include "cli/run.hpp"

namespace rope::test {
namespace {

using FailureTest = CliTest;
using Names = std::vector<std::string>;

TEST_F(FailureTest, AFullDiskForEveryFormat) {
  const auto expect_failure = [&](const Names& arguments) {
    const Outcome run = rope(arguments);
    EXPECT_EQ(run.exit_code, 3) << arguments.back();
    EXPECT_NE(run.err.find("cannot write '/dev/full'"), std::string::npos) << run.err;
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 2) << run.err;
    EXPECT_EQ(files(), Names{});
  };
  for (const char* format : {"csv", "json", "png", "svg", "pdf", "gp"}) {
    expect_failure({"decay", "-o", "/dev/full", "--format", format});
    expect_failure({"wavelengths", "-o", "/dev/full", "--format", format});
  }
  for (const char* format : {"csv", "npy", "json", "tex", "png", "svg", "pdf", "gp"})
    expect_failure({"matrix", "--dim", "8", "-o", "/dev/full", "--format", format});
}

TEST_F(FailureTest, AFullDiskBehindStandardOutput) {
  Setting full;
  full.out_file = "/dev/full";
  for (const Names& arguments :
       {Names{"--help"}, Names{"--version"}, Names{"matrix", "--help"}, Names{"matrix"},
        Names{"matrix", "--json"}, Names{"decay", "-o", "-", "--format", "csv"},
        Names{"decay", "--show"}, Names{"wavelengths", "-o", "-", "--format", "png"}}) {
    const Outcome run = rope(arguments, full);
    EXPECT_EQ(run.exit_code, 3) << arguments[0];
    EXPECT_NE(run.err.find("cannot write"), std::string::npos) << run.err;
    EXPECT_NE(run.err.find("No space left on device"), std::string::npos) << run.err;
  }
  EXPECT_EQ(files(), Names{});
}

const std::vector<Names> kWriters = {
    {"--version"}, {"matrix"}, {"matrix", "--json"}, {"decay", "-o", "-", "--format", "csv"}};

TEST_F(FailureTest, AClosedStandardOutput) {
  Setting closed;
  closed.close_out = true;
  for (const Names& arguments : kWriters) {
    const Outcome run = rope(arguments, closed);
    EXPECT_EQ(run.exit_code, 3) << arguments[0];
    EXPECT_NE(run.err.find("cannot write"), std::string::npos) << run.err;
  }
  EXPECT_EQ(files(), Names{});
}

TEST_F(FailureTest, AReaderThatWentAwayEndsTheProgramQuietly) {
  Setting unread;
  unread.close_reader = true;
  for (const Names& arguments : kWriters) {
    const Outcome run = rope(arguments, unread);
    EXPECT_EQ(run.exit_code, -SIGPIPE) << arguments[0];
    EXPECT_EQ(run.err, "") << arguments[0];
  }
  EXPECT_EQ(files(), Names{});
  // The other files are whole all the same, and what was never written to the pipe is no failure.
  EXPECT_EQ(rope({"matrix", "--dim", "4", "-o", "m.csv", "-o", "m.tex"}, unread).exit_code,
            -SIGPIPE);
  EXPECT_EQ(rope({"decay", "--json", "-o", "d.csv"}, unread).exit_code, -SIGPIPE);
  EXPECT_EQ(files(), (Names{"d.csv", "m.csv", "m.tex"}));
  EXPECT_EQ(rope({"decay", "--dim", "7"}, unread).exit_code, 2);
  EXPECT_EQ(rope({"decay", "--json", "-o", "nowhere/x.csv"}, unread).exit_code, 3);
  const Outcome piped =
      shell("rope decay --distances 0:100000 -o - --format csv | head -2; rope --help | head -1");
  EXPECT_EQ(piped.err, "");
  EXPECT_EQ(std::ranges::count(piped.out, '\n'), 3) << piped.out;
}

TEST_F(FailureTest, WhatIsPrintedNeverEndsInAFile) {
  Setting closed;
  closed.close_out = true;
  EXPECT_EQ(rope({"matrix", "--dim", "4", "-o", "m.csv", "-o", "m.png"}, closed).exit_code, 3);
  EXPECT_TRUE(read("m.png").starts_with("\x89PNG"));
  EXPECT_TRUE(read("m.csv").starts_with("position,row,"));
  EXPECT_EQ(read("m.csv").find("wrote"), std::string::npos);
}

TEST_F(FailureTest, AFolderThatIsMissingOrNone) {
  write("plain", "kept");
  for (const char* file : {"nowhere/x.csv", "plain/x.csv", "nowhere/x.png"}) {
    const Outcome run = rope({"decay", "-o", file});
    EXPECT_EQ(run.exit_code, 3) << file;
    EXPECT_EQ(run.out, "");  // found out before any work
    EXPECT_NE(run.err.find(std::string("cannot write '") + file + "'"), std::string::npos);
  }
  ASSERT_EQ(shell("mkdir folder").exit_code, 0);
  for (const Names& arguments : {Names{"-o", "folder"}, Names{"-o", "folder/"}, Names{"-o", "."},
                                 Names{"-o", "folder", "--format", "csv"}}) {
    Names all = arguments;
    all.insert(all.begin(), "decay");
    const Outcome run = rope(all);
    EXPECT_EQ(run.exit_code, 3);
    EXPECT_TRUE(run.err.ends_with(": Is a directory\nIt is a folder: name a file in it.\n"))
        << run.err;
  }
  const Outcome missing = rope({"decay", "-o", "nowhere/"});
  EXPECT_EQ(missing.exit_code, 3);
  EXPECT_NE(missing.err.find("The folder 'nowhere' does not exist"), std::string::npos);
  const Outcome there = rope({"matrix", "-o", "/proc/x.npy"});
  EXPECT_EQ(there.exit_code, 3);
  EXPECT_EQ(there.err.find("does not exist"), std::string::npos) << there.err;
  EXPECT_EQ(read("plain"), "kept");
  EXPECT_EQ(files(), (Names{"folder", "plain"}));
}

TEST_F(FailureTest, AnOldFileSurvivesAFailure) {
  write("decay.png", "old picture");
  const Setting killed = {{{"PATH", fake_program("gnuplot", "kill -9 $$")}}, {}, false, false};
  EXPECT_EQ(rope({"decay", "-o", "decay.png"}, killed).exit_code, 3);
  EXPECT_EQ(read("decay.png"), "old picture");
  EXPECT_EQ(files(), Names{"decay.png"});
}

TEST_F(FailureTest, WithoutGnuplotOnlyAPictureThatWasAskedForFails) {
  const Setting missing = {{{"PATH", fake_program("nothing", "exit 0")}}, {}, false, false};
  const Outcome run = rope({"decay"}, missing);
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_TRUE(run.out.ends_with("wrote decay.csv\n")) << run.out;
  EXPECT_NE(run.err.find("warning: decay.png is not drawn"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("gnuplot-nox"), std::string::npos) << run.err;
  EXPECT_EQ(files(), Names{"decay.csv"});
  EXPECT_EQ(rope({"decay", "-o", "asked.png"}, missing).exit_code, 3);
  EXPECT_EQ(files(), Names{"decay.csv"});
  EXPECT_EQ(rope({"decay", "-o", "script.gp", "-o", "d.json"}, missing).exit_code, 0);
}

TEST_F(FailureTest, AGnuplotThatIsKilledOrFailsOrDrawsNothing) {
  for (const char* script :
       {"kill -9 $$", "echo oops >&2; exit 3", "exit 0", "echo not a picture"}) {
    const Setting setting = {{{"PATH", fake_program("gnuplot", script)}}, {}, false, false};
    for (const char* file : {"x.png", "x.svg", "x.pdf"}) {
      const Outcome run = rope({"wavelengths", "-o", file}, setting);
      EXPECT_EQ(run.exit_code, 3) << script;
      EXPECT_NE(run.err.find("gnuplot"), std::string::npos) << run.err;
      EXPECT_EQ(files(), Names{}) << script;
    }
  }
}

}  // namespace
}  // namespace rope::test
