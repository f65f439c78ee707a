// The steps of data/lesson: every one follows, every mistake planted in one is refused, and answers
// are judged as what they are.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "rope/claims/claim.hpp"
#include "rope/error.hpp"
#include "rope/lesson/answers.hpp"
#include "rope/lesson/shown.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/rotary/rotation.hpp"
#include "support/outcome.hpp"

namespace rope::lesson {
namespace {

constexpr const char* kStep = R"({
  "title": {"zh": "钟", "en": "Clocks"},
  "minutes": 3,
  "numbers": {
    "first": {"measure": "frequencies.turns", "of": {"context": 100, "pairs": 0}, "is": "15.9"},
    "last": {"measure": "frequencies.turns", "of": {"context": 100, "pairs": 63}, "is": "0.00184"}
  },
  "bet": {
    "question": {"zh": "{first} 圈之后？", "en": "Pair 0 turns {first} times. Pair 63?"},
    "choices": [
      {"text": {"zh": "十七", "en": "17 times"}, "thinks": {"zh": "反了", "en": "turned over"}},
      {"text": {"zh": "不到一圈", "en": "less than once"}, "right": true}
    ]
  },
  "say": {"zh": "前面的快。", "en": "The first ones are fast."},
  "formula": "θ_i = b^{−2i/d}",
  "command": "rope wavelengths --dim 128",
  "look": "0.749894",
  "picture": "rope rotate --view clocks --positions 100",
  "number": {"text": {"zh": "{last}", "en": "{last} in 100 tokens"}, "kind": "rounding"},
  "break": {
    "text": {"zh": "差 {off}", "en": "Off by {off}."},
    "command": "rope wavelengths --base 100",
    "look": "FAIL",
    "check": {"measure": "frequencies.turns", "of": {"context": 100, "pairs": 63, "base": 100}, "is": "0.00184"}
  },
  "answer": {"zh": "慢。", "en": "It is slow."},
  "claims": ["S0-35"],
  "presenter": {"zh": "…", "en": "…"},
  "exercise": {
    "ask": {"zh": "三位", "en": "Three digits of pair 3, please."},
    "right": {"measure": "frequencies.turns", "of": {"context": 200, "pairs": 3}, "is": "20.67"},
    "mistakes": [
      {"measure": "frequencies.turns", "of": {"context": 200, "pairs": 4}, "is": "17.90",
       "says": {"zh": "从 0 数", "en": "Pairs count from 0."}}
    ],
    "hint": {"zh": "从 0 数。", "en": "Which pair is the first?"},
    "solution": {"zh": "…", "en": "…"},
    "command": "rope wavelengths",
    "look": "λ"
  }
})";

std::string with(const std::string& old_text, const std::string& new_text) {
  std::string text = kStep;
  const std::size_t at = text.find(old_text);
  EXPECT_NE(at, std::string::npos) << old_text;
  return text.replace(at, old_text.size(), new_text);
}

std::string refused(const std::string& text) {
  const ShownStep shown = with_numbers(read_step(text, "05-clocks"));
  return shown.refused.empty() ? "" : shown.refused.front();
}

TEST(Lesson, EveryStepFollows) {
  ASSERT_GE(steps().size(), 16U);
  std::size_t expected = 1;
  for (const Step& step : steps()) {
    EXPECT_EQ(step.number, expected++);
    for (const std::string& why : with_numbers(step).refused)
      ADD_FAILURE() << step.id << ": " << why;
  }
}

TEST(Lesson, EachDemonstrationAndEachMisunderstandingHasOneStep) {
  std::multiset<int> demonstrations, misunderstandings;
  for (const Step& step : steps()) {
    if (step.demonstration != 0) demonstrations.insert(step.demonstration);
    if (step.misunderstanding) misunderstandings.insert(step.misunderstanding->number);
  }
  const std::multiset<int> ten = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  EXPECT_EQ(demonstrations, ten);
  EXPECT_EQ(misunderstandings, ten);
  EXPECT_EQ(std::ranges::count_if(steps(), &Step::in_short), 10);
}

TEST(Lesson, TheStatementsThatAStepSettlesAreThere) {
  std::set<std::string> ids;
  for (const claims::Article& article : claims::articles())
    for (const claims::Claim& claim : article.claims) ids.insert(claim.id);
  for (const Step& step : steps())
    for (const std::string& id : step.claims) EXPECT_TRUE(ids.contains(id)) << step.id << ' ' << id;
}

