#include "usage/man_page.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "usage/help.hpp"
#include "usage/shared_options.hpp"

namespace rope::app {
namespace {

/// Text that troff prints as it stands: no requests, no escapes, hyphens that can be copied. Where
/// the terminal is not UTF-8, troff has no ellipsis.
std::string escaped(std::string_view text) {
  constexpr std::string_view kEllipsis = "…";
  std::string plain(text);
  for (std::size_t at = 0; (at = plain.find(kEllipsis, at)) != std::string::npos;)
    plain.replace(at, kEllipsis.size(), "...");
  std::string result;
  for (const char c : plain) {
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n'))
      result += std::string("\\&") + c;
    else
      result += c;
  }
  return result;
}

std::string option_paragraph(const Option& option, const std::string& help) {
  std::string text = ".TP\n";
  if (!option.short_name.empty()) text += "\\fB" + escaped(option.short_name) + "\\fR, ";
  text += "\\fB" + escaped(option.name) + "\\fR";
  if (!option.value.empty()) text += " \\fI" + escaped(option.value) + "\\fR";
  return text + "\n" + escaped(help) + "\n";
}

/// The names of the options that a topic explains for this command.
std::string shared_names(const OptionSet& options, const Topic& topic) {
  std::string names;
  for (const Option& option : options.options())
    if (topic.shared(option) != nullptr)
      names += (names.empty() ? "\\fB" : ", \\fB") + escaped(option.name) + "\\fR";
  return names;
}

std::string command_section(const Command& command, const std::vector<Topic>& topics) {
  std::string text =
      ".SS rope " + std::string(command.name) + "\n" + escaped(command.summary) + "\n";
  const std::unique_ptr<Invocation> invocation = command.invocation();
  const OptionSet options = options_of(*invocation);
  if (options.operands().most > 0)
    text += ".TP\n\\fI" + escaped(options.operands().name) + "\\fR\n" +
            escaped(options.operands().help) + "\n";
  for (const Option& option : options.options()) {
    const bool shared = std::ranges::any_of(
        topics, [&](const Topic& topic) { return topic.shared(option) != nullptr; });
    if (!shared) text += option_paragraph(option, option.whole_help());
  }
  for (const Topic& topic : topics)
    if (const std::string names = shared_names(options, topic); !names.empty())
      text += ".PP\n" + std::string(topic.heading) + ": " + names + "\n";
  text += ".PP\nExamples:\n.PP\n.nf\n";
  for (const std::string_view example : command.examples) text += "    " + escaped(example) + "\n";
  return text + ".fi\n";
}

/// The options that commands share.
std::string topic_section(const Topic& topic) {
  std::string text = ".SS " + std::string(topic.heading) + "\n";
  for (const SharedOption& shared : topic.options)
    text += option_paragraph(shared.option, shared.whole_help());
  return text;
}

}  // namespace

std::string man_page(std::span<const Command* const> commands) {
  std::string text =
      ".TH ROPE 1 \"\" \"rope " ROPE_VERSION
      "\" \"User Commands\"\n"
      ".SH NAME\nrope \\- see, prove and debug rotary position embeddings\n"
      ".SH SYNOPSIS\n\\fBrope\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR]...\n"
      ".SH DESCRIPTION\n"
      "Shows what a rotary position embedding does, checks that scores depend on relative\n"
      "positions alone, within bounds on the rounding error, and draws how they fall with\n"
      "distance. Standard output carries the answer and nothing else; warnings and errors go to\n"
      "standard error. Files are written whole or not at all.\n"
      ".SH COMMANDS\n";
  const std::vector<Topic> topics = shared_options(commands);
  for (const Command* command : commands) text += command_section(*command, topics);
  text += ".SH SHARED OPTIONS\n";
  for (const Topic& topic : topics) text += topic_section(topic);
  text += ".SS Encodings\n";
  for (const OptionParameter& parameter : parameters_of(commands))
    text += ".TP\n\\fB" + escaped(parameter.option + " " + parameter.form) + "\\fR\n" +
            escaped(parameter.help) + "\n";
  text +=
      ".SH PROMISES\nCosines and sines of every position up to 2^53 are within 1.1e\\-16 of the "
      "exact values:\nthis was proved by machine. Rounding by itself does not exceed a bound of "
      "verify: the bounds were\nderived by hand, recomputed in interval arithmetic, and measured. "
      "The first positions of\nprecision and the smallest base of extend are found, certified or "
      "bracketed; the JSON\nstates which. docs/accuracy.md lists every\npromise with its kind of "
      "evidence.\n.SH EXIT STATUS\n";
  for (const auto& [code, meaning] : kExitStatus)
    text += ".TP\n\\fB" + std::string(code) + "\\fR\n" + escaped(meaning) + "\n";
  return text;
}

}  // namespace rope::app
