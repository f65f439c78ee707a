// What the pictures of attention show.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "rope/pictures/attention.hpp"

namespace rope {
namespace {

AttentionExample sentence(std::vector<std::string> words, Mask mask = Mask::none) {
  AttentionExample result;
  result.context.rotary = default_embedding(16, 10000);
  result.words = std::move(words);
  result.mask = mask;
  return result;
}

EncodingSpec spec(std::string_view text) { return parse_encoding(text); }

std::vector<std::string> labels(const std::vector<plot::Mark>& marks) {
  std::vector<std::string> texts;
  for (const plot::Mark& mark : marks) texts.push_back(mark.label.bytes());
  return texts;
}

TEST(AttentionPicture, HasWordsOnRowsAndColumnsBesideTheWeightsWithoutPositions) {
  const std::vector<std::string> words = {"dog", "bites", "man"};
  const AttentionWeights study = attention_weights_of(sentence(words), spec("rope"));
  const plot::Figure figure = attention_figure(study);
  ASSERT_EQ(figure.panels.size(), 2U);
  for (const std::size_t i : {0U, 1U}) {
    const plot::HeatMap& map = *figure.panels[i].heat_map;
    EXPECT_EQ(labels(map.row_marks), words);
    EXPECT_EQ(labels(map.column_marks), words);
    const RowMatrix& shown = i == 0 ? study.without : study.weights;
    EXPECT_EQ(map.values, std::vector<double>(shown.data(), shown.data() + shown.size()));
  }
  EXPECT_EQ(attention_figure(attention_weights_of(sentence(words), spec("none"))).panels.size(),
            1U);
}

TEST(AttentionPicture, LeavesHiddenCellsEmpty) {
  const plot::Figure figure = attention_figure(
      attention_weights_of(sentence({"dog", "bites", "man"}, Mask::causal), spec("rope")));
  const std::vector<double>& values = figure.panels[1].heat_map->values;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ(std::isnan(values[3 * i + j]), j > i);
}

TEST(AttentionPicture, CutsLongWordsAndNumbersManyColumns) {
  const auto map_of = [](std::size_t count, const std::string& word) {
    return *attention_figure(
                attention_weights_of(sentence(std::vector<std::string>(count, word)), spec("rope")))
                .panels[0]
                .heat_map;
  };
  const plot::HeatMap few = map_of(5, "internationalisation");
  EXPECT_EQ(few.row_marks[0].label.bytes(), "international…");
  EXPECT_LE(few.column_marks[0].label.bytes().size(), 12U);
  const plot::HeatMap many = map_of(20, "dog");
  EXPECT_EQ(many.row_marks.size(), 20U);
  EXPECT_EQ(many.row_marks[19].label.bytes(), "19 dog") << "numbered as the columns are";
  const plot::HeatMap some = map_of(14, "dog");
  EXPECT_EQ(some.row_marks[3].label.bytes(), "3 dog");
  ASSERT_EQ(some.column_marks.size(), 14U);
  EXPECT_EQ(some.column_marks[13].label.bytes(), "13");
  EXPECT_TRUE(many.column_marks.empty());
  EXPECT_TRUE(map_of(40, "dog").row_marks.empty());
  EXPECT_EQ(map_of(3, "ελληνικά").row_marks[0].label.bytes(), "ελληνικά");
}

TEST(ShuffledPicture, ShowsTheWordsAsTheyStandAndPutBack) {
  const std::vector<EncodingSpec> encodings = {spec("rope"), spec("alibi"), spec("t5")};
  const std::vector<std::size_t> order = {1, 2, 0};
  const ShuffledOrder study = shuffled_order(sentence({"dog", "bites", "man"}), encodings, order);
  const plot::Figure figure = attention_figure(study);
  ASSERT_EQ(figure.columns, 5U);
  ASSERT_EQ(figure.panels.size(), 15U);
  EXPECT_EQ(figure.panels[4].title.bytes(), "T5 bias");
  EXPECT_EQ(figure.panels[5].y.label.bytes(), "A(PX): query");
  EXPECT_EQ(figure.panels[12].x.label.bytes(), "key");
  using Words = std::vector<std::string>;
  EXPECT_EQ(labels(figure.panels[0].heat_map->row_marks), (Words{"dog", "bites", "man"}));
  EXPECT_EQ(labels(figure.panels[5].heat_map->row_marks), (Words{"bites", "man", "dog"}));
  EXPECT_EQ(labels(figure.panels[10].heat_map->row_marks), (Words{"dog", "bites", "man"}));
  const auto row = [&](std::size_t panel) { return figure.panels[panel].heat_map->values; };
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(row(0)[i], row(10)[i], 1e-15);
  EXPECT_NE(row(2), row(12));
  // Under the mask a cell is empty where it is hidden, put back where its words stand.
  for (const std::size_t panel : {1U, 6U, 11U})
    EXPECT_EQ(std::ranges::count_if(row(panel), [](double cell) { return std::isnan(cell); }), 3);
  EXPECT_TRUE(std::isnan(row(1)[2]) && std::isnan(row(6)[2]));
  EXPECT_TRUE(std::isnan(row(11)[3])) << "bites is read before dog";
  EXPECT_FALSE(std::isnan(row(11)[2]));
  const std::vector<std::string> five = {"the", "dog", "bites", "the", "man"};
  const std::vector<std::size_t> back = {4, 3, 2, 1, 0};
  EXPECT_EQ(labels(attention_figure(shuffled_order(sentence(five), encodings, back))
                       .panels[0]
                       .heat_map->column_marks),
            five)
      << "uncut";
}

TEST(RepeatedPicture, HasALineAnEncodingAndTheBound) {
  AttentionExample repeated = sentence(std::vector<std::string>(5, "dog"));
  repeated.layers = 4;
  const std::vector<EncodingSpec> encodings = {spec("rope"), spec("sinusoidal")};
  const RepeatedToken study = repeated_token(repeated, encodings);
  const plot::Figure figure = attention_figure(study);
  const std::vector<plot::Series>& series = figure.panels[0].series;
  ASSERT_EQ(series.size(), 3U);
  EXPECT_EQ(series[1].y, study.curves[1].apart);
  EXPECT_GT(series[0].y.front(), 0) << "0 has no place on a logarithmic axis";
  EXPECT_EQ(series[2].y.back(), study.curves[0].allowed.back());
  EXPECT_EQ(series[2].colour, plot::kGrey);
}

TEST(ShiftedPicture, HasALineWithAndWithoutRotatedValues) {
  const std::vector<EncodingSpec> encodings = {spec("rope")};
  const std::vector<std::int64_t> shifts = {0, 5, 10};
  const ShiftedValues study = shifted_values(sentence({"dog", "bites"}), encodings, shifts);
  const std::vector<plot::Series> series = attention_figure(study).panels[0].series;
  ASSERT_EQ(series.size(), 4U);
  EXPECT_EQ(series[0].label.bytes(), "RoPE");
  EXPECT_EQ(series[1].label.bytes(), "RoPE, V rotated too");
  EXPECT_EQ(series[2].label.bytes(), "RoPE, V rotated and turned back");
  EXPECT_EQ(series[1].y[2], study.curves[1].change[2].error);
  EXPECT_EQ(series[1].x, (std::vector<double>{0, 5, 10}));
}

TEST(EntropyPicture, IsDrawnAgainstTheLogarithmFromLeftToRight) {
  EntropyRequest request;
  request.context.rotary = default_embedding(16, 10000);
  request.lengths = {64, 4, 256};
  request.queries = 5;
  const std::vector<EncodingSpec> encodings = {spec("rope")};
  const AttentionEntropy study = attention_entropy(request, encodings);
  const plot::Figure figure = attention_figure(study);
  ASSERT_EQ(figure.panels.size(), 2U);
  const plot::Series& scaled = figure.panels[0].series[0];
  ASSERT_EQ(scaled.x.size(), 3U);
  EXPECT_NEAR(scaled.x[0], 2, 1e-15);
  EXPECT_NEAR(scaled.x[1], 6, 1e-15);
  EXPECT_NEAR(scaled.x[2], 8, 1e-15);
  EXPECT_EQ(scaled.y[0], study.curves[0].entropy[1]);
  EXPECT_EQ(scaled.y[1], study.curves[0].entropy[0]);
  EXPECT_EQ(scaled.y[2], study.curves[0].entropy[2]);
  EXPECT_EQ(figure.panels[1].series[1].y[0], study.curves[1].top[1]);
  const plot::Series& most = figure.panels[0].series.back();
  EXPECT_EQ(most.x, most.y);
}

}  // namespace
}  // namespace rope
