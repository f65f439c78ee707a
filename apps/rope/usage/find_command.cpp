#include "usage/find_command.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "rope/parameters/suggest.hpp"

namespace rope::app {
namespace {

/// What others call something that a command of ours does.
struct ForeignWord {
  std::string_view word;
  std::string_view ours;
  std::string_view command;  ///< to type
};
constexpr std::string_view kPictures = "Most commands draw with -o FILE.png or --show";
constexpr std::string_view kLists = "inspect lists the presets, and precision the policies";
constexpr std::string_view kRotates = "apply rotates vectors";
constexpr std::string_view kScores = "score computes the dot product of a rotated q and k";
constexpr std::string_view kChecks = "verify checks the identity";
constexpr std::array<ForeignWord, 25> kForeignWords = {{
    {"plot", kPictures, "rope decay --show"},
    {"draw", kPictures, "rope decay --show"},
    {"show", kPictures, "rope decay --show"},
    {"view", kPictures, "rope decay --show"},
    {"visualize", kPictures, "rope decay --show"},
    {"visualise", kPictures, "rope decay --show"},
    {"list", kLists, "rope inspect --list"},
    {"ls", kLists, "rope inspect --list"},
    {"models", kLists, "rope inspect --list"},
    {"presets", kLists, "rope inspect --list"},
    {"policies", kLists, "rope precision --list"},
    {"model", "inspect shows what a model uses", "rope inspect llama-3.1-8b"},
    {"config", "inspect shows what a model uses", "rope inspect llama-3.1-8b"},
    {"demo", "Begin with verify, then decay and wavelengths", "rope verify"},
    {"tutorial", "Begin with verify, then decay and wavelengths", "rope verify"},
    {"encode", kRotates, "rope apply --vector 1,2,3,4 --start 3"},
    {"explain", "apply explains each pair", "rope apply --vector 1,2,3,4 --start 3 --explain"},
    {"define", "glossary explains terms", "rope glossary bound"},
    {"dot", kScores, "rope score --query 1,2 --key 3,-1 --positions 5,2"},
    {"logit", kScores, "rope score --query 1,2 --key 3,-1 --positions 5,2"},
    {"check", kChecks, "rope verify"},
    {"test", kChecks, "rope verify"},
    {"prove", kChecks, "rope verify"},
    {"scale", "extend compares scaling rules", "rope extend --from 2048 --to 8192"},
    {"completions", "completion prints the script", "rope completion bash"},
}};

/// The words with the command in front: "rope matrix --quiet --dim 4". Empty if none of them is a
/// command, or one had to be quoted.
std::string command_first(std::span<const std::string> words,
                          std::span<const Command* const> commands) {
  const auto command = std::ranges::find_if(words, [&](const std::string& word) {
    return std::ranges::find(commands, word, &Command::name) != commands.end();
  });
  if (command == words.end()) return {};
  std::string line = "rope " + *command;
  for (auto word = words.begin(); word != words.end(); ++word) {
    if (word->empty() || word->find_first_of(" \t\n\"'\\$`;&|<>()*?!#~") != std::string::npos)
      return {};
    if (word != command) line += " " + *word;
  }
  return line;
}

[[noreturn]] void refuse_option(std::span<const std::string> words,
                                std::span<const Command* const> commands) {
  std::string remedy = "rope --help lists the commands.";
  if (const std::string likely = likely_word(words[0], {"--help", "--version", "--man"});
      !likely.empty())
    remedy = "Did you mean " + likely + "?";
  else if (const std::string line = command_first(words, commands); !line.empty())
    remedy = "Options follow the command: " + line;
  else
    remedy = "Options follow the command: rope decay --dim 64. " + remedy;
  throw Error(ErrorKind::invalid_input, "expected a command, got " + io::in_quotes(words[0]),
              remedy);
}

[[noreturn]] void refuse_command(std::span<const std::string> words,
                                 std::span<const Command* const> commands) {
  const std::string& word = words[0];
  if (word.starts_with('-')) refuse_option(words, commands);
  std::string remedy = "rope --help lists the commands.";
  std::vector<std::string> known;
  for (const Command* command : commands) known.emplace_back(command->name);
  const auto* const foreign =
      std::ranges::find(kForeignWords, plain_word(word), &ForeignWord::word);
  if (foreign != kForeignWords.end())
    remedy = std::string(foreign->ours) + ": " + std::string(foreign->command);
  else if (const std::string likely = likely_word(plain_word(word), known); !likely.empty())
    remedy = "Did you mean " + likely + "?";
  throw Error(ErrorKind::invalid_input, "unknown command " + io::in_quotes(word), remedy);
}

}  // namespace

const Command& find_command(std::span<const std::string> words,
                            std::span<const Command* const> commands) {
  const auto found = std::ranges::find(commands, words[0], &Command::name);
  if (found == commands.end()) refuse_command(words, commands);
  return **found;
}

const Command& find_command(const std::string& name, std::span<const Command* const> commands) {
  return find_command(std::span(&name, 1), commands);
}

}  // namespace rope::app
