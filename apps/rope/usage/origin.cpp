#include "usage/origin.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "rope/io/quote.hpp"
#include "shown/console.hpp"
#include "shown/text.hpp"

namespace rope::app {
namespace {

/// Options that tell where an answer goes, and how it is told to people.
constexpr auto kOfThePlace =
    std::to_array<std::string_view>({"--output", "--format", "--json", "--show"});

bool makes_the_file(const Option& option) {
  return option.group != "General" && std::ranges::count(kOfThePlace, option.name) == 0;
}

/// Whether an option that was given leaves no room for this one.
bool is_excluded(const Option& option, const OptionSet& options) {
  return std::ranges::any_of(options.exclusions(), [&](const Exclusion& exclusion) {
    return options.given(exclusion.option) && std::ranges::count(exclusion.others, option.name) > 0;
  });
}

/// The value without the folders of files that it names by their way from the root, also as
/// RULE:key=@FILE.
std::string without_folders(std::string value) {
  constexpr std::string_view kBefore = "=@,;:", kBehind = ",;:";
  for (std::size_t at = 0; (at = value.find('/', at)) != std::string::npos; ++at) {
    if (at > 0 && kBefore.find(value[at - 1]) == std::string_view::npos) continue;
    const std::size_t end = std::min(value.find_first_of(kBehind, at), value.size());
    value.erase(at, value.rfind('/', end - 1) + 1 - at);
  }
  return value;
}

/// The option with one of its values, as it may be typed.
std::string words_for(const Option& option, const std::string& text) {
  if (option.value.empty() || (option.bare && text.empty())) return option.name;
  const bool is_text = option.any_text && !option.file;
  const std::string value = is_text ? text : without_folders(text);
  // In one word with its option, a text may look like another option.
  if (is_text && value.starts_with('-')) return shell_word(option.name + "=" + value);
  return option.name + " " + shell_word(value);
}

}  // namespace

std::string origin_of(std::string_view command, const OptionSet& options) {
  std::string line = "rope " ROPE_VERSION ": " + std::string(command);
  const auto add = [&line](const std::string& words) { line.append(" ").append(words); };
  const std::vector<std::string>* const operands = options.operands().words;
  const bool of_files = operands != nullptr && !operands->empty();
  if (of_files)
    for (const std::string& word : *operands) add(shell_word(without_folders(word)));
  for (const Option& option : options.options())
    if (makes_the_file(option) && !option.seed)
      for (const std::string& text : option.texts) add(words_for(option, text));
  for (const Option& option : options.options()) {
    if (!option.seed) continue;
    for (const std::string& text : option.texts) add(words_for(option, text));
    if (option.given == 0 && !of_files && !is_excluded(option, options))  // files are not random
      add(words_for(option, option.standard));
  }
  return io::printable(line, kLongestMessage);
}

}  // namespace rope::app
