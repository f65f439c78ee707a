#include "usage/read_files.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <system_error>
#include <vector>

#include "rope/io/quote.hpp"
#include "usage/numbers.hpp"

namespace rope::app {
namespace {

/// The files that a word may name: itself, what stands before a tensor, what stands behind an @.
std::vector<std::string> names_in_word(const std::string& word) {
  std::vector<std::string> names = {word, word.substr(0, word.rfind(':'))};
  for (std::size_t at = word.find('@'); at != std::string::npos; at = word.find('@', at + 1)) {
    const std::size_t end = std::min(word.find_first_of(",;", at), word.size());
    names.push_back(word.substr(at + 1, end - at - 1));
  }
  return names;
}

}  // namespace

void refuse_replacing(std::string_view option, const std::string& written,
                      std::span<const std::string> words) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(written, none)) return;
  for (const std::string& word : words)
    for (const std::string& name : names_in_word(word))
      if (std::filesystem::equivalent(written, name, none))
        refuse(option, "a file other than those that are read", io::in_quotes(written),
               "The answer would replace it: name another file.");
}

}  // namespace rope::app
