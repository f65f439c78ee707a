#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace rope::test {

/// What stands in a file of the project, by its path there.
inline std::string content(const std::filesystem::path& file) {
  std::ifstream stream(std::filesystem::path(ROPE_SOURCE_DIR) / file);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// The text with one blank for every run of white space, and none at its ends.
inline std::string folded(const std::string& text) {
  std::istringstream words(text);
  std::string result;
  for (std::string word; words >> word;) result += (result.empty() ? "" : " ") + word;
  return result;
}

}  // namespace rope::test
