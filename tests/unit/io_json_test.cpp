#include <gtest/gtest.h>

#include <functional>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <utility>

#include "rope/error.hpp"
#include "rope/io/json.hpp"
#include "rope/io/json_value.hpp"
#include "rope/io/quote.hpp"
#include "support/outcome.hpp"

namespace rope::io {
namespace {

std::string refusal(const std::string& text) {
  return test::refusal([&] { parse_json(text, "c.json"); });
}

std::string nested(std::size_t levels) {
  return std::string(levels, '[') + std::string(levels, ']');
}

TEST(JsonValue, WritesFieldsInOrderAndNumbersOnOneLine) {
  JsonValue document = {{"schema", "rope.decay/1"},
                        {"bound", std::vector{1.0, 0.25, 3.0}},
                        {"curves", std::vector{JsonValue{{"base", 10000}, {"law", {}}}}}};
  document.add("matrix", std::vector{std::vector{1, 0}, std::vector{0, 1}});
  document.add({{"warnings", std::vector<std::string>()}, {"none", JsonValue::object()}});
  document.add(JsonValue::object());
  EXPECT_EQ(document.document(), R"({
  "schema": "rope.decay/1",
  "bound": [1.0, 0.25, 3.0],
  "curves": [
    {
      "base": 10000,
      "law": null
    }
  ],
  "matrix": [
    [1, 0],
    [0, 1]
  ],
  "warnings": [],
  "none": {}
}
)");
}

TEST(JsonValue, TakesWhateverJsonHas) {
  using Limits = std::numeric_limits<double>;
  const auto text = [](const JsonValue& value) { return value.document(); };
  EXPECT_EQ(text(nullptr), "null\n");
  EXPECT_EQ(text(true), "true\n");
  EXPECT_EQ(text(-1), "-1\n");
  EXPECT_EQ(text(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808\n");
  EXPECT_EQ(text(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615\n");
  EXPECT_EQ(text(std::optional<double>()), "null\n");
  EXPECT_EQ(text(std::optional(0.5)), "0.5\n");
  EXPECT_EQ(text(std::map<std::string, double>{{"b", 1}}), "{\n  \"b\": 1.0\n}\n");
  EXPECT_EQ(text(std::vector{std::pair(std::string("b"), 1)}), "{\n  \"b\": 1\n}\n");
  EXPECT_EQ(text({{"flags", json_list(std::vector{1, 2}, [](int i) { return i > 1; })}}),
            "{\n  \"flags\": [\n    false,\n    true\n  ]\n}\n");
  EXPECT_EQ(text(std::vector{Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity(), 1.0}),
            "[null, null, null, 1.0]\n")
      << "what JSON cannot hold";
  EXPECT_EQ(text(std::vector<JsonValue>{1, nullptr, Limits::infinity()}), "[1, null, null]\n");
}

TEST(JsonValue, ReadsBackEveryDoubleBitForBit) {
  using Limits = std::numeric_limits<double>;
  std::vector<double> values{0.0,           -0.0,          1.0, -1e15, 1e16, Limits::denorm_min(),
                             Limits::max(), Limits::min(), 0.1, 1e-5,  1e22};
  std::mt19937_64 random(20240607);
  while (values.size() < 20000) {
    const auto value = std::bit_cast<double>(random());
    if (std::isfinite(value)) values.push_back(value);
  }
  const Json read = parse_json(JsonValue(values).document(), "c.json");
  ASSERT_EQ(read.size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_TRUE(read[i].is_number_float()) << values[i];
    ASSERT_EQ(std::bit_cast<std::uint64_t>(read[i].get<double>()),
              std::bit_cast<std::uint64_t>(values[i]))
        << values[i];
  }
}

TEST(JsonValue, EscapesTextAndReplacesBytesThatAreNotUtf8) {
  const JsonValue value = {{"k\xff\"", "a\xc3(\n\x01 θ"}};
  EXPECT_EQ(value.document(), "{\n  \"k\xef\xbf\xbd\\\"\": \"a\xef\xbf\xbd(\\n\\u0001 θ\"\n}\n");
}

TEST(Json, ReadsADocument) {
  const Json document = parse_json(" {\"rope_theta\": 1e4, \"b\\\"[\": [1, \"]\"]} \n", "c.json");
  EXPECT_EQ(document["rope_theta"].get<double>(), 10000.0);
  EXPECT_EQ(document["b\"["].size(), 2U);
}

TEST(Json, NamesLineAndColumnOfWhatIsNotJson) {
  EXPECT_EQ(refusal("{\n  \"θ\": 1,\n  \"é\": wrong\n}").substr(0, 40),
            "c.json: line 3, column 8: expected valid");
  EXPECT_EQ(refusal("").substr(0, 40), "c.json: line 1, column 1: expected valid");
  EXPECT_EQ(refusal("{\"a\": 1} x").substr(0, 41), "c.json: line 1, column 10: expected valid");
  EXPECT_NE(refusal("{\"a\": 1,}"), "accepted");
  EXPECT_NE(refusal("{\"a\": \"" + std::string(100000, 'x')), "accepted");
  EXPECT_LT(refusal("{\"a\": \"" + std::string(100000, 'x')).size(), 300U) << "no endless message";
  EXPECT_NE(refusal("\"\\"), "accepted");
  EXPECT_NE(refusal("]:0"), "accepted");
}

TEST(Json, RefusesAKeyWithTwoValuesAndTakesTheSameValueTwice) {
  EXPECT_EQ(refusal(R"({"rope_theta": 1e4, "x": 1, "rope_theta": 5e5})"),
            "c.json: expected one value for 'rope_theta', found 10000.0 and 500000.0");
  EXPECT_EQ(refusal(R"([{"a": {"b": [1, 2], "b": [2, 1]}}])"),
            "c.json: expected one value for 'b', found [1,2] and [2,1]");
  EXPECT_EQ(refusal(R"({"a": {"b": 1}, "a": {"b": 1, "c": 2}})"),
            R"(c.json: expected one value for 'a', found {"b":1} and {"b":1,"c":2})");
  EXPECT_EQ(refusal(R"({"a": null, "a": 1})"),
            "c.json: expected one value for 'a', found null and 1");
  const Json same = parse_json(R"({"a": {"b": [1]}, "c": 2, "a": {"b": [1.0]}})", "c.json");
  EXPECT_EQ(same, Json::parse(R"({"a": {"b": [1]}, "c": 2})"));
  EXPECT_EQ(refusal(R"([{"a": 1}, {"a": 2}])"), "accepted") << "two objects";
  EXPECT_EQ(refusal(R"({"a": {"a": 2}})"), "accepted") << "one in the other";
  test::expect_refused([] { parse_json(R"({"a": 1, "a": 1})", "c.json", RepeatedKeys::refused); },
                       "c.json: expected every key once, found 'a' twice");
}

TEST(Json, RefusesNumbersOutOfTheRangeOfADouble) {
  EXPECT_EQ(refusal("{\"a\": 1,\n \"b\": -1e400}"),
            "c.json: line 2, column 7: expected a number in the range of a double, found '-1e400'");
  EXPECT_EQ(refusal("[\"1e400\"]"), "accepted") << "text, not a number";
  EXPECT_EQ(refusal("[123456789012345678901234567890]"), "accepted") << "a double holds it";
}

TEST(Json, RefusesDeepNestingWithoutRecursion) {
  EXPECT_EQ(refusal(nested(64)), "accepted");
  EXPECT_EQ(refusal(nested(65)),
            "c.json: line 1, column 65: expected at most 64 levels of nesting, found more");
  EXPECT_EQ(refusal(std::string(10'000'000, '[')), refusal(nested(65)));
  EXPECT_EQ(refusal("[\"" + std::string(100, '[') + "\"]"), "accepted") << "text, not nesting";
  EXPECT_EQ(refusal("[\"\\\"" + std::string(100, '[') + "\"]"), "accepted") << "the same";
  EXPECT_NE(refusal("[[]," + nested(64) + "]"), "accepted") << "closing one list closes one level";
  EXPECT_EQ(refusal("[[]," + nested(63) + "]"), "accepted");
}

TEST(Json, RefusesObjectsWhoseMembersCouldNeverAllBeFound) {
  std::string text = "{";
  for (int i = 0; i < 50000; ++i) text += "\"" + std::to_string(i) + "\":0,";
  text.back() = '}';
  EXPECT_NE(refusal(text).find("too many object members"), std::string::npos);
}

/// What must reach no terminal from a foreign text, one of each kind.
const std::vector<std::string> kHostile = {std::string(1, '\0'),
                                           "\a",
                                           "\b",
                                           "\t",
                                           "\n",
                                           "\r",
                                           "\x1b]0;x",
                                           "\x7f",
                                           "\u0080",
                                           "\u009b31m",
                                           "\u061c",
                                           "\u200e",
                                           "\u200f",
                                           "\u2028",
                                           "\u2029",
                                           "\u202a",
                                           "\u202e",
                                           "\u2066",
                                           "\u2069",
                                           "\x9b",
                                           "\xff",
                                           "\xc0\x8a",
                                           "\xe2\x80",
                                           "\xed\xa0\x80",
                                           "\xf4\x90\x80\x80"};

/// Whether every character is a plain one, asked byte by byte of what was printed.
bool harmless(const std::string& text) {
  for (std::size_t i = 0; i < text.size();) {
    const FrontCharacter front = front_character(std::string_view(text).substr(i));
    if (!front.printable) return false;
    i += front.bytes;
  }
  return true;
}

TEST(Quote, NothingThatSteersATerminalIsPrintable) {
  for (const std::string& hostile : kHostile) {
    EXPECT_FALSE(front_character(hostile).printable) << printable(hostile, 9);
    for (const std::string& text :
         {hostile, "a" + hostile, hostile + "θ", "é" + hostile + hostile}) {
      EXPECT_TRUE(harmless(printable(text, 60)));
      const std::string lines = printable_lines(text);
      EXPECT_TRUE(hostile == "\n" ? lines == text : harmless(lines));
    }
  }
  EXPECT_EQ(printable("θ_i ≤ 2π, “λ”, 漢字, 🎉", 99), "θ_i ≤ 2π, “λ”, 漢字, 🎉");
  EXPECT_EQ(printable("\u202e", 99), "\\xe2\\x80\\xae");
}

TEST(Quote, ADocumentIsMadePrintableInEveryStringAndKeyAndStaysTheSame) {
  for (const std::string& hostile : kHostile) {
    Json document;
    document["a" + hostile] = hostile;
    document["list"] = {1, hostile, nullptr};
    document["inner"][hostile]["b"] = hostile + std::string(500, 'x');
    std::string all;
    const std::function<void(const Json&)> collect = [&](const Json& value) {
      if (value.is_string()) all += value.get<std::string>();
      for (const auto& [key, inner] : value.items()) {
        if (value.is_object()) all += key;
        if (value.is_structured()) collect(inner);
      }
    };
    const Json safe = printable_document(document);
    collect(safe);
    EXPECT_TRUE(harmless(all)) << all;
    EXPECT_LT(all.size(), 1200U) << "what is long is cut";
    EXPECT_EQ(safe.at("list").at(0), 1);
    // As text it may be printed as it is, and reads back as it was.
    const JsonValue written = {{"a" + hostile, hostile}};
    std::string text = written.document();
    std::erase(text, '\n');
    EXPECT_TRUE(harmless(text)) << text;
    if (hostile == "\u202e") {
      EXPECT_EQ(parse_json(text, "t").dump(), Json({{"a" + hostile, hostile}}).dump());
    }
  }
}

TEST(Quote, KeepsForeignTextOnOneLine) {
  EXPECT_EQ(in_quotes("a\nb\x1b[31m\x7f"), "'a\\x0ab\\x1b[31m\\x7f'");
  EXPECT_EQ(in_quotes("θθθ", 3), "'θ...'") << "cut at a character";
  EXPECT_EQ(in_quotes("θθθ", 6), "'θθθ'");
  EXPECT_EQ(printable("", 0), "");
}

}  // namespace
}  // namespace rope::io