TEST(Lesson, NumbersStandInTheTexts) {
  const ShownStep shown = with_numbers(read_step(kStep, "05-clocks"));
  EXPECT_EQ(shown.refused, std::vector<std::string>());
  EXPECT_EQ(shown.step.number, 5U);
  EXPECT_EQ(shown.step.id, "clocks");
  EXPECT_EQ(shown.step.bet.question.en, "Pair 0 turns 15.9 times. Pair 63?");
  EXPECT_EQ(shown.step.convinces.zh, "0.00184");
  EXPECT_EQ(shown.step.broken.text.en, "Off by 0.169.");
  EXPECT_FALSE(shown.broken.holds);
}

TEST(Lesson, AFileThatSaysWhatIsNotSoIsRefused) {
  EXPECT_EQ(refused(with("\"15.9\"", "\"15.8\"")), "first is 15.9, but the file says 15.8");
  EXPECT_EQ(refused(with("\"20.67\"", "\"20.68\"")),
            "the answer to the exercise is 20.67, but the file says 20.68");
  EXPECT_EQ(refused(with("\"17.90\"", "\"17.91\"")),
            "a mistake of the exercise is 17.90, but the file says 17.91");
  EXPECT_EQ(refused(with(", \"base\": 100}", "}")),
            "the break breaks nothing: its check still passes");
  EXPECT_EQ(refused(with("Pair 0 turns {first}", "Pair 0 turns {fist}")),
            "no number is called 'fist'");
  EXPECT_EQ(refused(with("{last} in 100 tokens", "little in 100 tokens")), "");  // zh names it
  EXPECT_EQ(refused(with("It is slow.", "It takes 54410 tokens.")),
            "54410 in «It takes 54410 tokens.» is neither computed nor chosen");
  EXPECT_EQ(refused(with("turned over", "turns 3.5 times")),
            "3.5 in «turns 3.5 times» is neither computed nor chosen");
  EXPECT_EQ(refused(with("\"context\": 200, \"pairs\": 4}, \"is\": \"17.90\"",
                         "\"context\": 200, \"pairs\": 3, \"base\": 10001}, \"is\": \"20.67\"")),
            "20.67 is too close to another answer to the exercise");
  const std::string unnamed =
      with("\"numbers\": {",
           "\"numbers\": {\"more\": {\"measure\": \"frequencies.theta\", \"of\": {\"pairs\": 0}, "
           "\"is\": \"1\"},");
  EXPECT_EQ(refused(unnamed), "no text names {more}");
}

TEST(Lesson, AFileThatIsNoStepIsRefused) {
  const auto message = [](const std::string& text, const std::string& file = "05-clocks") {
    return test::refusal([&] { read_step(text, file); });
  };
  EXPECT_EQ(message(kStep), "accepted");
  EXPECT_EQ(message(kStep, "clocks"),
            "clocks.json: the name of a step must begin with its number: 05-clocks");
  EXPECT_EQ(message(with("\"minutes\": 3,", "")), "05-clocks.json: 'minutes' is missing");
  EXPECT_EQ(message(with("\"minutes\": 3,", "\"minutes\": 3, \"colour\": \"red\",")),
            "05-clocks.json: no field is called 'colour'");
  EXPECT_EQ(message(with("\"rounding\"", "\"certain\"")),
            "05-clocks.json, number: 'kind' must be exact, rounding, seeded or habit");
  EXPECT_EQ(
      message(with(", \"right\": true", "")),
      "05-clocks.json, bet, choices: a choice must either be right or explain under 'thinks' why "
      "it is wrong");
  EXPECT_EQ(message(with("\"right\": true", "\"thinks\": {\"zh\": \"x\", \"en\": \"x\"}")),
            "05-clocks.json, bet: expected two choices or more, one of them right");
  EXPECT_EQ(message(with("\"is\": \"15.9\"", "\"is\": \"many\"")), "'many' is not a number");
}

TEST(Lesson, BetsAreJudged) {
  const Step step = read_step(kStep, "05-clocks");
  EXPECT_TRUE(judge_bet(step.bet, "b").right);
  EXPECT_TRUE(judge_bet(step.bet, "B").right);
  const Judgement wrong = judge_bet(step.bet, "a");
  EXPECT_FALSE(wrong.right);
  EXPECT_EQ(wrong.says.en, "turned over");
  for (const char* none : {"c", "", "ab", "1", "@"})
    EXPECT_THROW(judge_bet(step.bet, none), DomainError) << none;
}

