// Files say which command made them, wherever their format has a place for it, and nothing that
// differs between two runs or two machines.

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cli/run.hpp"

namespace rope::test {
namespace {

using Words = std::vector<std::string>;

/// What a file says that the command made.
std::string made_by(const std::string& command) { return "rope " ROPE_VERSION ": " + command; }

std::uint32_t big_endian_at(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value = value << 8U | static_cast<unsigned char>(bytes.at(at + i));
  return value;
}

/// What stands between the first of two texts and the second that follows it.
std::string between(const std::string& bytes, const std::string& begin, const std::string& end) {
  const std::size_t from = bytes.find(begin);
  if (from == std::string::npos) return "nothing behind " + begin;
  return bytes.substr(from + begin.size(),
                      bytes.find(end, from + begin.size()) - from - begin.size());
}

/// The comment of a PNG, which is whole from chunk to chunk.
std::string comment_of_png(const std::string& png) {
  const std::string keyword("Comment\0\0\0\0\0", 12);
  std::string comment;
  std::size_t at = 8;
  while (at + 12 <= png.size()) {
    const std::size_t length = big_endian_at(png, at);
    const std::string content = png.substr(at + 8, length);
    if (png.substr(at + 4, 4) == "iTXt" && content.starts_with(keyword))
      comment += content.substr(keyword.size());
    at += 12 + length;
  }
  EXPECT_EQ(at, png.size());
  return comment;
}

/// The comment of a GIF, of blocks with their length before them.
std::string comment_of_gif(const std::string& gif) {
  std::string comment;
  std::size_t at = gif.rfind("!\xFE");
  if (at == std::string::npos) return "none";
  for (at += 2; gif.at(at) != '\0';) {
    const auto length = static_cast<unsigned char>(gif[at]);
    comment += gif.substr(at + 1, length);
    at += 1U + length;
  }
  EXPECT_EQ(gif.substr(at), std::string("\0;", 2));
  return comment;
}

/// What a file says of where it comes from.
std::string origin_in(const std::string& name, const std::string& bytes) {
  const std::string ending = name.substr(name.rfind('.') + 1);
  if (ending == "tex") return between(bytes, "% ", "\n");
  if (ending == "md") return between(bytes, "<!-- ", " -->\n\n");
  if (ending == "gp") return between(bytes, "# ", "\n");
  if (ending == "svg") return between(bytes, "<desc>", "; drawn by GNUPLOT ");
  if (ending == "pdf") return between(bytes, "/Creator (", ")\n");
  if (ending == "gif") return comment_of_gif(bytes);
  return comment_of_png(bytes);
}

class OriginTest : public CliTest {
 protected:
  void run(const Words& words) {
    const Outcome run = rope(words);
    EXPECT_EQ(run.exit_code, 0) << run.err;
  }

