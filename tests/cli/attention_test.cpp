// `rope attention`: each view's answer, its documents, and what it refuses.

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/run.hpp"
#include "rope/io/csv.hpp"
#include "rope/io/json.hpp"

namespace rope::test {
namespace {

using Words = std::vector<std::string>;

class AttentionTest : public CliTest {
 protected:
  io::Json document(Words options) {
    options.insert(options.begin(), "attention");
    options.emplace_back("--json");
    const Outcome run = rope(options);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    io::Json json = io::parse_json(run.out, "out");
    EXPECT_EQ(json.at("schema"), "rope.attention/1");
    return json;
  }

  std::string answer(Words options) {
    options.insert(options.begin(), "attention");
    const Outcome run = rope(options);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return flowing(run.out);
  }

  void refused(Words options, const std::string& message) {
    options.insert(options.begin(), "attention");
    const Outcome run = rope(options);
    EXPECT_EQ(run.exit_code, 2) << message;
    EXPECT_EQ(run.out, "") << message;
    EXPECT_EQ(run.err.substr(0, run.err.find('\n')), "rope attention: " + message);
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 2) << run.err;
    EXPECT_EQ(files(), Words{});
  }
};

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(AttentionTest, WeightsAddUpToOneInTheirDocument) {
  const io::Json json = document({"--text", "the dog bites the man", "--mask", "causal"});
  EXPECT_EQ(json.at("view"), "weights");
  EXPECT_EQ(json.at("words"), (Words{"the", "dog", "bites", "the", "man"}));
  EXPECT_EQ(json.at("encoding"), "rope");
  EXPECT_EQ(json.at("mask"), "causal");
  EXPECT_EQ(json.at("row_sums").at("explained"), true);
  const std::vector<std::vector<double>> weights = json.at("weights");
  ASSERT_EQ(weights.size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < 5; ++j) {
      sum += weights[i][j];
      EXPECT_EQ(weights[i][j] == 0, j > i);
      EXPECT_EQ(json.at("scores").at(i).at(j).is_null(), j > i) << "hidden";
    }
    EXPECT_NEAR(sum, 1, 1e-14);
  }
}

