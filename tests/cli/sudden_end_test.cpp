// A signal and an end of memory in the middle of things: the caller learns of it, nothing is left.

#include <csignal>

#include "cli/run.hpp"

namespace rope::test {
namespace {

using SuddenEndTest = CliTest;
using Names = std::vector<std::string>;

TEST_F(SuddenEndTest, ASignalEndsEveryCommandThatDrawsAndGnuplotWithIt) {
  ASSERT_EQ(rope({"apply", "--golden", "g_", "--dim", "8"}).exit_code, 0);
  const std::string folder = fake_program("gnuplot", "echo $$ > pid; exec sleep 60");
  const Names lines = {"rotate --pairs 0",
                       "matrix --dim 8",
                       "score --view curve --query ones --key same",
                       "diagnose g_x.npy g_y.npy",
                       "precision",
                       "decay",
                       "wavelengths",
                       "inspect llama-3.1-8b",
                       "extend --model llama-3.1-8b --to 262144",
                       "compare",
                       "attention",
                       "lesson 5",
                       "claims S0-35"};
  write("pid", "");
  write("x.png", "old");
  const Names before = files();
  for (const std::string& line : lines) {
    std::vector<int> signals = {SIGTERM};
    if (line == "decay") signals = {SIGINT, SIGTERM, SIGHUP, SIGKILL};
    for (const int signal : signals) {
      write("pid", "");
      const Outcome run =
          // A shell has what it starts in the background ignore some signals.
          shell("ulimit -c 0; PATH=" + folder + ":$PATH env --default-signal=INT rope " + line +
                " -o x.png > /dev/null & rope=$!\n"
                "while [ ! -s pid ]; do sleep 0.02; done; gnuplot=$(cat pid)\n"
                "kill -" +
                std::to_string(signal) +
                " $rope; wait $rope; echo $?\n"
                // One that ended may wait for somebody to ask how.
                "for i in $(seq 100); do grep -qs '^State:.[^Z]' /proc/$gnuplot/status || exit 0\n"
                "sleep 0.05; done; kill $gnuplot; echo gnuplot lived on");
      EXPECT_EQ(run.out, std::to_string(128 + signal) + "\n") << line;
      EXPECT_EQ(read("x.png"), "old") << line;
      EXPECT_EQ(files(), before) << signal << ": " << line;
    }
  }
}

TEST_F(SuddenEndTest, NothingOfAnAnimationStaysBehindAfterAnySignal) {
  // The frames are written and the program that joins them runs, whatever the signal.
  const std::string folder = fake_program("apngasm", "echo > joining; exec sleep 30");
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGKILL})
    for (const char* line : {"rotate --positions 0:3 -o x.gif",
                             "rotate --positions 0:3 --animate "
                             "-o x.png",
                             "lesson 5 -o handout/ --lang zh -o x.png"}) {
      const bool joins = std::string(line).starts_with("rotate");
      shell("mkdir -p frames; rm -rf joining handout x.*");
      const Outcome run =
          // A shell has what it starts in the background ignore some signals.
          shell("ulimit -c 0; TMPDIR=$PWD/frames PATH=" + folder +
                ":$PATH env --default-signal=INT,QUIT rope " + line + " > out 2>&1 & rope=$!\n" +
                (joins ? "while [ ! -e joining ]; do sleep 0.02; done\n" : "sleep 0.3\n") +
                "kill -" + std::to_string(signal) +
                " $rope; wait $rope\n"
                // After SIGKILL the folder's guard alone is left to do it.
                "for i in $(seq 100); do [ -z \"$(ls frames)\" ] && break; sleep 0.02; done; ls -A "
                "frames");
      EXPECT_EQ(run.out, "") << signal << ": " << line;
      for (const std::string& name : files()) EXPECT_FALSE(name.starts_with(".rope-")) << name;
    }
}

TEST_F(SuddenEndTest, AFolderOfFramesThatCannotBeRemovedIsNamed) {
  const std::string joined =
      fake_program("apngasm", "d=${1%/*}; echo > $d/mine; printf picture > $1");
  const Outcome run = shell("mkdir frames; TMPDIR=$PWD/frames PATH=" + joined +
                            ":$PATH rope rotate --positions 0:3 --animate -o x.png");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(flowing(run.err).find("could not be removed: remove it"), std::string::npos) << run.err;
}

TEST_F(SuddenEndTest, AnIgnoredSignalStaysIgnored) {
  const std::string folder = fake_program("gnuplot", "kill -HUP $PPID $$; sleep 0.2; exit 7");
  const Outcome run = shell("trap '' HUP; PATH=" + folder + ":$PATH exec rope decay -o x.png");
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_NE(run.err.find("gnuplot failed with exit code 7"), std::string::npos) << run.err;
}

#ifndef ROPE_SANITIZED  // their own memory knows no such limit
TEST_F(SuddenEndTest, WithoutMemoryEveryCommandEndsWithOneMessageAndExitCode3) {
  const Names lines = {"matrix --dim 512 --positions 0:3 -o o.json",
                       "decay --distances 0:100000 --random-pairs 0 --json",
                       "wavelengths --dim 65536 --json", "apply --golden g_ --dim 1024",
                       "verify --precision 16000 --trials 2 --dim 64"};
  for (const std::string& line : lines) {
    int ended = 0;
    for (int kilobytes = 12000; kilobytes < 90000; kilobytes += kilobytes / 30) {
      const Outcome run =
          shell("ulimit -c 0; ulimit -v " + std::to_string(kilobytes) + "; exec rope " + line);
      // Below, the program cannot even be loaded.
      if (run.exit_code == 127 || run.err.find("shared librar") != std::string::npos) continue;
      ASSERT_TRUE(run.exit_code == 0 || run.exit_code == 3)
          << line << " with " << kilobytes << " kB: " << run.exit_code << "\n"
          << run.err;
      if (run.exit_code == 0) break;
      EXPECT_EQ(run.err, "rope: out of memory\nAsk for fewer values.\n") << line;
      EXPECT_EQ(files(), Names{}) << line;
      ++ended;
    }
    EXPECT_GT(ended, 0) << line;
    shell("rm -f g_* o.json");
  }
}
#endif

}  // namespace
}  // namespace rope::test
