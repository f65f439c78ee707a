#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "rope/claims/check.hpp"
#include "rope/claims/quantity.hpp"
#include "rope/claims/recorded.hpp"
#include "rope/error.hpp"
#include "support/outcome.hpp"

namespace rope::claims {
namespace {

/// A document of one row, whose checks, and what else it has, are given.
Claim row(const std::string& verdict, const std::string& more) {
  const std::string text = R"({"title": "t", "language": "zh", "about": "a", "sha256": "s",
    "claims": [{"id": "S0-99", "line": 1, "quote": "q", "says": {"zh": "z", "en": "e"},
                "about": "frequencies", "verdict": ")" +
                           verdict + "\", " + more + "}]}";
  return read_article(text, "000").claims.front();
}

/// Likewise of a sentence of our own.
std::string why_ours_is_refused(const std::string& verdict, const std::string& more) {
  const std::string text =
      R"({"about": "a", "claims": [{"id": "R-99", "says": {"zh": "z", "en": "e"},
    "stands": {"README.md": "q"}, "about": "frequencies", "verdict": ")" +
      verdict + "\", " + more + "}]}";
  return check_claim(read_own_subject(text, "rotation").claims.front()).refused;
}

std::string why_refused(const std::string& verdict, const std::string& more) {
  return check_claim(row(verdict, more)).refused;
}

/// θ_i of pair 1 at d = 4, base 10000: 0.01.
std::string theta(const std::string& comparison) {
  return R"({"measure": "frequencies.theta", "of": {"dim": 4, "pairs": 1}, )" + comparison + "}";
}

std::string checks(const std::string& readings) { return R"("checks": {)" + readings + "}"; }

const std::string kRight = R"(, "right": {"zh": "z", "en": "e"})";

std::string unreadable(const std::string& more) {
  return test::refusal([&] { row("holds", more); });
}

TEST(Claims, EveryRowFollows) {
  for (const std::vector<Article>* all : {&articles(), &own_subjects()})
    for (const Article& article : *all)
      for (const Claim& claim : article.claims)
        EXPECT_EQ(check_claim(claim).refused, "") << claim.id;
}

TEST(Claims, EveryPlantedRowIsRefused) {
  for (const std::vector<Article>* all : {&articles(), &own_subjects()}) {
    std::set<std::string> mistakes;
    for (const PlantedRow& one : planted_rows(*all)) {
      EXPECT_FALSE(check_claim(one.claim).follows()) << one.claim.id << ": " << one.mistake;
      mistakes.insert(one.mistake);
    }
    // What is right of ours needs no correction that could be removed.
    EXPECT_EQ(mistakes.size(), all == &articles() ? 5U : 4U) << "of each mistake there is one";
  }
}

TEST(Claims, RowsThatOthersNameExist) {
  std::set<std::string> ids;
  for (const std::vector<Article>* all : {&articles(), &own_subjects()})
    for (const Article& article : *all)
      for (const Claim& claim : article.claims)
        EXPECT_TRUE(ids.insert(claim.id).second) << claim.id;
  for (const Article& article : articles())
    for (const Claim& claim : article.claims)
      for (const std::vector<std::string>* named : {&claim.same, &claim.against})
        for (const std::string& id : *named)
          EXPECT_TRUE(ids.contains(id)) << claim.id << ": " << id;
}

TEST(Claims, ANumberIsTakenAsItIsPrinted) {
  for (const std::string is : {"0.01", "0.0100", "1e-2", "1.0e-2", "0.010"})
    EXPECT_EQ(why_refused("holds", checks(R"("statement": )" + theta(R"("is": ")" + is + "\""))),
              "")
        << is;
  for (const std::string is : {"0.02", "0.0101", "0.011", "1.1e-2", "-0.01", "0.009"})
    EXPECT_NE(why_refused("holds", checks(R"("statement": )" + theta(R"("is": ")" + is + "\""))),
              "")
        << is;
  // 0.4 is 0 without digits behind the point, and not 0.0.
  const std::string pairs =
      R"({"measure": "frequencies.theta", "of": {"frequencies": [0.4], "pairs": 0}, )";
  EXPECT_EQ(why_refused("holds", checks(R"("statement": )" + pairs + R"("is": "0"})")), "");
  EXPECT_NE(why_refused("holds", checks(R"("statement": )" + pairs + R"("is": "0.0"})")), "");
  for (const std::string no_number : {"", "x", "0.01 ", "1e999", "nan", "."})
    EXPECT_NE(
        why_refused("holds", checks(R"("statement": )" + theta(R"("is": ")" + no_number + "\""))),
        "")
        << no_number;
}

TEST(Claims, AVerdictFollowsFromItsReadings) {
  const std::string so = theta(R"("is": "0.01")"), not_so = theta(R"("is": "0.02")");
  const auto both = [&](const std::string& a, const std::string& x, const std::string& b,
                        const std::string& y) {
    return checks("\"" + a + "\": " + x + ", \"" + b + "\": " + y) + kRight;
  };
  EXPECT_EQ(why_refused("wrong", both("statement", not_so, "corrected", so)), "");
  EXPECT_NE(why_refused("wrong", both("statement", so, "corrected", so)), "");
  EXPECT_NE(why_refused("wrong", both("statement", not_so, "corrected", not_so)), "");
  EXPECT_NE(why_refused("wrong", both("corrected", so, "statement", not_so)), "") << "their order";
  EXPECT_NE(why_refused("wrong", both("plain", not_so, "corrected", so)), "") << "their names";
  EXPECT_NE(why_refused("condition", both("narrow", so, "plain", not_so)), "") << "their names";
  EXPECT_NE(why_refused("wrong", checks(R"("statement": )" + not_so) + kRight), "");
  EXPECT_EQ(why_refused("condition", both("inside", so, "outside", not_so)), "");
  EXPECT_NE(why_refused("condition", both("inside", so, "outside", so)), "");
  EXPECT_EQ(why_refused("misleading", both("narrow", so, "plain", not_so)), "");
  EXPECT_NE(why_refused("misleading", both("narrow", not_so, "plain", so)), "");
  EXPECT_NE(why_refused("holds", checks(R"("statement": )" + not_so)), "");
  const std::string other =
      R"({"measure": "frequencies.theta", "of": {"dim": 4, "pairs": 0}, "is": "1"})";
  EXPECT_EQ(why_refused("ambiguous", both("one", so, "other", other)), "");
  EXPECT_NE(why_refused("ambiguous", both("one", so, "other", so)), "") << "the same number twice";
  EXPECT_NE(why_refused("ambiguous", both("one", so, "other", not_so)), "");
}

TEST(Claims, WhatIsNotRightNeedsACorrection) {
  const std::string readings = checks(R"("statement": )" + theta(R"("is": "0.02")") +
                                      R"(, "corrected": )" + theta(R"("is": "0.01")"));
  EXPECT_EQ(why_refused("wrong", readings + kRight), "");
  EXPECT_NE(why_refused("wrong", readings), "");
  EXPECT_NE(why_refused("wrong", readings + R"(, "right": {"zh": "", "en": "e"})"), "");
}

TEST(Claims, ANumberOfACorrectionIsMeasured) {
  const auto with = [](const std::string& right) {
    const std::string readings = "\"statement\": " + theta(R"("is": "0.02")") +
                                 ", \"corrected\": " + theta(R"("is": "0.01")");
    return why_refused("wrong",
                       checks(readings) + R"(, "right": {"zh": "z", "en": ")" + right + "\"}");
  };
  EXPECT_EQ(with("It is 0.01, 1.00 % of pair 0's, and not 0.02."), "");
  EXPECT_EQ(with("It is 0.01 at base 10000, in float32."), "");
  EXPECT_EQ(with("It is 0.015."), "0.015 in the correction is not among the measured numbers");
  EXPECT_EQ(with("Less by 0.37 %."), "0.37 in the correction is not among the measured numbers");
}

