// --scaling on the command line: what it changes in every command, and what it refuses.

#include <nlohmann/json.hpp>

#include "cli/run.hpp"
#include "rope/io/json.hpp"

namespace rope::test {
namespace {

using Words = std::vector<std::string>;

class ScalingOptionTest : public CliTest {
 protected:
  io::Json document(const Words& arguments) {
    const Outcome run = rope(arguments);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return io::parse_json(run.out, "out");
  }
  void refused(const Words& options, const std::string& message, const std::string& remedy = "") {
    Words arguments = {"wavelengths", "-o", "-", "--format", "csv"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome run = rope(arguments);
    EXPECT_EQ(run.exit_code, 2) << message;
    EXPECT_EQ(run.out, "") << message;
    EXPECT_EQ(run.err.substr(0, run.err.find('\n')), "rope wavelengths: " + message);
    EXPECT_NE(run.err.find(remedy, run.err.find('\n')), std::string::npos) << run.err;
  }
};

TEST_F(ScalingOptionTest, WavelengthsTellsTheRuleAndItsNumbers) {
  const io::Json made =
      document({"wavelengths", "--json", "--dim", "128", "--base", "1e6", "--max-positions",
                "131072", "--scaling", "yarn:factor=4,original=32768,truncate=true"});
  EXPECT_EQ(made.at("attention_factor"), 1.138629436111989);
  const io::Json& rotary = made.at("rotary");
  EXPECT_EQ(rotary.at("scaling").dump(),
            R"({"rule":"yarn","factor":4.0,"original":32768.0,"truncate":1.0})");
  EXPECT_EQ(rotary.at("max_positions"), 131072);
  EXPECT_TRUE(rotary.at("seq_len").is_null());
  EXPECT_EQ(rotary.at("attention_factor"), 1.138629436111989);
  EXPECT_EQ(made.at("pairs").at(0).at("theta"), 1.0);
  const Outcome report =
      rope({"wavelengths", "--scaling", "yarn:factor=4,original=4096", "-o", "w.csv"});
  EXPECT_NE(flowing(report.out)
                .find("layout interleaved, scaling yarn (factor 4, original 4096), "
                      "attention factor 1.13863"),
            std::string::npos)
      << report.out;
}

TEST_F(ScalingOptionTest, ReadsListsFromTextAndFiles) {
  write("long.json", "[4.0,\n 8]\n");
  for (const char* list : {"4;8", "@long.json"}) {
    const io::Json made =
        document({"wavelengths", "--json", "--dim", "4", "--seq-len", "4097", "--scaling",
                  std::string("longrope:short=1;2,long=") + list + ",original=4096,factor=32"});
    EXPECT_EQ(made.at("pairs").at(0).at("theta"), 0.25) << list;
    EXPECT_EQ(made.at("pairs").at(1).at("theta"), 0.00125) << list;
    EXPECT_EQ(made.at("rotary").at("scaling").at("long").dump(), "[4.0,8.0]");
    EXPECT_EQ(made.at("rotary").at("seq_len"), 4097);
  }
}

TEST_F(ScalingOptionTest, MayBeRepeatedWhereCurvesAreLaidOverEachOther) {
  const Outcome run =
      rope({"decay", "--distances", "0:4", "-o", "-", "--format", "csv", "--random-pairs", "0",
            "--scaling", "default", "--scaling", "linear:factor=4"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("mean_cosine[default]"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("mean_cosine[linear:factor=4]"), std::string::npos) << run.out;
}

TEST_F(ScalingOptionTest, WorksInEveryCommand) {
  const std::string yarn = "yarn:factor=4,original=4096";
  const Outcome matrix = rope({"matrix", "--dim", "4", "--scaling", yarn});
  EXPECT_EQ(matrix.exit_code, 0) << matrix.out;
  EXPECT_NE(matrix.out.find("R_m divided by the attention factor A = 1.13863 is a rotation matrix"),
            std::string::npos)
      << matrix.out;
  const Outcome verify = rope({"verify", "--trials", "50", "--scaling", yarn});
  EXPECT_EQ(verify.exit_code, 0) << verify.out;
  EXPECT_NE(verify.out.find("scaling yarn, attention factor 1.13863"), std::string::npos)
      << verify.out;
  const Outcome bits = rope({"verify", "--trials", "5", "--scaling", yarn, "--precision", "100"});
  EXPECT_EQ(bits.exit_code, 0) << bits.out << bits.err;
  const Outcome precision = rope({"precision", "--policy", "float32", "--max-position", "64",
                                  "--dim", "8", "--scaling", yarn, "--json"});
  EXPECT_EQ(precision.exit_code, 0) << precision.err;
}

TEST_F(ScalingOptionTest, AnswersAMisspeltRuleOrKeyWithTheLikelyOne) {
  const std::string rules =
      "--scaling: expected default, linear, ntk, ntk-fixed, ntk-mixed, dynamic, yarn, yarn-paper, "
      "longrope, llama3, proportional or truncation, got ";
  refused({"--scaling", "yran:factor=4"}, rules + "'yran'", "Did you mean yarn?");
  refused({"--scaling", "su"}, rules + "'su'", "Did you mean longrope?");
  refused({"--scaling", "linear:facter=4"}, "--scaling linear: expected factor, got 'facter'",
          "Did you mean factor?");
  refused({"--scaling", "llama3:low_freq_factor=1"},
          "--scaling llama3: expected factor, low, high or original, got 'low_freq_factor'",
          "Did you mean low?");
  refused({"--scaling", "default:factor=4"},
          "--scaling default: expected no parameters, got 'factor'");
}

TEST_F(ScalingOptionTest, RefusesWhatDoesNotFit) {
  refused({"--scaling", "linear"}, "--scaling linear: expected factor too, got linear by itself",
          "For example linear:factor=4.");
  refused({"--scaling", "linear:factor=0"},
          "--scaling linear: factor: expected a finite number above 0, got 0");
  refused({"--scaling", "linear:factor"}, "--scaling: expected key=value, got 'factor'");
  refused({"--dim", "2", "--scaling", "ntk:factor=2"},
          "--scaling ntk: rotary_dim: expected a size other than 2, got 2");
  refused({"--scaling", "longrope:short=1;2,long=1;2,original=4096,factor=2"},
          "--scaling longrope: short: expected 64 numbers, one per pair, got 2");
  refused({"--seq-len", "4096"}, "--seq-len: expected --scaling or a model with it, got none");
  refused({"--scaling", "dynamic:factor=2,original=1", "--seq-len", "0"},
          "--seq-len: expected an integer from 1 to 2^53, got '0'");
  refused({"--scaling", "linear:factor=2", "--scaling", "linear:factor=2"},
          "--scaling: expected different rules, got linear:factor=2 twice");
  refused({"--frequencies", "1", "--scaling", "linear:factor=2"},
          "--frequencies: expected either frequencies or a scaling rule, got both");
  write("bad.txt", "1 two");
  refused({"--scaling", "longrope:short=@bad.txt"},
          "--scaling: 'bad.txt': expected a finite number, got 'two'");
  EXPECT_EQ(rope({"wavelengths", "--scaling", "longrope:short=@none.txt"}).exit_code, 3);
  EXPECT_EQ(rope({"decay", "--family", "linear", "--scaling", "linear:factor=2"}).exit_code, 2);
}

TEST_F(ScalingOptionTest, WarnsOfWhatIsLegalAndSurprising) {
  const Outcome run = rope(
      {"wavelengths", "--scaling", "dynamic:factor=2,original=2048", "-o", "-", "--format", "csv"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_NE(run.err.find("without a sequence length"), std::string::npos) << run.err;
}

TEST_F(ScalingOptionTest, AWrongRuleIsRefusedBeforeItIsSaidToReplaceOne) {
  const Outcome run = rope({"wavelengths", "--model", "llama-2", "--scaling", "linr"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.err.find("replaces"), std::string::npos) << run.err;
  const Outcome rule = rope({"extend", "--dim", "8", "--from", "64", "--to", "128", "--rule",
                             "yarn:factor=0", "--scaling", "linear:factor=2"});
  EXPECT_EQ(rule.err.substr(0, rule.err.find('\n')),
            "rope extend: --rule yarn: factor: expected a finite number above 0, got 0");
}

}  // namespace
}  // namespace rope::test
