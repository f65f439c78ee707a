// `rope claims`: statements recomputed, chosen, explained in two languages, drawn, and looked up.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/run.hpp"
#include "rope/io/csv.hpp"
#include "rope/io/json.hpp"

namespace rope::test {
namespace {

using Words = std::vector<std::string>;

class ClaimsTest : public CliTest {
 protected:
  Outcome claims(Words options) {
    options.insert(options.begin(), "claims");
    return rope(options);
  }

  io::Json document(Words options) {
    options.emplace_back("--json");
    const Outcome run = claims(options);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    io::Json json = io::parse_json(run.out, "out");
    EXPECT_EQ(json.at("schema"), "rope.claims/1");
    return json;
  }

  /// "attention, decay or rotation": the subjects in a document.
  static std::string subjects_of(const io::Json& json) {
    std::vector<std::string> subjects;
    for (const io::Json& claim : json.at("claims"))
      if (subjects.empty() || subjects.back() != claim.at("article"))
        subjects.push_back(claim.at("article"));
    std::string text = subjects.front();
    for (std::size_t i = 1; i < subjects.size(); ++i)
      text += (i + 1 == subjects.size() ? " or " : ", ") + subjects[i];
    return text;
  }

  void refused(const Words& options, const std::string& message) {
    const Outcome run = claims(options);
    EXPECT_EQ(run.exit_code, 2) << message;
    EXPECT_EQ(run.err.substr(0, run.err.find('\n')), "rope claims: " + message);
  }
};

TEST_F(ClaimsTest, EveryRowFollowsAndEveryPlantedOneIsRefused) {
  const Outcome run = claims({});
  EXPECT_EQ(run.exit_code, 0) << run.out;
  EXPECT_EQ(run.err, "");
  EXPECT_TRUE(run.out.starts_with("Of ")) << run.out;
  EXPECT_NE(
      flowing(run.out).find("deliberately falsified statements were checked; all were rejected."),
      std::string::npos)
      << run.out;
  EXPECT_LE(std::ranges::count(run.out, '\n'), 24);
  const io::Json json = document({});
  EXPECT_GE(json.at("planted"), 5);
  EXPECT_TRUE(json.at("accepted").empty());
  for (const io::Json& claim : json.at("claims"))
    EXPECT_EQ(claim.at("refused"), "") << claim.at("id");
}

TEST_F(ClaimsTest, OneStatementInFull) {
  const Outcome run = claims({"S0-35"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_TRUE(run.out.starts_with("S0-35: wrong\n")) << run.out;
  const std::string text = flowing(run.out);
  EXPECT_NE(text.find("as stated 0.95 0.749894 off by 0.2 θ_2"), std::string::npos) << text;
  EXPECT_NE(text.find("Right: θ_1 = 0.865964"), std::string::npos) << text;
  EXPECT_NE(text.find("See it: rope wavelengths --dim 128"), std::string::npos) << text;
  const io::Json claim = document({"S0-35"}).at("claims").at(0);
  EXPECT_EQ(claim.at("verdict"), "wrong");
  EXPECT_EQ(claim.at("line"), 164);
  const io::Json& stated = claim.at("readings").at(0).at("checks").at(0);
  EXPECT_EQ(stated.at("holds"), false);
  EXPECT_NEAR(stated.at("off").get<double>(), 0.95 - 0.7498942093324559, 1e-15);
}

TEST_F(ClaimsTest, QuietTellsEveryVerdict) {
  EXPECT_EQ(rope({"claims", "S0-35", "S0-36", "-q"}).out,
            rope({"claims", "S0-35", "-q"}).out + rope({"claims", "S0-36", "-q"}).out);
  EXPECT_TRUE(rope({"claims", "S0-36", "-q"}).out.starts_with("S0-36: "));
}

TEST_F(ClaimsTest, ChineseFitsTheScreen) {
  const Outcome run = claims({"S0-35", "--lang", "zh"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_TRUE(run.out.starts_with("S0-35：错误\n")) << run.out;
  const Outcome all = claims({"--article", "004", "--lang", "zh"});
  Words everything = {"--lang", "zh"};
  const io::Json ledger = document({});
  for (const io::Json& claim : ledger.at("claims")) everything.push_back(claim.at("id"));
  const Outcome whole = claims(everything);
  EXPECT_EQ(whole.exit_code, 0);
  for (const Outcome* one : {&run, &all, &whole})
    for (const std::string& line : lines_of(one->out)) {
      const bool to_copy = line.find("rope ") != std::string::npos;
      EXPECT_TRUE(to_copy || columns_of(line) <= 80U) << line;
      for (const char* closing : {"\uff0c", "\u3002", "\uff1b", "\uff09"})
        EXPECT_FALSE(line.starts_with(closing)) << line;
    }
  // The second column of a table begins in one column of the screen.
  const std::vector<std::string> rows = lines_of(run.out);
  const auto column_of = [&](const std::string& row, const std::string& word) {
    return columns_of(row.substr(0, row.find(word)));
  };
  const auto stated = std::ranges::find_if(
      rows, [](const std::string& row) { return row.find("原话") != std::string::npos; });
  const auto corrected = std::ranges::find_if(
      rows, [](const std::string& row) { return row.find("更正后") != std::string::npos; });
  ASSERT_TRUE(stated != rows.end() && corrected != rows.end()) << run.out;
  EXPECT_EQ(column_of(*stated, "θ_2"), column_of(*corrected, "θ_1"));
}

TEST_F(ClaimsTest, StatementsAreChosen) {
  const auto all_have = [&](const Words& options, const char* field, const io::Json& value) {
    const io::Json chosen = document(options);
    EXPECT_FALSE(chosen.at("claims").empty()) << field;
    for (const io::Json& claim : chosen.at("claims")) EXPECT_EQ(claim.at(field), value);
  };
  all_have({"--verdict", "wrong"}, "verdict", "wrong");
  all_have({"--article", "000"}, "article", "000");
  all_have({"--about", "frequencies"}, "about", "frequencies");
  all_have({"--demo", "3"}, "demonstration", 3);
  const io::Json found_in = document({"--find", "两次旋转等价"});
  const io::Json& found = found_in.at("claims");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.at(0).at("id"), "S0-23");
  refused({"S9-99"}, "no statement has the ID 'S9-99'");
  EXPECT_NE(
      rope({"claims", "long-term decay"}).err.find("\nTo search the statements for words, use"),
      std::string::npos);
  refused({"--find", "no such words"}, "no statement matches the options given");
  refused({"--verdict", "true"},
          "--verdict: expected holds, condition, wrong, misleading, ambiguous, documentary, tested "
          "or defined, got 'true'");
}

TEST_F(ClaimsTest, WhatWeSayOurselvesIsCheckedLikewise) {
  const Outcome run = claims({"--own"});
  EXPECT_EQ(run.exit_code, 0) << run.out;
  EXPECT_NE(flowing(run.out).find("all were rejected."), std::string::npos) << run.out;
  EXPECT_LE(std::ranges::count(run.out, '\n'), 24);
  const io::Json all = document({"--own"});
  for (const io::Json& claim : all.at("claims")) {
    EXPECT_EQ(claim.at("refused"), "") << claim.at("id");
    EXPECT_FALSE(claim.at("stands").empty()) << claim.at("id");
  }
  const io::Json of_rotation = document({"--own", "--article", "rotation"});
  for (const io::Json& claim : of_rotation.at("claims"))
    EXPECT_TRUE(claim.at("id").get<std::string>().starts_with("R-")) << claim.at("id");
  const Outcome one = claims({"R-01"});
  EXPECT_TRUE(one.out.starts_with("R-01: holds\n")) << one.out;
  EXPECT_NE(one.out.find("README.md: «"), std::string::npos) << one.out;
  EXPECT_EQ(claims({"--own", "-o", path("own.csv"), "-o", path("own.md")}).exit_code, 0);
  EXPECT_EQ(io::parse_csv(read("own.csv"), "own.csv").rows(), all.at("claims").size());
  EXPECT_NE(read("own.md").find("\n- README.md: «"), std::string::npos);
  refused({"--own", "--seeds", path("")},
          "--seeds checks quotations in articles, but --own selects no statements from articles");
  refused({"--own", "--article", "000"}, "--article: expected " + subjects_of(all) + ", got '000'");
}

TEST_F(ClaimsTest, FilesAndPictures) {
  EXPECT_EQ(
      claims({"S0-35", "-o", path("s.csv"), "-o", path("s.md"), "-o", path("s.png")}).exit_code, 0);
  const io::CsvTable table = io::parse_csv(read("s.csv"), "s.csv");
  EXPECT_EQ(table.rows(), 1U);
  EXPECT_NE(read("s.md").find("## S0-35 · wrong"), std::string::npos);
  EXPECT_TRUE(read("s.png").starts_with("\x89PNG"));
  refused({"-o", path("all.png")}, "a picture shows one statement, found " +
                                       std::to_string(document({}).at("claims").size()));
  refused({"S0-34", "-o", path("none.png")}, "S0-34 has no picture");
}

TEST_F(ClaimsTest, QuotationsAreLookedUp) {
  const std::string folder = path("articles");
  std::filesystem::create_directory(folder);
  const auto articles_with = [&](std::size_t blank_lines) {
    std::ofstream article(folder + "/000_x.txt");
    for (std::size_t i = 0; i < blank_lines; ++i) article << '\n';
    article << "θ ≈ 0.95 与\n";
  };
  articles_with(163);
  const Outcome there = claims({"S0-35", "--seeds", folder});
  EXPECT_EQ(there.exit_code, 0) << there.out;
  for (const std::size_t moved : {162U, 164U}) {
    articles_with(moved);
    const Outcome run = claims({"S0-35", "--seeds", folder});
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_NE(flowing(run.out).find("FAIL S0-35: line 164 does not contain «0.95»"),
              std::string::npos)
        << run.out;
  }
  EXPECT_EQ(claims({"S0-35", "--seeds", path("nowhere")}).exit_code, 3);
  std::filesystem::remove(folder + "/000_x.txt");
  EXPECT_EQ(claims({"S0-35", "--seeds", folder}).exit_code, 2);
}

}  // namespace
}  // namespace rope::test