  /// Runs a line, and then the line that its file names: both say and write the same.
  void expect_the_same_again(const std::string& line, const std::string& ending) {
    SCOPED_TRACE(line);
    const Outcome first = shell("rope " + line + " -o a." + ending);
    EXPECT_NE(first.exit_code, 2) << first.err;
    const std::string origin = origin_in("a." + ending, read("a." + ending));
    ASSERT_TRUE(origin.starts_with(made_by("rope "))) << origin;
    const Outcome again = shell(origin.substr(made_by("").size()) + " -o b." + ending);
    EXPECT_EQ(again.exit_code, first.exit_code) << origin << again.err;
    EXPECT_TRUE(read("a." + ending) == read("b." + ending)) << origin;
  }
};

TEST_F(OriginTest, EveryFormatWithAPlaceForItNamesTheCommand) {
  run({"decay", "--base=10000", "--dim", "64", "-q", "-o", "a.tex", "-o", "a.md", "-o", "a.png",
       "-o", "a.svg", "-o", "a.pdf", "-o", "a.gp"});
  for (const char* file : {"a.tex", "a.md", "a.png", "a.svg", "a.pdf", "a.gp"})
    EXPECT_EQ(origin_in(file, read(file)), made_by("rope decay --dim 64 --base 10000 --seed 42"))
        << file;
  run({"rotate", "--animate", "--positions", "0:2", "-o", "b.png", "-o", "b.gif"});
  for (const char* file : {"b.png", "b.gif"})
    EXPECT_EQ(origin_in(file, read(file)),
              made_by("rope rotate --positions 0:2 --animate --seed 42"))
        << file;
  // A picture that another command draws names that one.
  run({"lesson", "5", "-o", "c.svg"});
  EXPECT_EQ(origin_in("c.svg", read("c.svg")),
            made_by("rope rotate --positions 100 --view clocks --size 1920x1080 --seed 42"));
  run({"wavelengths", "-q"});  // nor does a file need a name that was given
  EXPECT_EQ(origin_in("wavelengths.png", read("wavelengths.png")), made_by("rope wavelengths"));
}

TEST_F(OriginTest, TheSameQuestionGivesTheSameBytes) {
  const Words formats = {"tex", "md", "png", "svg", "pdf", "gp", "csv", "json"};
  Words one = {"decay", "--dim", "64", "--base", "500"};
  Words other = {"decay",   "-q",     "--base=500", "--cpu-level", "baseline",
                 "--color", "always", "--dim",      "64"};
  for (const std::string& format : formats) {
    one.insert(one.end(), {"-o", "a." + format});
    other.insert(other.end(), {"--output", path("b." + format)});
  }
  run(one);
  run(other);
  for (const std::string& format : formats)
    EXPECT_TRUE(read("a." + format) == read("b." + format)) << format;
}

TEST_F(OriginTest, TheLineMakesTheSameFileAgain) {
  run({"apply", "--golden", "t_", "-q", "--dim", "8"});
  write("config.json", R"({"model_type": "llama", "rope_theta": 500000, "head_dim": 64,
                           "hidden_size": 512, "num_attention_heads": 8,
                           "max_position_embeddings": 8192})");
  for (const std::string& line :
       Words{"decay --base 10000,500000 --relative",
             "decay --axes 32,32 --map",
             "wavelengths --model llama-3.2-1b",
             "wavelengths --config config.json --context 64",
             "verify --trials 20 --seed 7",
             "verify --query 1,2 --key 3,-4 --dim 2 --positions 5,2",
             "verify t_x.npy t_y.npy --positions t_positions.npy",
             "rotate --primer euler",
             "rotate --distance -3 --positions 0:4",
             "score --view curve --dim 8",
             "score --query 1,0 --key 0,1 --dim 2",
             "matrix --dim 4 --positions 1,5",
             "extend --rule yarn,linear --to 16k",
             "compare --encoding rope,alibi --tokens 8",
             "attention --text 'the dog'",
             "inspect llama-3.1-8b --details",
             "inspect llama-3.1-8b llama-3.2-1b",
             "apply t_x.npy --start 3 --dim 8",
             "precision --max-position 64 --policy float32",
             "claims S0-35",
             "glossary base",
             "diagnose t_x.npy t_y.npy --positions t_positions.npy --dim 8"})
    expect_the_same_again(line, "tex");
  expect_the_same_again("wavelengths --dim 8 --title=--dim --style dark", "svg");
}

TEST_F(OriginTest, HoldsWhateverWasTyped) {
  const std::string title = "a --> & <θ> (\\) 'q'\n%\xff\U0001F642";
  run({"wavelengths", "--title", title, "-o", "a.tex", "-o", "a.md", "-o", "a.png", "-o", "a.svg",
       "-o", "a.pdf", "-o", "a.gp"});
  const std::string line =
      made_by("rope wavelengths --title 'a --> & <θ> (\\) '\\''q'\\''\\x0a%\\xff\U0001F642'");
  for (const char* file : {"a.tex", "a.png", "a.gp"})
    EXPECT_EQ(origin_in(file, read(file)), line) << file;
  EXPECT_NE(read("a.md").find(" --title 'a --&gt; & <θ>"), std::string::npos) << read("a.md");
  EXPECT_NE(read("a.svg").find(" --title 'a --&gt; &amp; &lt;θ&gt; ("), std::string::npos);
  // θ and what stands beyond the first 2^16 characters, in UTF-16.
  const std::string creator = between(read("a.pdf"), "/Creator <FEFF", ">\n");
  EXPECT_NE(creator.find("003C03B8003E"), std::string::npos) << creator;
  EXPECT_TRUE(creator.ends_with("D83DDE420027")) << creator;
}

TEST_F(OriginTest, NamesNoFolderOfTheMachine) {
  write("config.json", R"({"model_type": "llama", "rope_theta": 500000, "head_dim": 64})");
  write("short.txt", "1\n1\n1\n1\n");
  run({"wavelengths", "--config", path("config.json"), "-o", path("a.tex")});
  EXPECT_EQ(origin_in("a.tex", read("a.tex")), made_by("rope wavelengths --config config.json"));
  run({"wavelengths", "--dim", "8", "--scaling",
       "longrope:short=@" + path("short.txt") + ",long=@" + path("short.txt") +
           ",original=64,factor=4",
       "--title", "/a/b", "-o", "b.gp"});
  EXPECT_EQ(origin_in("b.gp", read("b.gp")),
            made_by("rope wavelengths --dim 8 --scaling "
                    "longrope:short=@short.txt,long=@short.txt,original=64,factor=4 --title /a/b"));
}

}  // namespace
}  // namespace rope::test
