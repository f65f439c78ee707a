#include "usage/help.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

namespace rope::app {
namespace {

constexpr std::size_t kWidth = 80;
constexpr std::size_t kIndent = 24;  // where explanations begin

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// `left`, then `text` from column kIndent on, wrapped at blanks.
std::string entry(const std::string& left, std::string_view text) {
  std::string result;
  std::string line = "  " + left;
  if (characters(line) + 2 > kIndent) {
    result = line + "\n";
    line.clear();
  }
  line.append(kIndent - characters(line), ' ');
  bool first = true;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!first && characters(line) + 1 + characters(word) > kWidth) {
      result += line + "\n";
      line = std::string(kIndent, ' ');
      first = true;
    }
    if (!first) line += ' ';
    line += word;
    first = false;
  }
  return result + line + "\n";
}

std::string option_entry(const Option& option) {
  std::string left = option.short_name.empty() ? "" : option.short_name + ", ";
  left += option.name;
  if (!option.value.empty()) left += " " + option.value;
  return entry(left, option.whole_help());
}

/// The parameters that an option takes, under a heading of their own.
std::string parameter_group(const OptionSet& options, const Option& option) {
  std::string text;
  for (const OptionParameter& parameter : options.parameters()) {
    if (parameter.option != option.name) continue;
    if (text.empty()) text = "\nParameters of " + option.name + ":\n";
    text += entry(parameter.form, parameter.help);
  }
  return text;
}

}  // namespace

OptionSet options_of(Invocation& invocation) {
  OptionSet options;
  invocation.declare(options);
  invocation.general.declare(options);
  return options;
}

std::string program_help(std::span<const Command* const> commands) {
  std::string text =
      "See, prove and debug rotary position embeddings (RoPE).\n\n"
      "Usage: rope COMMAND [OPTION]...\n       rope COMMAND --help\n\nCommands:\n";
  for (const Command* command : commands)
    text += entry(std::string(command->name), command->summary);
  text += "\nOptions:\n";
  text += entry("-h, --help", "this text");
  text += entry("-V, --version", "the version");
  text += entry("--man", "the manual page, in troff: rope --man | man -l -");
  text += "\nExamples:\n";
  for (const Command* command : commands)
    text += "  " + std::string(command->examples.front()) + "\n";
  text += "\nExit status:\n";
  for (const auto& [code, meaning] : kExitStatus)
    text += "  " + std::string(code) + "  " + std::string(meaning) + "\n";
  return text;
}

std::string command_help(const Command& command) {
  const std::unique_ptr<Invocation> invocation = command.invocation();
  const OptionSet options = options_of(*invocation);
  const Operands& operands = options.operands();
  std::string text = std::string(command.summary) + "\n\nUsage: rope " + std::string(command.name) +
                     " [OPTION]...";
  if (operands.most > 0) text += " " + operands.name;
  text += "\n";
  if (operands.most > 0) text += "\n" + entry(operands.name, operands.help);
  std::string group, parameters;
  for (const Option& option : options.options()) {
    if (option.group != group) {
      group = option.group;
      text += parameters;
      text += "\n" + group + ":\n";
      parameters.clear();
    }
    text += option_entry(option);
    parameters += parameter_group(options, option);
  }
  text += parameters;
  text += "\nExamples:\n";
  for (const std::string_view example : command.examples)
    text += "  " + std::string(example) + "\n";
  return text;
}

}  // namespace rope::app