TEST(Lesson, NumbersAreJudged) {
  const Exercise exercise = read_step(kStep, "05-clocks").exercise;
  for (const char* right : {"20.67", "20.7", "20.6", "+20.67", "20.6707", "2.067e1"})
    EXPECT_TRUE(judge_number(exercise, right).right) << right;
  const Judgement few = judge_number(exercise, "21");
  EXPECT_FALSE(few.right);
  EXPECT_TRUE(few.undecided);
  EXPECT_EQ(few.says.en, "Too few digits to decide: give 3 significant digits.");
  EXPECT_EQ(judge_number(exercise, "17.9").says.en, "Pairs count from 0.");
  EXPECT_EQ(judge_number(exercise, "20.4").says.en,
            "It is not one of the usual mistakes either. Hint: Which pair is the first?");
  EXPECT_EQ(judge_number(exercise, "20.4").says.zh, "也不是常见的那几种错误。提示：从 0 数。");
  EXPECT_FALSE(judge_number(exercise, "−20.67").right);
  EXPECT_EQ(judge_number(exercise, "18").says.en,
            "It is not one of the usual mistakes either. Hint: Which pair is the first?")
      << "two digits are too few to accuse anybody";
  Exercise whole = exercise;
  whole.right->is = "897";
  whole.mistakes.front().is = "4096";
  EXPECT_TRUE(judge_number(whole, "897").right);
  EXPECT_FALSE(judge_number(whole, "896").right);
  EXPECT_FALSE(judge_number(whole, "897.5").right);
  EXPECT_EQ(judge_number(whole, "4096").says.en, "Pairs count from 0.");
  EXPECT_FALSE(judge_number(whole, "4095").says.en == "Pairs count from 0.");
  for (const char* none : {"many", "", "nan", "inf", "20,67"})
    EXPECT_THROW(judge_number(exercise, none), DomainError) << none;
}

class LessonRotation : public testing::Test {
 protected:
  static std::vector<float> rotated(const RotaryEmbedding& embedding, std::int64_t offset,
                                    double direction = 1) {
    const RotationExample example = example_of(kTask);
    std::vector<float> y;
    for (std::size_t m = 0; m < kTask.positions; ++m) {
      const auto first = example.x.begin() + static_cast<std::ptrdiff_t>(m * kTask.dim);
      std::vector<double> x(first, first + static_cast<std::ptrdiff_t>(kTask.dim));
      RotationRow row = rotation_row(embedding, static_cast<std::int64_t>(m) + offset);
      if (direction < 0) transpose(row);
      rotate_elementwise(embedding, row, x, x);
      y.insert(y.end(), x.begin(), x.end());
    }
    return y;
  }

  inline static const RotationTask kTask = {8, 10000, "half", 6, 9};
};

TEST_F(LessonRotation, IsJudged) {
  const auto half = default_embedding(8, 10000, PairLayout::half);
  EXPECT_TRUE(judge_rotation(kTask, rotated(half, 0)).right);
  const auto says = [](const std::vector<float>& y) {
    const Judgement judgement = judge_rotation(kTask, y);
    EXPECT_FALSE(judgement.right);
    return judgement.says.en;
  };
  const std::string other = "That follows another convention. What differs: ";
  EXPECT_EQ(says(rotated(default_embedding(8, 10000), 0)),
            other + "the layout of the pairs (you have interleaved, not half).");
  EXPECT_EQ(says(rotated(half, 0, -1)),
            other + "the direction of the turn (you have −mθ, not +mθ).");
  EXPECT_EQ(says(rotated(half, 1)), other + "the first position (you have 1, not 0).");
  EXPECT_EQ(says(rotated(default_embedding(8, 500000, PairLayout::half), 0)),
            other + "the frequencies (you have base 500000, not base 10000).");
  EXPECT_EQ(says(example_of(kTask).x), "These vectors have not been rotated.");
  std::vector<float> one_wrong = rotated(half, 0);
  one_wrong[8] += 0.5F;
  EXPECT_TRUE(
      says(one_wrong).starts_with("Wrong, and it is not a rotation by another convention either. "
                                  "First difference: pair 0 at position 1 is ("))
      << says(one_wrong);
  std::vector<float> nan = rotated(half, 0);
  nan[9] = std::nanf("");
  EXPECT_EQ(says(nan), "The file contains a NaN or an infinity.");
  std::vector<float> narrow = rotated(half, 0);
  for (float& number : narrow)
    number = static_cast<float>(round_to(Format::float16, static_cast<double>(number)));
  EXPECT_EQ(
      says(narrow),
      "The rotation is right, but its numbers have only the precision of float16: write float32.");
  EXPECT_THROW(judge_rotation(kTask, std::vector<float>(40)), ShapeError);
}

TEST(Lesson, ANumberHasTheDigitsOfAnother) {
  EXPECT_EQ(as_written(0.86596, "0.123"), "0.866");
  EXPECT_EQ(as_written(-6.911728, "-6.91"), "−6.91");
  EXPECT_EQ(as_written(-0.0004, "0.00"), "0.00");
  EXPECT_EQ(as_written(1.94e-13, "1.9e-13"), "1.9e-13");
  EXPECT_EQ(as_written(769, "769"), "769");
}

}  // namespace
}  // namespace rope::lesson
