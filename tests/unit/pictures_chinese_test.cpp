// The words of pictures in Chinese: how a text finds its entry, and what the entries must be like.

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "rope/error.hpp"
#include "rope/io/json.hpp"
#include "rope/language/said.hpp"
#include "rope/model/presets.hpp"
#include "rope/pictures/chinese.hpp"
#include "rope/pictures/wavelengths.hpp"
#include "rope/plot/utf8.hpp"
#include "rope/scaling/scaling.hpp"
#include "rope/words/embedding_text.hpp"
#include "support/english_words.hpp"

namespace rope {
namespace {

io::Json chinese_document() {
  const auto file = std::ranges::find(word_files(), "pictures.zh", &io::DataFile::name);
  return io::parse_json(file->text, "words");
}

/// Of the text and of the vision part.
std::vector<LayerRope> every_layer(const std::string& preset) {
  ModelRope model = preset_model(preset);
  if (model.vision) model.layers.push_back(*std::move(model.vision));
  return std::move(model.layers);
}

plot::Figure wavelengths() {
  RotaryVariant one{"", default_embedding(16, 10000), Spacing::geometric};
  one.context = one.reach = 4096;
  return wavelengths_figure(std::vector{one});
}

TEST(Dictionary, TranslatesTheTextAndItsParts) {
  const Dictionary words(R"({"{}, {}": "{}，{}", "base {}": "底数 {}", "new": "新",
                             "from {} to {}": "到 {1}，从 {0}"})");
  EXPECT_EQ(words.translated("base 10000"), "底数 10000");
  EXPECT_EQ(words.translated("new, base 10000, m = 3"), "新，底数 10000，m = 3");
  EXPECT_EQ(words.translated("from new to 5"), "到 5，从 新");
  EXPECT_EQ(words.translated("old"), "old");
  EXPECT_EQ(words.translated("base "), "base ");
  EXPECT_EQ(words.translated(""), "");
}

TEST(Dictionary, PrefersTheEntryWithMostLetters) {
  const Dictionary words(R"({"pair {}": "第 {} 对", "pair {}: {} turns": "第 {} 对：{} 圈"})");
  EXPECT_EQ(words.translated("pair 7: 1.5 turns"), "第 7 对：1.5 圈");
}

TEST(Dictionary, PartsNothingWithinBrackets) {
  const Dictionary words(R"({"{}, {}": "{}，{}", "{} of {}": "{1} 的 {0}"})");
  EXPECT_EQ(words.translated("q = (1, 2), k = ⟨1, 2⟩, e^{1, 2}"),
            "q = (1, 2)，k = ⟨1, 2⟩，e^{1, 2}");
}

TEST(Dictionary, ReachesAcrossNoSemicolonAndWithItsFirstPartNoComma) {
  const Dictionary words(R"({"{}; {}": "{}；{}", "{} from {}": "{1} 中的 {0}", "{}, {}": "{}，{}",
                             "{}, {} by {}": "{1} 为 {2} 的 {0}", "of {}": "之 {}"})");
  EXPECT_EQ(words.translated("q from x; a"), "x 中的 q；a");
  EXPECT_EQ(words.translated("q from x, a"), "x 中的 q，a");
  EXPECT_EQ(words.translated("q from (x, a)"), "(x, a) 中的 q");
  EXPECT_EQ(words.translated("q, 3 by 4"), "3 为 4 的 q");
  EXPECT_EQ(words.translated("of 1, 2"), "之 1，2");
}

TEST(Dictionary, RefusesWhatIsNoObjectOfTexts) {
  for (const char* const bad : {"[]", R"({"a": 1})", R"({"{}": "x"})", R"({"": "x"})"})
    EXPECT_THROW(Dictionary words(bad), Error) << bad;
}

TEST(ChineseWords, MissNoneAndNoneIsMissedUnseen) {
  io::Json document = chinese_document();
  const auto english = [](const plot::Figure& figure) {
    std::vector<std::string> found;
    plot::Figure copy = figure;
    plot::for_each_text(&copy, [&](const char*, plot::Role, plot::Text* text) {
      for (std::string& word : test::english_words(text->bytes())) found.push_back(std::move(word));
    });
    return found;
  };
  EXPECT_EQ(english(in_chinese(wavelengths())), std::vector<std::string>());
  document.erase("never completes a turn");
  const Dictionary incomplete(document.dump());
  EXPECT_EQ(english(in_chinese(wavelengths(), incomplete)),
            (std::vector<std::string>{"never", "completes", "turn"}));
}

TEST(ChineseWords, DescribeEveryPreset) {
  for (const std::string& name : preset_names())
    for (const LayerRope& layer : every_layer(name)) {
      const std::string text = chinese_words().translated(describe(embedding_of(layer)));
      EXPECT_EQ(test::english_words(text), std::vector<std::string>()) << name << ": " << text;
    }
}

TEST(ChineseWords, LeaveTicksAndTheEnglishFigureAsTheyAre) {
  plot::Figure figure = wavelengths();
  EXPECT_EQ(figure.language, plot::Language::en);
  plot::HeatMap map;
  map.rows = map.columns = 1;
  map.values = {1};
  map.row_marks = {{0, plot::Text::plain("key")}};
  figure.panels[0].heat_map = map;
  const plot::Figure chinese = in_chinese(figure);
  EXPECT_EQ(chinese.language, plot::Language::zh);
  EXPECT_EQ(chinese.panels[0].heat_map->row_marks[0].label.bytes(), "key");
  EXPECT_EQ(chinese.panels[0].x.label.bytes(), "对 i（从 0 数）");
  EXPECT_TRUE(chinese.panels[0].x.label.is_markup());
}

TEST(ChineseWords, HaveTheirPartsFullWidthMarksAndSpaces) {
  const auto count = [](const std::string& text) {
    std::size_t parts = 0;
    for (std::size_t i = 0; i + 1 < text.size(); ++i)
      if (text[i] == '{' && (text[i + 1] == '}' || text.substr(i + 2, 1) == "}") &&
          (text[i + 1] == '}' || (text[i + 1] >= '0' && text[i + 1] <= '9')))
        ++parts;
    return parts;
  };
  const auto han = [](char32_t c) { return c >= 0x4E00 && c <= 0x9FFF; };
  const io::Json document = chinese_document();
  for (const auto& [english, entry] : document.items()) {
    const auto chinese = entry.get<std::string>();
    EXPECT_EQ(count(english), count(chinese)) << english;
    const std::u32string text = plot::decode_utf8(chinese);
    for (std::size_t i = 1; i < text.size(); ++i) {
      for (const auto& [a, b] : {std::pair(text[i - 1], text[i]), std::pair(text[i], text[i - 1])})
        if (han(a)) {
          const bool letter =
              b < 0x80 && (std::isalnum(static_cast<int>(b)) != 0 || b == '{' || b == '}');
          EXPECT_FALSE(letter) << chinese;
          EXPECT_EQ(std::u32string_view(U",;:()").find(b), std::u32string_view::npos) << chinese;
        }
    }
  }
}

}  // namespace
}  // namespace rope