TEST_F(AttentionTest, TableAndCsvHoldTheSameWeights) {
  const Outcome run = rope({"attention", "--text", "dog bites man", "-o", "w.csv"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const io::CsvTable table = io::parse_csv(read("w.csv"), "w.csv");
  EXPECT_EQ(table.rows(), 9U);
  std::ostringstream weight;
  weight.precision(4);
  weight << std::fixed << table.numbers(table.column("weight")).at(5);
  EXPECT_TRUE(holds(run.out, weight.str())) << weight.str() << "\n" << run.out;
}

TEST_F(AttentionTest, ALongTextIsSummedUpByQuery) {
  std::string text;
  for (int i = 0; i < 40; ++i) text += " word" + std::to_string(i % 7);
  const Outcome run = rope({"attention", "--text", text});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_LE(std::ranges::count(run.out, '\n'), 24) << run.out;
  EXPECT_TRUE(holds(run.out, "Not shown: 30 of the queries; --details shows all.")) << run.out;
  EXPECT_TRUE(holds(rope({"attention", "--text", text, "--details"}).out, "\n  39 word4"));
}

TEST_F(AttentionTest, EveryAnswerHasAtMost24Lines) {
  for (const char* view : {"weights", "shuffle", "repeat", "values", "entropy"}) {
    const Outcome run = rope({"attention", "--view", view});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_LE(std::ranges::count(run.out, '\n'), 24) << run.out;
  }
  const Outcome seven =
      rope({"attention", "--text", "one two three four five six seven", "--mask", "causal"});
  EXPECT_LE(std::ranges::count(seven.out, '\n'), 24) << seven.out;
  for (const char* view : {"shuffle", "values", "repeat"})
    for (const char* encodings :
         {"alibi", "rope,alibi,sinusoidal", "alibi,sinusoidal,xpos,t5,learned,rope"}) {
      Words call = {"attention", "--view", view, "--encoding", encodings};
      if (call[2] != "repeat")
        call.insert(call.end(), {"--text", "the dog bites the man beside the dog"});
      const Outcome run = rope(call);
      EXPECT_LE(std::ranges::count(run.out, '\n'), 24) << run.out;
    }
  EXPECT_EQ(files(), Words{});
}

TEST_F(AttentionTest, DetailsShowWhatIsLeftOut) {
  const Words seven = {"--text", "one two three four five six seven"};
  for (Words call : {seven, Words{"--view", "weights"}, Words{"--view", "shuffle"},
                     Words{"--view", "values"}, Words{"--view", "repeat", "--layers", "20"},
                     Words{"--view", "entropy", "--queries", "3"}}) {
    const std::size_t brief = answer(call).size();
    call.emplace_back("--details");
    EXPECT_GT(answer(call).size(), brief) << call[1];
  }
  Words all = seven;
  EXPECT_FALSE(holds(answer(all), "No positions"));
  all.emplace_back("--details");
  EXPECT_TRUE(holds(answer(all), "No positions"));
}

TEST_F(AttentionTest, DogBitesManIsManBitesDogWithoutPositions) {
  const io::Json json = document({"--view", "shuffle"});
  EXPECT_EQ(json.at("words"), (Words{"dog", "bites", "man"}));
  EXPECT_EQ(json.at("shuffled"), (Words{"man", "bites", "dog"}));
  const io::Json& cases = json.at("cases");
  ASSERT_EQ(cases.size(), 3U);
  for (const char* found : {"moved", "outputs", "one_query", "pooled"})
    EXPECT_EQ(cases[0].at(found).at("explained"), true) << found;
  EXPECT_EQ(cases[0].at("in_place").at("explained"), false);
  for (const std::size_t other : {1U, 2U})
    EXPECT_EQ(cases[other].at("outputs").at("explained"), false);
  EXPECT_TRUE(holds(answer({"--view", "shuffle"}),
                    "Without positions, each word gets the same output in \"dog bites man\" as in "
                    "\"man bites dog\", to within "));
}

TEST_F(AttentionTest, SaysWhatIsExact) {
  const std::string shifted = answer({"--view", "values", "--encoding", "t5"});
  EXPECT_TRUE(holds(shifted, "changes no output, exactly.")) << shifted;
  EXPECT_TRUE(holds(answer({"--text", "dog man", "--dim", "2"}), "adds up to exactly 1."));
}

TEST_F(AttentionTest, NamesBothSidesOfAnAverage) {
  const std::string self = answer({});
  EXPECT_TRUE(self.starts_with("RoPE moves attention: \"dog\" at position 0 gives 0.")) << self;
  EXPECT_TRUE(holds(self, " of its attention to itself, but 0.")) << self;
  EXPECT_TRUE(holds(self, " without positions. No other weight changes more.")) << self;
}

TEST_F(AttentionTest, ReadBackwardsIsSeenOnlyByWhatKnowsTheSignOfADistance) {
  EXPECT_TRUE(holds(answer({"--view", "shuffle", "--encoding", "alibi"}),
                    "With ALiBi, outputs stay the same in this order."));
  EXPECT_TRUE(
      holds(answer({"--view", "shuffle", "--encoding", "alibi"}), "Reversing the words changes "));
  const std::string other =
      answer({"--view", "shuffle", "--encoding", "alibi", "--shuffled", "bites dog man"});
  EXPECT_TRUE(holds(other, "Outputs change with ALiBi by up to ")) << other;
  EXPECT_FALSE(holds(other, "Reversing the words changes "));
}

TEST_F(AttentionTest, ReadBackwardsIsTheReversalOfEqualWordsToo) {
  for (const auto& [text, order] :
       {std::pair(std::string("dog dog man"), std::vector<int>{2, 1, 0}),
        std::pair(std::string("the dog bites the man"), std::vector<int>{4, 3, 2, 1, 0})}) {
    const Words call = {"--view", "shuffle", "--text", text, "--encoding", "alibi"};
    const io::Json json = document(call);
    EXPECT_EQ(json.at("order"), order) << text;
    EXPECT_EQ(json.at("cases")[2].at("outputs").at("explained"), true) << text;
    EXPECT_TRUE(holds(answer(call), "With ALiBi, outputs stay the same in this order.")) << text;
    EXPECT_FALSE(holds(answer(call), "Equal words are matched in order: the first with the first"))
        << text;
  }
  const Words given = {"--view", "shuffle", "--text", "dog dog man", "--shuffled", "man dog dog"};
  EXPECT_EQ(document(given).at("order"), (std::vector<int>{2, 0, 1}));
  EXPECT_TRUE(holds(answer(given), "Equal words are matched in order: the first with the first"));
}

TEST_F(AttentionTest, EqualTokensStayEqualUnlessPositionsAreAddedToThem) {
  const io::Json curves = document({"--view", "repeat"}).at("curves");
  ASSERT_EQ(curves.size(), 2U);
  EXPECT_EQ(curves[0].at("encoding"), "rope");
  EXPECT_EQ(curves[0].at("explained"), true);
  EXPECT_LT(curves[0].at("difference").back(), 1e-13);
  EXPECT_EQ(curves[1].at("encoding"), "sinusoidal");
  EXPECT_EQ(curves[1].at("added_to_tokens"), true);
  EXPECT_GT(curves[1].at("difference").back(), 1.0);
  EXPECT_EQ(curves[0].at("difference").size(), 7U);
  EXPECT_TRUE(holds(answer({"--view", "repeat", "--tokens", "4", "--layers", "2"}),
                    "With RoPE, 4 equal tokens are still equal after 2 layers, to within "));
}

TEST_F(AttentionTest, AShiftIsSeenWhereValuesAreRotated) {
  const io::Json json = document({"--view", "values", "--shift", "250"});
  EXPECT_EQ(json.at("shift").size(), 101U);
  EXPECT_EQ(json.at("shift").front(), 0);
  EXPECT_EQ(json.at("shift").back(), 250);
  EXPECT_EQ(json.at("curves")[0].at("values_rotated"), false);
  EXPECT_EQ(json.at("curves")[2].at("turned_back"), true);
  EXPECT_LT(json.at("curves")[2].at("change").back(), json.at("curves")[2].at("allowed").back());
  EXPECT_LT(json.at("curves")[0].at("change").back(), json.at("curves")[0].at("allowed").back());
  EXPECT_GT(json.at("curves")[1].at("change").back(), 0.5);
  const Words few = {"--view", "values", "--shift", "3"};
  EXPECT_EQ(document(few).at("shift"), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(document({"--view", "values", "--shift", "4503599627370496"}).at("shift").back(),
            4503599627370496);
}

TEST_F(AttentionTest, EntropyFollowsItsOptions) {
  const Words base = {"--view", "entropy", "--lengths", "8,32", "--queries", "4"};
  const auto with = [&](Words more) {
    more.insert(more.begin(), base.begin(), base.end());
    return document(more);
  };
  EXPECT_EQ(with({}).at("curves").size(), 2U);
  EXPECT_EQ(with({"--scores", "unscaled"}).at("curves")[0].at("scaled"), false);
  EXPECT_EQ(with({"--encoding", "rope,alibi"}).at("curves").size(), 4U);
  EXPECT_EQ(with({}).at("keys"), (std::vector<int>{8, 32}));
  EXPECT_EQ(with({}), with({}));
  EXPECT_NE(with({}), with({"--seed", "7"}));
}

TEST_F(AttentionTest, AModelSetsTheHead) {
  const io::Json json = document({"--model", "llama-3.1-8b"});
  EXPECT_EQ(json.at("rotary").at("head_dim"), 128);
  EXPECT_EQ(json.at("rotary").at("base"), 500000);
  EXPECT_EQ(document({"--dim", "2"}).at("rotary").at("head_dim"), 2);
}

TEST_F(AttentionTest, CsvHasARowAQuantity) {
  for (const auto& [view, first] :
       {std::pair("shuffle", "encoding,mask,moved,moved_allowed,in_place,"),
        std::pair("repeat", "layer,difference[rope],difference[sinusoidal],allowed\n0,0,"),
        std::pair("values",
                  "shift,change[rope],allowed[rope],change_values_rotated[rope],"
                  "change_turned_back[rope],allowed_turned_back[rope]\n0,0,"),
        std::pair("entropy", "keys,log2_keys,entropy[rope],top[rope],entropy_unscaled[rope],")}) {
    const Outcome run = rope({"attention", "--view", view, "-o", "-", "--format", "csv"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_TRUE(run.out.starts_with(first)) << run.out.substr(0, 200);
  }
}

TEST_F(AttentionTest, EveryViewHasAPicture) {
  for (const char* view : {"weights", "shuffle", "repeat", "values", "entropy"}) {
    const Outcome run = rope({"attention", "--view", view, "-o", std::string(view) + ".png"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run.err, "");
  }
  EXPECT_EQ(files().size(), 5U);
  const Outcome shown = rope({"attention", "--show"});
  EXPECT_TRUE(holds(shown.out, "bites")) << shown.out;
}

TEST_F(AttentionTest, WordsOfAnyScriptArePrintedAndControlCharactersRefused) {
  const Outcome run = rope({"attention", "--text", "狗 咬\t人\n", "--json"});
  EXPECT_EQ(io::parse_json(run.out, "out").at("words"), (Words{"狗", "咬", "人"}));
  refused({"--text", "dog\x1b[31m man"},
          "--text: expected words in UTF-8 without control characters, got 'dog\\x1b[31m man'");
  refused({"--text", "dog \xff man"},
          "--text: expected words in UTF-8 without control characters, got 'dog \\xff man'");
}

TEST_F(AttentionTest, RefusesTextsOfNoUse) {
  refused({"--text", ""}, "--text: expected at least one word, got ''");
  refused({"--text", " \t "}, "--text: expected at least one word, got ' \\x09 '");
  std::string thousand;
  for (int i = 0; i < 1000; ++i) thousand += "word ";
  refused({"--text", thousand}, "--text: expected at most 256 words, got 1000");
  refused({"--view", "shuffle", "--text", "dog"},
          "--text: expected at least two words to shuffle, got 'dog'");
  refused({"--view", "shuffle", "--shuffled", "man bites cat"},
          "--shuffled: expected the words of --text in another order, got 'man bites cat'");
  refused({"--view", "repeat", "--text", "dog bites"},
          "--text: expected one word to repeat, got 2 words");
}

TEST_F(AttentionTest, RefusesOptionsThatTheViewWouldIgnore) {
  refused({"--shift", "5"}, "--shift: expected --view values with it, got --view weights");
  refused({"--view", "entropy", "--text", "dog"},
          "--text: expected --view weights, shuffle, repeat or values with it, got --view "
          "entropy");
  refused({"--view", "values", "--layers", "2"},
          "--layers: expected --view weights or repeat with it, got --view values");
  refused({"--queries", "2"}, "--queries: expected --view entropy with it, got --view weights");
}

TEST_F(AttentionTest, RefusesWhatIsOutOfRange) {
  refused({"--encoding", "ropee"},
          "--encoding: expected none, sinusoidal, learned, shaw, transformer-xl, t5, alibi, rope, "
          "partial-rope, p-rope, xpos, rerope or leaky-rerope, got 'ropee'");
  refused({"--encoding", "rope,alibi"}, "--encoding: expected one encoding in this view, got 2");
  refused({"--view", "repeat", "--encoding", "t5,t5:buckets=32"},
          "--encoding: expected different encodings, got t5:buckets=32 twice");
  refused({"--dim", "1024"}, "--dim: expected a head size of at most 512 here, got 1024");
  refused({"--dim", "7"}, "--dim: expected an even integer from 2 to 65536, got '7'");
  refused({"--layers", "0"}, "--layers: expected an integer from 1 to 64, got '0'");
  refused({"--view", "entropy", "--lengths", "0"},
          "--lengths: expected from 1 to 65536 keys of 128 numbers, got 0");
  EXPECT_TRUE(holds(rope({"attention", "--view", "entropy", "--lengths", "0"}).err,
                    "Attention needs at least one key."));
  refused({"--view", "entropy", "--lengths", "65537"},
          "--lengths: expected from 1 to 65536 keys of 128 numbers, got 65537");
  refused({"--view", "entropy", "--lengths", "1:100"},
          "--lengths: expected at most 64 lengths, got 100");
  refused({"--view", "values", "--shift", "0"},
          "--shift: expected an integer from 1 to 2^52, got '0'");
}

TEST_F(AttentionTest, ScriptsWithCellsThatAreHiddenMakeGnuplotSayNothing) {
  for (const char* line : {"attention --view shuffle", "attention --mask causal --text 'a b c d'",
                           "compare rope alibi --mask causal"}) {
    const Outcome run =
        shell("rope " + std::string(line) + " -o o.gp > out && gnuplot o.gp > o.png");
    EXPECT_EQ(run.exit_code, 0) << line;
    EXPECT_EQ(run.err, "") << line;
  }
}

}  // namespace
}  // namespace rope::test
