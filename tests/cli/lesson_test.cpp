// `rope lesson`: steps in two languages, bets and exercises that are judged, the handout.

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/run.hpp"
#include "rope/io/json.hpp"

namespace rope::test {
namespace {

using Words = std::vector<std::string>;

class LessonTest : public CliTest {
 protected:
  Outcome lesson(Words options) {
    options.insert(options.begin(), "lesson");
    return rope(options);
  }

  io::Json steps() { return io::parse_json(lesson({"--json"}).out, "out").at("steps"); }

  void refused(const Words& options, const std::string& message) {
    const Outcome run = lesson(options);
    EXPECT_EQ(run.exit_code, 2) << message;
    EXPECT_EQ(run.err.substr(0, run.err.find('\n')), "rope lesson: " + message);
  }

  /// Answers one thing: what is said of it.
  void answered(const Words& options, int exit_code, const std::string& begin) {
    const Outcome run = lesson(options);
    EXPECT_EQ(run.exit_code, exit_code) << run.out << run.err;
    EXPECT_TRUE(run.out.starts_with(begin)) << run.out;
  }
};

bool to_copy(const std::string& line) { return line.find("rope ") != std::string::npos; }

TEST_F(LessonTest, StepsAreListed) {
  const Outcome all = lesson({});
  EXPECT_EQ(all.exit_code, 0);
  EXPECT_TRUE(all.out.starts_with("16 steps, about ")) << all.out;
  EXPECT_LE(std::ranges::count(all.out, '\n'), 24);
  EXPECT_TRUE(lesson({"--short"}).out.starts_with("10 steps, about 45 minutes.\n"));
  EXPECT_TRUE(lesson({"--short", "--lang", "zh"}).out.starts_with("共 10 步，约 45 分钟。\n"));
}

TEST_F(LessonTest, EveryStepFitsTheScreenInBothLanguages) {
  for (const io::Json& step : steps())
    for (const char* language : {"en", "zh"}) {
      const Words words = {step.at("id"), "--lang", language};
      const Outcome run = lesson(words);
      EXPECT_EQ(run.exit_code, 0) << run.out;
      EXPECT_LE(std::ranges::count(run.out, '\n'), 24) << run.out;
      Words answer = words, exercise = words, notes = words;
      answer.emplace_back("--answer");
      exercise.insert(exercise.end(), {"--exercise", "--answer"});
      notes.emplace_back("--presenter");
      for (const Words& options : {words, answer, exercise, notes}) {
        const Outcome one = lesson(options);
        EXPECT_EQ(one.exit_code, 0) << one.err;
        EXPECT_LE(std::ranges::count(one.out, '\n'), 24) << one.out;
        for (const std::string& line : lines_of(one.out)) {
          EXPECT_TRUE(to_copy(line) || columns_of(line) <= 80U) << line;
          EXPECT_EQ(line.find(" {"), std::string::npos) << line;
        }
      }
    }
}

TEST_F(LessonTest, WhatTheCommandsShowIsWhatTheStepsSay) {
  const auto shows = [&](const io::Json& step, const std::string& command,
                         const std::string& look) {
    const Outcome run = shell(command);
    EXPECT_TRUE(run.exit_code == 0 || run.exit_code == 1 || run.exit_code == 4) << command << '\n'
                                                                                << run.err;
    EXPECT_NE(flowing(run.out).find(flowing(look)), std::string::npos)
        << step.at("id") << ": " << command << " does not show " << look << '\n'
        << run.out;
  };
  for (const io::Json& step : steps()) {
    shows(step, step.at("command"), step.at("look"));
    shows(step, step.at("break").at("command"), step.at("break").at("look"));
    const io::Json& exercise = step.at("exercise");
    const bool rotation = exercise.contains("rotation");
    if (rotation) lesson({step.at("id"), "--exercise", "-o", "wiring.npy"});
    shows(step, exercise.at("command"), exercise.at("look"));
    if (rotation) answered({step.at("id"), "--answer", "y.npy"}, 0, "Right.");
  }
}

TEST_F(LessonTest, AnswersAreJudged) {
  for (const io::Json& step : steps()) {
    char letter = 'a';
    for (const io::Json& choice : step.at("choices")) {
      const std::string typed(1, letter++);
      if (choice.at("right") == true)
        answered({step.at("id"), "--answer", typed}, 0, "Right.");
      else
        answered({step.at("id"), "--answer", typed}, 1, "Not right. ");
    }
    const io::Json& exercise = step.at("exercise");
    if (exercise.contains("rotation")) continue;
    answered({step.at("id"), "--answer", exercise.at("right")}, 0, "Right.");
    for (const io::Json& mistake : exercise.at("mistakes")) {
      const std::string says = mistake.at("says").at("en");
      const Outcome run = lesson({step.at("id"), "--answer", mistake.at("is")});
      EXPECT_EQ(run.exit_code, 1);
      EXPECT_EQ(flowing(run.out), flowing("Not right. " + says));
    }
  }
}

TEST_F(LessonTest, ANumberRightButForItsSignIsNamed) {
  const Outcome turned = lesson({"2", "--answer", "-7.02"});
  EXPECT_EQ(turned.exit_code, 1);
  EXPECT_EQ(flowing(turned.out),
            flowing("Not right. The magnitude is right, but the sign is wrong."));
}

TEST_F(LessonTest, WrongRotationsAreNamed) {
  ASSERT_EQ(lesson({"9", "--exercise", "-o", "wiring.npy"}).exit_code, 0);
  const auto answer = [&](const std::string& options) {
    EXPECT_EQ(shell("rope apply wiring.npy " + options + " -o y.npy").exit_code, 0);
    return lesson({"9", "--answer", "y.npy"});
  };
  EXPECT_EQ(answer("--layout half").out, "Right.\n");
  EXPECT_EQ(answer("--layout half --policy float32").out, "Right.\n");
  const Outcome layout = answer("--layout interleaved");
  EXPECT_EQ(layout.exit_code, 1);
  EXPECT_NE(flowing(layout.out).find("the layout of the pairs (you have interleaved, not half)"),
            std::string::npos)
      << layout.out;
  EXPECT_NE(flowing(answer("--layout half --start 1").out).find("the first position"),
            std::string::npos);
  EXPECT_NE(lesson({"9", "--answer", "wiring.npy"}).out.find("not been rotated"),
            std::string::npos);
  EXPECT_EQ(lesson({"9", "--answer", "none.npy"}).exit_code, 3);
  write("transposed.csv", "1,2\n3,4\n");
  refused({"9", "--answer", "transposed.csv"}, "--answer: expected the shape (6, 8), found (2, 2)");
}

TEST_F(LessonTest, ANumberIsNoLetterOfTheBet) {
  const Outcome number = lesson({"5", "--answer", "4"});
  EXPECT_EQ(number.exit_code, 1);
  EXPECT_NE(
      flowing(number.out).find("read as the answer to rope lesson 5 --exercise; to answer the bet"),
      std::string::npos)
      << number.out;
  EXPECT_EQ(lesson({"5", "--exercise", "--answer", "4"}).out.find("taken for"), std::string::npos);
}

TEST_F(LessonTest, PausesEndWithTheClass) {
  const Outcome run = shell("printf '\\n\\nq\\n' | rope lesson 5 --pause");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_NE(run.out.find("\n  a  "), std::string::npos) << run.out;
  const Outcome early = shell("printf 'q\\n' | rope lesson --short --pause");
  EXPECT_EQ(early.exit_code, 0);
  EXPECT_EQ(std::ranges::count(early.out, '\n') > 9, false) << early.out;
}

TEST_F(LessonTest, WaitsForTheBetOnATerminal) {
  Setting terminal;
  terminal.terminal_columns = 80;
  terminal.keys = "q\n";
  const Outcome bet = rope({"lesson", "5"}, terminal);
  EXPECT_NE(bet.out.find("[Enter: the number; q quits]"), std::string::npos) << bet.out;
  EXPECT_EQ(bet.out.find("Number:"), std::string::npos) << "the class has not bet yet: " << bet.out;
  terminal.keys = "\n\n";
  const Outcome whole = rope({"lesson", "5"}, terminal);
  EXPECT_EQ(whole.exit_code, 0);
  const std::string answer = rope({"lesson", "5", "--answer"}).out;
  EXPECT_LT(whole.out.find("Number:"), whole.out.find("[Enter: the answer; q quits]"));
  EXPECT_TRUE(whole.out.ends_with(answer.substr(answer.rfind("\n\n") + 2))) << whole.out;
  terminal.keys = "";
  for (const std::vector<std::string>& at_once :
       {std::vector<std::string>{"lesson", "5", "--no-pause"},
        {"lesson", "5", "-o", "step.md"},
        {"lesson"},
        {"lesson", "5", "--answer"},
        {"lesson", "5", "--exercise"},
        {"lesson", "5", "--presenter"}})
    EXPECT_EQ(rope(at_once, terminal).out.find("q quits"), std::string::npos) << at_once.back();
}

TEST_F(LessonTest, TheHandoutIsWhole) {
  const Outcome run = lesson({"5", "9", "-o", "class/", "--size", "640x400"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const std::string page = read("class/index.html");
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
  for (const char* part :
       {"id=\"clocks\"", "id=\"two-wirings\"", "data:image/png;base64,iVBOR",
        "<msub><mi>θ</mi><mrow><mi>i</mi></mrow></msub>", "id=\"cards\"", "default-src 'none'"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
  for (const char* none : {"<script", "http://", "https://", "<link"})
    EXPECT_EQ(page.find(none), std::string::npos) << none;
  // What a step settles is said, not only numbered; a minus holds its line together, and a power
  // in brackets is one.
  const Outcome claims = rope({"claims", "S0-35", "--lang", "en"});
  EXPECT_EQ(claims.exit_code, 0) << claims.err;
  for (const char* part : {"<li>S0-35: ", "n&nbsp;−&nbsp;m", "<sup>−1/32</sup>"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
  EXPECT_NE(read("class/lesson.md").find("\n- S0-35: "), std::string::npos);
  EXPECT_TRUE(read("class/pictures/05-clocks.png").starts_with("\x89PNG"));
  EXPECT_TRUE(read("class/wiring.npy").starts_with("\x93NUMPY"));
  const std::string solutions = read("class/solutions.html");
  // The solutions are in a page of their own, and in it alone.
  std::istringstream worked(read("class/solutions.md"));
  std::size_t exercises = 0;
  for (std::string line; std::getline(worked, line);) {
    if (line != "### Exercise") continue;
    std::getline(worked, line);
    std::getline(worked, line);
    const std::size_t answer = line.find("** ");
    const std::string why = answer == std::string::npos ? line : line.substr(answer + 3);
    EXPECT_GT(why.size(), 20U) << line;
    EXPECT_EQ(read("class/lesson.md").find(why), std::string::npos) << why;
    ++exercises;
  }
  EXPECT_EQ(exercises, 2U);
  EXPECT_NE(solutions.find("rope apply wiring.npy"), std::string::npos);
  EXPECT_NE(solutions.find("<li>S0-35 <b>wrong</b> "), std::string::npos);
  for (const char* file : {"class/lesson.md", "class/solutions.md", "class/notes.md"})
    EXPECT_FALSE(read(file).empty()) << file;
  const Outcome quiet = lesson({"5", "-o", "quiet/", "--size", "640x400", "-q"});
  EXPECT_LE(std::ranges::count(quiet.out, '\n'), 2) << quiet.out;
  EXPECT_FALSE(read("quiet/index.html").empty());
  EXPECT_NE(lesson({"5", "-o", "class/index.html/"}).exit_code, 0);
  EXPECT_EQ(lesson({"5", "-o", "room", "--size", "640x400"}).exit_code, 0);
  EXPECT_FALSE(read("room/index.html").empty());
}

TEST_F(LessonTest, WhatIsNoStepOrNoAnswerIsRefused) {
  refused({"17"}, "expected a step from 1 to 16, found '17'");
  refused({"clock"}, "expected a step from 1 to 16, found 'clock'");
  refused({"--answer", "b"}, "an answer belongs to one step, found 16");
  refused({"5", "--answer", "many"}, "--answer: expected a letter or a number, found 'many'");
  refused({"5", "--answer", ""}, "--answer: expected a value, got an empty one");
  refused({"5", "--answer", "z"}, "expected a letter from a to d, found 'z'");
  refused({"-o", "x.png"}, "a picture belongs to one step, found 16");
  refused({"5", "-o", "x.npy"}, "the exercise of step 5 has no vectors");
}

}  // namespace
}  // namespace rope::test