TEST(Claims, AStatementThatNoNumberDecidesHasAReasonAndASource) {
  const std::string reason = R"("reason": {"zh": "z", "en": "e"})";
  EXPECT_EQ(why_refused("documentary", reason + R"(, "source": "s")"), "");
  EXPECT_NE(why_refused("documentary", reason), "");
  EXPECT_NE(why_refused("documentary", R"("source": "s")"), "");
  EXPECT_NE(why_refused("documentary", reason + R"(, "source": "s", )" +
                                           checks(R"("statement": )" + theta(R"("is": "0.01")"))),
            "")
      << "and never a number";
  EXPECT_NE(
      why_refused("holds", reason + ", " + checks(R"("statement": )" + theta(R"("is": "0.01")"))),
      "");
}

TEST(Claims, WhatWeSayOurselvesRestsOnSomething) {
  const std::string holds = checks(R"("statement": )" + theta(R"("is": "0.01")"));
  const std::string fails = checks(R"("statement": )" + theta(R"("is": "0.02")") +
                                   R"(, "corrected": )" + theta(R"("is": "0.01")"));
  const std::string condition = checks(R"("inside": )" + theta(R"("is": "0.01")") +
                                       R"(, "outside": )" + theta(R"("is": "0.02")"));
  const std::string tests = R"("tests": "Suite.Name")", reason = R"("reason": "r")";
  EXPECT_EQ(why_ours_is_refused("holds", holds), "");
  EXPECT_EQ(why_ours_is_refused("holds", holds + ", " + tests), "");
  EXPECT_EQ(why_ours_is_refused("condition", condition), "") << "it states its condition itself";
  EXPECT_NE(why_refused("condition", condition), "") << "an article left it out";
  EXPECT_EQ(why_ours_is_refused("tested", tests), "");
  EXPECT_EQ(why_ours_is_refused("tested", R"("source": "s")"),
            "'tests' is missing: name the tests that back this statement");
  EXPECT_EQ(why_ours_is_refused("defined", reason), "");
  EXPECT_NE(why_ours_is_refused("defined", tests), "");
  EXPECT_NE(why_ours_is_refused("documentary", reason), "");
  EXPECT_EQ(why_ours_is_refused("wrong", fails + kRight),
            "a sentence of our own that is wrong must be changed");
}

