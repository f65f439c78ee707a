// Parameters that declare themselves: what is read, what is refused, what is explained.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "rope/error.hpp"
#include "rope/parameters/parameters.hpp"
#include "rope/parameters/suggest.hpp"
#include "support/outcome.hpp"

namespace rope {
namespace {

constexpr std::array<std::string_view, 3> kForms = {"plain", "blocks", "blocks-to-end"};
constexpr std::array<Parameter, 5> kDeclared = {
    {{.name = "buckets",
      .meaning = "axes",
      .domain = ParameterDomain::whole,
      .standard = 32,
      .least = 2,
      .most = 64},
     {.name = "form",
      .meaning = "how columns stand",
      .domain = ParameterDomain::choice,
      .standard = 1,
      .choices = kForms},
     {.name = "both", .meaning = "two ways", .domain = ParameterDomain::flag, .standard = 0},
     {.name = "window", .meaning = "w", .otherwise = "half of the rest"},
     {.name = "weights", .meaning = "one per pair", .list = true}}};
constexpr ParameterGrammar kGrammar = {"thing", "a thing", "Write NAME or NAME:key=value."};

NamedValues parsed(std::string_view text) {
  return parse_named_values(
      text, kGrammar, [](std::string_view) -> std::span<const Parameter> { return kDeclared; });
}

void check(const ParameterValues& values) { check_parameters("thing a", kDeclared, values); }

using test::expect_refused;

TEST(NamedValues, AreANameNumbersWordsSwitchesAndLists) {
  EXPECT_EQ(parsed("a"), (NamedValues{"a", {}}));
  EXPECT_EQ(
      parsed("a:buckets=1e1,form=blocks-to-end,both=true,weights=1;+2"),
      (NamedValues{"a", {{{"both", 1}, {"buckets", 10}, {"form", 2}}, {{"weights", {1, 2}}}}}));
  // A word is only read where it is known to be one.
  EXPECT_THROW(parse_named_values("a:form=blocks", kGrammar), DomainError);
}

TEST(NamedValues, AreWrittenAsTheyAreRead) {
  for (const char* text : {"a", "a:both=0,buckets=10,form=blocks", "a:window=0.1,weights=1;2",
                           "a:weights=1;", "a:buckets=1000000"})
    EXPECT_EQ(named_values_text(parsed(text), kDeclared), text);
}

TEST(NamedValues, OfAnotherFormAreRefused) {
  const std::string form(kGrammar.form);
  expect_refused([] { parsed(""); }, "thing: expected a thing and its parameters, got ''", form);
  expect_refused([] { parsed("a:"); }, "thing: expected a thing and its parameters, got 'a:'",
                 form);
  expect_refused([] { parsed("a:buckets"); }, "thing: expected key=value, got 'buckets'", form);
  expect_refused([] { parsed("a:=3"); }, "thing: expected key=value, got '=3'", form);
  expect_refused([] { parsed("a:buckets=3,buckets=4"); },
                 "thing: buckets: expected one value, got two", "Keep only one of them.");
  expect_refused([] { parsed("a:form=plain,form=plain"); },
                 "thing: form: expected one value, got two", "Keep only one of them.");
  expect_refused([] { parsed("a:buckets=4x"); },
                 "thing: buckets: expected a finite number, got '4x'",
                 "Write a decimal number, for example 4 or 0.25.");
  expect_refused([] { parsed("a:form=block"); },
                 "thing a: form: expected plain, blocks or blocks-to-end, got 'block'",
                 "Did you mean blocks?");
  expect_refused([] { parsed("a:form=7"); },
                 "thing a: form: expected plain, blocks or blocks-to-end, got '7'",
                 "Meaning: how columns stand (default: blocks).");
}

TEST(Parameters, ThatAreUnknownAreRefusedWithTheLikelyOne) {
  expect_refused(
      [] {
        check({{{"bukets", 3}}, {}});
      },
      "thing a: expected buckets, form, both, window or weights, got 'bukets'",
      "Did you mean buckets?");
  expect_refused(
      [] {
        check({{{"q", 3}}, {}});
      },
      "thing a: expected buckets, form, both, window or weights, got 'q'", "Leave it out.");
  expect_refused(
      [] {
        check_parameters("thing b", {}, {{{"q", 3}}, {}});
      },
      "thing b: expected no parameters, got 'q'", "Leave it out.");
}

TEST(Parameters, AreOneNumberOrAList) {
  expect_refused(
      [] {
        check({{{"weights", 3}}, {}});
      },
      "thing a: weights: expected a list of numbers, one per pair, got one number",
      "Meaning: one per pair.");
  expect_refused(
      [] {
        check({{}, {{"window", {3}}}});
      },
      "thing a: window: expected one number, got a list",
      "Meaning: w (default: half of the rest).");
  expect_refused(
      [] {
        check({{}, {{"weights", {1, -1}}}});
      },
      "thing a: weights: expected a finite number above 0, got -1", "Meaning: one per pair.");
}

TEST(Parameters, ThatAreRequiredMustBeGiven) {
  constexpr std::array<Parameter, 1> kOne = {
      {{.name = "factor", .meaning = "s", .required = true}}};
  expect_refused([&] { check_parameters("thing c", kOne, {}); },
                 "thing c: factor: expected a finite number above 0, got nothing", "Meaning: s.");
  EXPECT_NO_THROW(check_parameters("thing c", kOne, {{{"factor", 2}}, {}}));
}

TEST(Parameters, LieWithinTheirDomains) {
  using D = ParameterDomain;
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  struct Case {
    D domain;
    std::vector<double> good, bad;
  };
  const std::vector<Case> cases = {
      {D::positive, {1e-300, 7}, {0, -1, kNan, kInfinite}},
      {D::non_negative, {0, 7}, {-1e-300, kNan, kInfinite}},
      {D::at_least_one, {1, 1.5}, {0.999, kNan, kInfinite}},
      {D::real, {-1, 0, 1e300}, {kNan, kInfinite}},
      {D::length, {1, 0x1p53}, {0, 1.5, 0x1p54, kNan}},
      {D::whole, {2, 5}, {1, 6, 2.5, kNan}},
      {D::fraction, {0, 0.5, 1}, {-0.1, 1.1, kNan}},
      {D::flag, {0, 1}, {2, 0.5, -1, kNan}},
      {D::choice, {0, 2}, {3, -1, 0.5, kNan}},
  };
  for (const Case& one : cases) {
    const std::array<Parameter, 1> declared = {{{.name = "x",
                                                 .meaning = "x",
                                                 .domain = one.domain,
                                                 .choices = kForms,
                                                 .least = 2,
                                                 .most = 5}}};
    const auto with = [&](double value) {
      check_parameters("thing", declared, {{{"x", value}}, {}});
    };
    for (const double value : one.good) EXPECT_NO_THROW(with(value)) << value;
    for (const double value : one.bad)
      expect_refused(
          [&] { with(value); },
          "thing: x: expected " + expected_value(declared[0]) + ", got " + number_text(value),
          "Meaning: x.");
  }
  EXPECT_EQ(expected_value(kDeclared[0]), "a whole number from 2 to 64");
}

TEST(Parameters, ThatWereNotGivenHaveTheirStandardValue) {
  ParameterValues values{{{"buckets", 4}}, {}};
  add_standard_values(kDeclared, values);
  EXPECT_EQ(values, (ParameterValues{{{"buckets", 4}, {"form", 1}, {"both", 0}}, {}}));
  EXPECT_EQ(values.whole("buckets"), 4);
  EXPECT_FALSE(values.flag("both"));
  EXPECT_FALSE(values.has("window"));
}

TEST(Parameters, ExplainThemselves) {
  std::vector<std::string> forms, meanings;
  for (const Parameter& parameter : kDeclared) {
    forms.push_back(parameter_form(parameter));
    meanings.push_back(parameter_meaning(parameter));
  }
  EXPECT_EQ(forms, (std::vector<std::string>{"buckets=N", "form=WORD", "both=0|1", "window=X",
                                             "weights=X;X;..."}));
  EXPECT_EQ(meanings,
            (std::vector<std::string>{"axes (default: 32)", "how columns stand (default: blocks)",
                                      "two ways (default: 0)", "w (default: half of the rest)",
                                      "one per pair"}));
}

TEST(Parameters, TellTheirRangeInTheHelp) {
  EXPECT_EQ(parameter_help(kDeclared[0]), "axes; a whole number from 2 to 64 (default: 32)");
  EXPECT_EQ(parameter_help(kDeclared[1]),
            "how columns stand; plain, blocks or blocks-to-end (default: blocks)");
  EXPECT_EQ(parameter_help(kDeclared[2]), "two ways (default: 0)");
  EXPECT_EQ(parameter_help(kDeclared[4]), "one per pair; a list of numbers, one per pair");
  constexpr Parameter kFar = {.name = "far",
                              .meaning = "far",
                              .domain = ParameterDomain::whole,
                              .least = 0,
                              .most = std::int64_t{1} << 40};
  EXPECT_EQ(expected_value(kFar), "a whole number from 0 to 2^40");
  EXPECT_EQ(limit_text(-(std::int64_t{1} << 53)), "-2^53");
  EXPECT_EQ(limit_text(std::numeric_limits<std::int64_t>::min()), "-2^63");
  EXPECT_EQ(limit_text(std::int64_t{-1024}), "-1024");
  EXPECT_EQ(limit_text(-0x1p64), "-2^64");
  EXPECT_EQ(limit_text(0x1p20), "2^20");
  EXPECT_EQ(limit_text(3e9), "3e+09");
}

TEST(Parameters, WhoseWordIsUnknownSuggestTheLikelyOne) {
  expect_refused([] { refuse_unknown_word("thing", kForms, "plan", "See there."); },
                 "thing: expected plain, blocks or blocks-to-end, got 'plan'",
                 "Did you mean plain?");
  expect_refused([] { refuse_unknown_word("thing", kForms, "zzz", "See there."); },
                 "thing: expected plain, blocks or blocks-to-end, got 'zzz'", "See there.");
}

TEST(LikelyWord, IsAFewLettersAwayOrTheOnlyOneThatBeginsSo) {
  EXPECT_EQ(likely_word("bukets", {"buckets", "form"}), "buckets");
  EXPECT_EQ(likely_word("fo", {"buckets", "form"}), "form");
  EXPECT_EQ(likely_word("zzz", {"buckets", "form"}), "");
  EXPECT_EQ(edit_distance("form", "from"), 1U);
}

}  // namespace
}  // namespace rope
