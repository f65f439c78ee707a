#include "usage/meant.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "rope/parameters/suggest.hpp"

namespace rope::app {
namespace {

/// What others call an option of ours, with - or with _ between its words.
struct ForeignName {
  std::string_view theirs;
  std::string_view ours;
  std::string_view because;
};
constexpr std::array<ForeignName, 37> kForeignNames = {{
    {"--theta", "--base", "config files call the base rope_theta"},
    {"--rope-theta", "--base", "config files call the base rope_theta"},
    {"--head-dim", "--dim", "--dim is the size of one head"},
    {"--rope-freq-base", "--base", "llama.cpp's rope.freq_base"},
    {"--rope-scaling", "--scaling", "--scaling RULE:K=V,..."},
    {"--max-position-embeddings", "--max-positions", "the model's context length, in tokens"},
    {"--partial-rotary-factor", "--rotary-dim", "the rotated dimensions, not their share"},
    {"--interleaved", "--layout interleaved", "or --layout half"},
    {"--neox", "--layout half", "or --layout interleaved"},
    {"--q", "--query", "the vector of the token that asks"},
    {"--k", "--key", "the vector of the token that is asked"},
    {"--m", "--positions", "the positions m of q"},
    {"--n", "--distance", "n - m, from q to k"},
    {"--n", "--positions", "M,N sets both"},
    {"--tolerance", "--require", "a larger error fails"},
    {"--atol", "--require", "a larger error fails"},
    {"--rtol", "--require", "a larger error fails"},
    {"--offset", "--start", "the position of the first token"},
    {"--max-distance", "--distances", "for example --distances 0:4096"},
    {"--max-position", "--distances", "for example --distances 0:4096"},
    {"--max-position", "--context", "the tokens over which turns are counted"},
    {"--context", "--distances", "for example --distances 0:4096"},
    {"--factor", "--to", "the target length in tokens, not a factor"},
    {"--causal", "--mask causal", "or --mask none"},
    {"--dtype", "--policy", "the formats of a pipeline"},
    {"--preset", "--model", "a preset by its name"},
    {"--before", "--input", "the vectors before the rotation"},
    {"--after", "--result", "the vectors after the rotation"},
    {"--no-color", "--color never", "or --color always"},
    {"--no-colour", "--color never", "or --color always"},
    {"--csv", "-o FILE.csv", "the extension sets the format"},
    {"--png", "-o FILE.png", "the extension sets the format"},
    {"--svg", "-o FILE.svg", "the extension sets the format"},
    {"--pdf", "-o FILE.pdf", "the extension sets the format"},
    {"--plot", "-o FILE.png", "--show draws in the terminal"},
    {"--save", "-o FILE", "the extension sets the format"},
    {"--out", "-o FILE", "the extension sets the format"},
}};

/// Whether the command has what ours of a foreign name says: the option, and of -o FILE.png the
/// format.
bool has_ours(const OptionSet& options, std::string_view ours) {
  if (options.find(ours.substr(0, ours.find(' '))) == nullptr) return false;
  const std::size_t point = ours.rfind('.');
  const Option* const format = options.find("--format");
  return point == std::string_view::npos ||
         (format != nullptr && std::ranges::count(format->words, ours.substr(point + 1)) > 0);
}

/// The options that begin with the letter of "-d"; empty where none or many do.
std::string of_letter(const OptionSet& options, std::string_view name) {
  constexpr std::size_t kMost = 5;
  if (name.size() != 2 || name.front() != '-') return {};
  std::vector<std::string_view> meant;
  for (const Option& option : options.options())
    if (option.name.size() > 2 && option.name[2] == name[1]) meant.push_back(option.name);
  return meant.size() > kMost ? std::string() : alternatives(meant);
}

constexpr std::string_view kText = "TEXT";  // what stands for a value of several words

/// What people write before a file that needs no option.
constexpr std::array<std::string_view, 4> kInputNames = {"--input", "--in", "--file", "-i"};

/// "--encoding t5:max_distance=N" for --max-distance: what is no option and a parameter of one.
std::string parameter_meant(const OptionSet& options, std::string_view word) {
  const auto as_name = [](std::string text) {
    std::ranges::replace(text, '-', '_');
    return text;
  };
  const std::string name =
      as_name(std::string(word.substr(std::min(word.find_first_not_of('-'), word.size()))));
  for (const OptionParameter& parameter : options.parameters())
    if (name == parameter.name || name == as_name(parameter.owner + "_" + parameter.name))
      return parameter.option + " " + parameter.form;
  return {};
}

/// The words from `first` up to the next option, with blanks between.
std::string words_until_option(const std::vector<std::string>& words,
                               std::vector<std::string>::const_iterator first) {
  std::string text;
  for (; first != words.end() && !first->starts_with('-'); ++first)
    text += (text.empty() ? "" : " ") + *first;
  return text;
}

/// What is meant by a word behind `before`: one that belongs to a list, "--base 1e4, 1e6" and
/// "--base 1e4 1e6", or to a text, "--text dog bites man". Empty if nothing is certain.
std::string list_meant(const OptionSet& options, const std::vector<std::string>& words,
                       std::vector<std::string>::const_iterator found) {
  const std::string& before = *std::prev(found);
  if (before.ends_with(',')) {
    std::string list = before;
    for (auto word_of_list = found; list.ends_with(',') && word_of_list != words.end();)
      list += *word_of_list++;
    return "Did you mean " + list + "? A list is one word: write it without spaces, or in quotes.";
  }
  const Option* option =
      std::prev(found) == words.begin() ? nullptr : options.find(*std::prev(found, 2));
  if (option != nullptr && option->value == kText)
    return "Did you mean " + option->name + " \"" + words_until_option(words, std::prev(found)) +
           "\"? Put words separated by spaces in quotes.";
  if (option == nullptr || !option->listed || option->times == Times::once) return {};
  return "Did you mean " + option->name + " " + before + "," + *found +
         "? Separate several values with commas.";
}

/// What is meant by the name of a file where none is taken, or one too many: a model's, or that of
/// an output. Empty if it is neither.
std::string file_meant(const OptionSet& options, const std::string& word) {
  std::error_code none;
  const bool there = std::filesystem::is_regular_file(word, none);
  const std::string ending = plain_word(std::filesystem::path(word).extension().string());
  if (there && ending == ".json" && options.find("--config") != nullptr)
    return "Did you mean --config " + word + "?";
  const Option* const format = options.find("--format");
  if (ending.size() < 2 || format == nullptr ||
      std::ranges::count(format->words, ending.substr(1)) == 0)
    return {};
  return "Did you mean -o " + word + "? Put -o before the name of an output file.";
}

}  // namespace

std::string remedy_for_word(const OptionSet& options, const std::vector<std::string>& words,
                            std::string_view word, std::string otherwise) {
  if (plain_word(word) == "help") return "Did you mean --help?";
  for (const Option& option : options.options())
    if (std::ranges::count(option.words, plain_word(word)) > 0)
      return "Did you mean " + option.name + " " + plain_word(word) + "?";
  auto found = std::ranges::find(words, word);
  if (options.operands().most > 0)  // of two equal words the second is too many
    for (auto next = found; next != words.end(); next = std::find(next + 1, words.end(), word))
      found = next;
  if (found != words.end() && found != words.begin())
    if (std::string meant = list_meant(options, words, found); !meant.empty()) return meant;
  if (std::string meant = file_meant(options, std::string(word)); !meant.empty()) return meant;
  const Option* const text = options.find("--text");
  if (text != nullptr && text->value == kText && found != words.end())
    return "Did you mean --text \"" + words_until_option(words, found) + "\"?";
  return otherwise;
}

std::string remedy_for_option(const OptionSet& options, std::string_view name,
                              const OptionElsewhere& elsewhere) {
  std::string theirs(name);
  std::ranges::replace(theirs, '_', '-');
  const auto* const foreign = std::ranges::find_if(kForeignNames, [&](const ForeignName& one) {
    return one.theirs == theirs && has_ours(options, one.ours);
  });
  if (foreign != kForeignNames.end())
    return "Did you mean " + std::string(foreign->ours) + "? (" + std::string(foreign->because) +
           ")";
  if (const std::string meant = parameter_meant(options, name); !meant.empty())
    return "Did you mean " + meant + "?";
  std::vector<std::string> known;
  for (const Option& option : options.options()) known.push_back(option.name);
  const std::string command = elsewhere ? elsewhere(name) : std::string();
  const std::string others = command.empty() ? "" : " is an option of rope " + command + ".";
  if (const std::string likely = likely_word(name, known); !likely.empty()) {
    const bool plural = name.starts_with(likely);  // no other option was meant
    return "Did you mean " + likely + "?" +
           (others.empty() || plural ? "" : " " + std::string(name) + others);
  }
  if (std::ranges::count(kInputNames, name) > 0 && options.operands().files)
    return "Files need no option before them: " + options.operands().name + ".";
  if (const std::string meant = of_letter(options, name); !meant.empty())
    return "Did you mean " + meant + "?";
  if (name == "--list" && !options.operands().lists.empty()) return options.operands().lists;
  if (!others.empty()) return "It" + others;
  return "The option --help lists all options.";
}

}  // namespace rope::app