TEST(Claims, ACheckThatCannotFailIsRefused) {
  const auto identity = [](const std::string& more) {
    return checks(
        R"("statement": {"measure": "score.identity", "of": {"cases": 20, "dim": 8}, "explained": true)" +
        more + "}");
  };
  EXPECT_EQ(why_refused("holds", identity(R"(, "fails_with": {"order": "m-n"})")), "");
  EXPECT_NE(why_refused("holds", identity("")), "") << "nothing shows that it can fail";
  EXPECT_NE(why_refused("holds", identity(R"(, "fails_with": {"cases": 10})")), "") << "it holds";
  EXPECT_NE(why_refused("holds", identity(R"(, "fails_with": {})")), "");
}

TEST(Claims, ABoundDecidesOrRefusesToDecide) {
  const auto at_most = [](const std::string& number) {
    return checks(R"("statement": )" +
                  theta(R"("at_most": ")" + number + R"(", "fails_with": {"pairs": 0})"));
  };
  EXPECT_EQ(why_refused("holds", at_most("0.02")), "");
  EXPECT_NE(why_refused("holds", at_most("0.009")), "");
  EXPECT_NE(why_refused("holds", at_most("0.01")).find("rounding errors are too large to decide"),
            std::string::npos);
  const std::string against = R"({"measure": "frequencies.theta", "of": {"dim": 4, "pairs": 0}})";
  EXPECT_EQ(
      why_refused("holds", checks(R"("statement": )" +
                                  theta(R"("at_most": )" + against +
                                        R"(, "fails_with": {"frequencies": [1, 2], "dim": 4})"))),
      "frequencies.theta: parameter 'dim' is not used here")
      << "what is not taken beside frequencies is told";
}

TEST(Claims, ARowNamesNoOtherThatThereIsNot) {
  EXPECT_NO_THROW(check_names(articles()));
  for (std::vector<std::string> Claim::*const list : {&Claim::same, &Claim::against}) {
    std::vector<Article> changed = articles();
    (changed.front().claims.back().*list).emplace_back("S9-99");
    EXPECT_THROW(check_names(changed), DomainError);
  }
}

TEST(Claims, ARowSaysWhatIsWrongWithIt) {
  EXPECT_NE(unreadable(R"("checks": {"claim": {}})").find("no reading is called 'claim'"),
            std::string::npos);
  EXPECT_NE(unreadable(checks(R"("statement": )" + theta(R"("equal": "1")")))
                .find("no comparison is given"),
            std::string::npos);
  EXPECT_NE(unreadable(checks(R"("statement": )" + theta(R"("is": "1", "exactly": "1")")))
                .find("one comparison"),
            std::string::npos);
  EXPECT_NE(unreadable(R"("colour": "red")").find("'colour'"), std::string::npos);
  EXPECT_NE(unreadable(checks(R"("statement": [])")).find("empty"), std::string::npos);
  EXPECT_NE(unreadable(R"("right": {"en": "e"})").find("'zh' is missing"), std::string::npos);
  EXPECT_NE(
      why_refused("holds", checks(R"("statement": {"measure": "frequencies.colour", "is": "1"})"))
          .find("no quantity is called 'frequencies.colour'; frequencies has"),
      std::string::npos);
  EXPECT_NE(why_refused("holds", checks(R"("statement": {"measure": "colour", "is": "1"})"))
                .find("; the families are angles, attention,"),
            std::string::npos);
  EXPECT_NE(why_refused("holds", checks(R"("statement": )" + theta(R"("is": ["0.01", "1"])"))), "")
      << "two numbers for one";
  EXPECT_THROW(row("right", R"("source": "s")"), Error);
}

