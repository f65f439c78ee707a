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
constexpr std::string_view kPictures =
    "decay, wavelengths, precision, extend, compare and matrix draw";
constexpr std::string_view kLists = "inspect lists the presets, precision the policies";
constexpr std::string_view kRotates = "apply rotates vectors";
constexpr std::string_view kScores = "score is the dot product of a rotated q and k";
constexpr std::string_view kChecks = "verify checks the identity";
constexpr std::array<ForeignWord, 25> kForeignWords = {{
    {"plot", kPictures, "rope decay"},
    {"draw", kPictures, "rope decay"},
    {"show", kPictures, "rope decay"},
    {"view", kPictures, "rope decay"},
    {"visualize", kPictures, "rope decay"},
    {"visualise", kPictures, "rope decay"},
    {"list", kLists, "rope inspect --list"},
    {"ls", kLists, "rope inspect --list"},
    {"models", kLists, "rope inspect --list"},
    {"presets", kLists, "rope inspect --list"},
    {"policies", kLists, "rope precision --list"},
    {"model", "inspect tells what a model uses", "rope inspect llama-3.1-8b"},
    {"config", "inspect tells what a model uses", "rope inspect llama-3.1-8b"},
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

[[noreturn]] void refuse_command(const std::string& word,
                                 std::span<const Command* const> commands) {
  if (word.starts_with('-')) {
    const std::string likely = likely_word(word, {"--help", "--version", "--man"});
    throw Error(ErrorKind::invalid_input, "expected a command, got " + io::in_quotes(word),
                likely.empty() ? "Options follow the command: rope decay --dim 64. rope --help "
                                 "lists the commands."
                               : "Did you mean " + likely + "?");
  }
  std::string remedy = "rope --help lists the commands.";
  std::vector<std::string> known;
  for (const Command* command : commands) known.emplace_back(command->name);
  const auto* const foreign = std::ranges::find(kForeignWords, word, &ForeignWord::word);
  if (foreign != kForeignWords.end())
    remedy = std::string(foreign->ours) + ": " + std::string(foreign->command);
  else if (const std::string likely = likely_word(word, known); !likely.empty())
    remedy = "Did you mean " + likely + "?";
  throw Error(ErrorKind::invalid_input, "unknown command " + io::in_quotes(word), remedy);
}

}  // namespace

const Command& find_command(const std::string& name, std::span<const Command* const> commands) {
  const auto found = std::ranges::find(commands, name, &Command::name);
  if (found == commands.end()) refuse_command(name, commands);
  return **found;
}

}  // namespace rope::app
