#include "usage/help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "shown/text.hpp"
#include "usage/help_text.hpp"
#include "usage/shared_options.hpp"

namespace rope::app {
namespace {

/// The commands whose first examples the program's help shows.
constexpr std::array<std::string_view, 5> kShownFirst = {"rotate", "verify", "diagnose", "decay",
                                                         "inspect"};

/// "-o, --output FILE"
std::string form_of(const Option& option, std::string_view between = ", ") {
  std::string form = option.short_name;
  if (!form.empty()) form += between;
  form += option.name;
  return option.value.empty() ? form : form + " " + option.value;
}

/// Options that other commands have too, named.
std::string shared_list(const OptionSet& options, const Topic& topic) {
  std::vector<std::string> names, repeated;
  for (const Option& option : options.options()) {
    const SharedOption* shared = topic.shared(option);
    if (shared == nullptr) continue;
    names.push_back(form_of(option, "/"));
    if (option.times == Times::many && !shared->once.empty()) repeated.push_back(option.name);
  }
  std::string text = names.empty() ? "" : wrapped_list(names, 2);
  if (!repeated.empty()) {
    repeated.front().insert(0, "may be repeated here: ");
    text += wrapped_list(repeated, 2);
  }
  return text;
}

/// The options under one heading: what the command explains itself, then the names of the others.
std::string group_text(const OptionSet& options, const std::string& group,
                       const std::vector<Topic>& topics) {
  const auto topic = std::ranges::find(topics, group, &Topic::heading);
  std::string text = "\n" + group;
  text += topic == topics.end() ? ":\n" : " (rope help " + std::string(topic->word) + "):\n";
  for (const Option& option : options.options()) {
    if (option.group != group) continue;
    if (topic == topics.end() || topic->shared(option) == nullptr)
      text += entry(form_of(option), option.whole_help());
  }
  if (topic != topics.end()) text += shared_list(options, *topic);
  return text;
}

std::string usage_lines(const Command& command, const OptionSet& options) {
  std::string text = std::string(command.summary) + "\n\nUsage: rope " + std::string(command.name) +
                     " [OPTION]...";
  if (options.operands().most > 0) text += " " + options.operands().name;
  return text + "\n";
}

std::string example_lines(std::span<const std::string_view> examples) {
  std::string text = "\nExamples:\n";
  for (const std::string_view example : examples) text += "  " + std::string(example) + "\n";
  return text;
}

/// The first words of the option's help, with its default where there is room.
std::string brief_text(const Option& option, std::size_t width) {
  std::string whole = option.help;
  if (!option.standard.empty()) whole += " (default: " + option.standard + ")";
  return display_width(whole) <= width ? whole : std::string(first_clauses(option.help, width));
}

std::string brief_help(const Command& command, const OptionSet& options) {
  std::vector<const Option*> shown;
  std::size_t indent = 0;
  for (const Option& option : options.options()) {
    if (!option.often_used) continue;
    shown.push_back(&option);
    indent = std::max(indent, display_width(form_of(option)) + 4);
  }
  std::stable_partition(shown.begin(), shown.end(), [](const Option* option) {
    return !has_topic(option->group);  // what the command has of its own comes first
  });
  std::string text = usage_lines(command, options) + "\n";
  for (const Option* option : shown)
    text += entry(form_of(*option), brief_text(*option, kHelpWidth - indent), indent);
  const auto examples = command.examples.first(std::min<std::size_t>(2, command.examples.size()));
  return text + example_lines(examples) + "\nrope " + std::string(command.name) +
         " --help lists all options.\n";
}

std::string whole_help(const Command& command, const OptionSet& options,
                       std::span<const Command* const> commands) {
  std::string text = usage_lines(command, options);
  if (options.operands().most > 0)
    text += "\n" + entry(options.operands().name, options.operands().help);
  const std::vector<Topic> topics = shared_options(commands);
  std::string group;
  for (const Option& option : options.options()) {
    if (option.group == group) continue;
    group = option.group;
    text += group_text(options, group, topics);
  }
  text += example_lines(command.examples);
  if (!command.terms.empty()) {
    std::vector<std::string> terms;
    terms.reserve(command.terms.size());
    for (const std::string_view term : command.terms) terms.push_back(for_locale(term));
    terms.front().insert(0, "Terms: ");
    terms.back() += " (rope glossary TERM)";
    text += "\n" + wrapped_list(terms, 0);
  }
  return text;
}

/// The commands, each on one line behind the purpose that it serves.
std::string command_lines(std::span<const Command* const> commands) {
  constexpr std::size_t kPurpose = 9, kName = 13;
  std::string text;
  std::string_view purpose;
  for (const Command* command : commands) {
    std::string line(command->purpose == purpose ? "" : command->purpose);
    purpose = command->purpose;
    line.resize(kPurpose, ' ');
    line += command->name;
    line.resize(kPurpose + kName, ' ');
    text += line.append(command->summary.substr(0, command->summary.size() - 1)) + "\n";
  }
  return text;
}

std::string parameter_text(const std::vector<OptionParameter>& parameters) {
  std::string text = "Parameters for " + parameters.front().option + ", as in " +
                     parameters.front().owner + ":" + parameters.front().name + "=...:\n";
  for (const OptionParameter& parameter : parameters) text += entry(parameter.form, parameter.help);
  return text;
}

std::string topic_text(const Topic& topic) {
  std::string text = std::string(topic.heading) + ":\n";
  for (const SharedOption& shared : topic.options)
    text += entry(form_of(shared.option), shared.whole_help());
  return text;
}

}  // namespace

OptionSet options_of(Invocation& invocation) {
  OptionSet options;
  invocation.declare(options);
  invocation.general.declare(options);
  return options;
}

std::string program_help(std::span<const Command* const> commands, HelpLength length) {
  std::string text =
      "New here? rope lesson 1\nUsage: rope COMMAND [OPTION]...\n\n" + command_lines(commands);
  if (length == HelpLength::brief)
    return text +
           "\nrope COMMAND -h shows its common options, --help all; rope --help shows more.\n";
  std::vector<std::string_view> examples;
  for (const Command* command : commands)
    if (std::ranges::count(kShownFirst, command->name) > 0)
      examples.push_back(command->examples.front());
  text += example_lines(examples);
  text +=
      "\nrope COMMAND --help explains all options; -h shows only the common ones.\nrope --version "
      "prints the version; rope --man | man -l - shows the manual page.\n";
  std::vector<std::string> exits;
  exits.reserve(kExitStatus.size());
  for (const auto& [code, meaning] : kExitStatus)
    exits.push_back(fmt::format("{} {}", code, meaning));
  exits.front().insert(0, "Exit status: ");
  return text + wrapped_list(exits, 0);
}

std::string command_help(const Command& command, std::span<const Command* const> commands,
                         HelpLength length) {
  const std::unique_ptr<Invocation> invocation = command.invocation();
  const OptionSet options = options_of(*invocation);
  return length == HelpLength::brief ? brief_help(command, options)
                                     : whole_help(command, options, commands);
}

std::string topic_help(std::string_view topic, std::span<const Command* const> commands) {
  if (topic == kParameterTopic) return parameter_text(parameters_of(commands));
  std::string text;
  for (const Topic& shared : shared_options(commands))
    if (topic == "options" || topic == shared.word)
      text += (text.empty() ? "" : "\n") + topic_text(shared);
  return text;
}

}  // namespace rope::app