TEST(Claims, QuantitiesHaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const Quantity& quantity : quantities()) {
    EXPECT_TRUE(names.insert(quantity.name).second) << quantity.name;
    EXPECT_NE(quantity.name.find('.'), std::string_view::npos) << quantity.name;
    EXPECT_FALSE(quantity.title.empty()) << quantity.name;
  }
}

TEST(Claims, ParametersAreTakenOrRefused) {
  EXPECT_EQ(measure("frequencies.theta", R"({"dim": 4, "pairs": [0, 1]})").numbers,
            (std::vector<double>{1, 0.01}));
  EXPECT_THROW(measure("frequencies.theta", "{}"), DomainError);
  EXPECT_THROW(measure("frequencies.theta", R"({"pairs": 64})"), DomainError);
  EXPECT_THROW(measure("frequencies.theta", R"({"pairs": -1})"), DomainError);
  EXPECT_THROW(measure("frequencies.theta", R"({"pairs": 0.5})"), DomainError);
  EXPECT_THROW(measure("frequencies.theta", R"({"pairs": []})"), DomainError);
  EXPECT_THROW(measure("frequencies.theta", R"({"pairs": 0, "colour": 1})"), DomainError);
  EXPECT_THROW(measure("frequencies.theta", R"({"pairs": 0, "model": "nobody"})"), DomainError);
  EXPECT_THROW(measure("frequencies.theta", R"({"pairs": 0, "dim": 7})"), Error);
  EXPECT_THROW(measure("frequencies.theta", "[]"), DomainError);
  EXPECT_THROW(measure("score.measured",
                       R"({"frequencies": 1, "query": [1], "key": [1, 2], "positions": [1, 2]})"),
               DomainError);
  const Outcome score = measure("score.measured", R"({"frequencies": 1, "query": {"ones": true},
                                                      "key": {"ones": true}, "positions": [3, 3]})");
  EXPECT_LE(std::abs(score.numbers.front() - 2), score.bound);
  EXPECT_LE(score.bound, 1e-14);
}

TEST(Claims, ScriptsStandBesideTheirRecords) {
  EXPECT_FALSE(records().empty());
  const std::filesystem::path folder = ROPE_SOURCE_DIR "/data/claims/recorded";
  for (const Record& record : records()) {
    EXPECT_EQ(record.script, record.name + ".py");
    EXPECT_TRUE(std::filesystem::exists(folder / record.script)) << record.script;
    EXPECT_TRUE(record.made_by.contains("numpy")) << record.name;
    EXPECT_FALSE(record.values.empty()) << record.name;
  }
}

TEST(Claims, NumbersOfARecord) {
  const Outcome row =
      measure("recorded.value", R"({"record": "torch_calls", "value": "outer.shape"})");
  EXPECT_EQ(row.numbers, (std::vector<double>{5, 3}));
  EXPECT_EQ(row.bound, 0);
  const auto at = [](const std::string& rest) {
    return measure("recorded.value", R"({"record": "torch_calls", )" + rest + "}");
  };
  EXPECT_EQ(at(R"("value": "outer.shape", "at": 1)").numbers, std::vector<double>{3});
  EXPECT_THROW(at(R"("value": "outer.shape", "at": 2)"), DomainError);
  EXPECT_THROW(at(R"("value": "outer.form")"), DomainError);
  EXPECT_THROW(measure("recorded.value", R"({"record": "none", "value": "x"})"), DomainError);
}

TEST(Claims, ADocumentThatIsNoRecordIsRefused) {
  const std::string origin = R"("script": "a.py", "made_by": {"torch": "1"}, "date": "2026-11")";
  EXPECT_EQ(read_record("{" + origin + R"(, "values": {"x": 2}})", "a").values.at("x"),
            std::vector<double>{2});
  EXPECT_THROW(read_record("{" + origin + "}", "a"), DomainError);
  EXPECT_THROW(read_record("{" + origin + R"(, "values": {"x": "2"}})", "a"), DomainError);
  EXPECT_THROW(read_record("{" + origin + R"(, "values": {"x": []}})", "a"), DomainError);
  EXPECT_THROW(read_record("{" + origin + R"(, "numbers": {"x": 2}})", "a"), DomainError);
  EXPECT_THROW(read_record("[]", "a"), DomainError);
}

}  // namespace
}  // namespace rope::claims
