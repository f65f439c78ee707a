// docs/sources/ holds what `rope claims` writes, and every statement is shown by the command that
// its row names. ROPE_UPDATE_GOLDEN=1 writes the pages.

#include <gtest/gtest.h>

#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "docs/text.hpp"

namespace {

namespace fs = std::filesystem;
using rope::test::content;
using rope::test::folded;

struct Ran {
  int status = 0;
  std::string output;
};

Ran run(const std::string& command) {
  const std::string shell =
      "export LC_ALL=C.UTF-8 PATH='" ROPE_PROGRAM_FOLDER "':$PATH && " + command;
  std::FILE* const pipe = popen(shell.c_str(), "r");
  Ran ran;
  std::array<char, 4096> buffer{};
  for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    ran.output.append(buffer.data(), n);
  ran.status = WEXITSTATUS(pclose(pipe));
  return ran;
}

class SourcePage : public testing::TestWithParam<std::string> {};

TEST_P(SourcePage, IsWhatTheProgramWrites) {
  const std::string name = GetParam();
  const bool chinese = name.ends_with(".zh");
  const std::string article = name.substr(0, name.find('.'));
  const std::string chosen = article == "index" ? "" : " --article " + article;
  const Ran ran = run("rope claims" + chosen + (chinese ? " --lang zh" : "") + " -o - --format md");
  ASSERT_EQ(ran.status, 0);
  const fs::path path = fs::path(ROPE_SOURCE_DIR) / "docs" / "sources" / (name + ".md");
  if (std::getenv("ROPE_UPDATE_GOLDEN") != nullptr) {
    fs::create_directories(path.parent_path());
    std::ofstream(path) << ran.output;
  }
  EXPECT_EQ(content(path), ran.output) << "Run it with ROPE_UPDATE_GOLDEN=1 and read the page.";
}

INSTANTIATE_TEST_SUITE_P(Docs, SourcePage,
                         testing::Values("index", "index.zh", "000", "000.zh", "001", "001.zh",
                                         "002", "002.zh", "003", "003.zh", "004", "004.zh"),
                         [](const auto& page) {
                           std::string name = page.param;
                           for (char& c : name)
                             if (c == '.') c = '_';
                           return name;
                         });

class Rows : public testing::TestWithParam<std::string> {};

TEST_P(Rows, AreShownByTheirCommands) {
  const nlohmann::json claims = nlohmann::json::parse(run(GetParam() + " --json").output);
  const fs::path folder = fs::temp_directory_path() / ("rope_claims_" + std::to_string(getpid()));
  fs::create_directories(folder);
  std::map<std::string, std::string> printed;  // many rows share a command
  for (const nlohmann::json& claim : claims["claims"]) {
    const std::string show = claim["show"];
    if (show.empty()) {
      // No command shows what a framework once printed, or what no number decides. What we say
      // ourselves stands beside the command that it is about.
      if (!claim["stands"].empty()) continue;
      for (const nlohmann::json& reading : claim["readings"])
        for (const nlohmann::json& check : reading["checks"])
          EXPECT_EQ(check["quantity"], "recorded.value") << claim["id"];
      continue;
    }
    if (!printed.contains(show)) {
      const Ran ran = run("cd '" + folder.string() + "' && " + show);
      EXPECT_TRUE(ran.status == 0 || ran.status == 1 || ran.status == 4)
          << claim["id"] << ": " << show << " ends with " << ran.status;
      printed[show] = folded(ran.output);
    }
    const std::string look = folded(claim["look"]);
    EXPECT_NE(printed[show].find(look), std::string::npos)
        << claim["id"] << ": " << show << " does not print " << look;
  }
  fs::remove_all(folder);
}

INSTANTIATE_TEST_SUITE_P(Claims, Rows, testing::Values("rope claims", "rope claims --own"),
                         [](const auto& rows) {
                           return rows.param == "rope claims" ? "OfArticles" : "OfOurs";
                         });

}  // namespace
