#include "usage/man_page.hpp"

#include <string_view>

#include "usage/help.hpp"

namespace rope::app {
namespace {

/// Text that troff prints as it stands: no requests, no escapes, hyphens that can be copied.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
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

std::string option_paragraph(const Option& option) {
  std::string text = ".TP\n";
  if (!option.short_name.empty()) text += "\\fB" + escaped(option.short_name) + "\\fR, ";
  text += "\\fB" + escaped(option.name) + "\\fR";
  if (!option.value.empty()) text += " \\fI" + escaped(option.value) + "\\fR";
  return text + "\n" + escaped(option.whole_help()) + "\n";
}

std::string command_section(const Command& command) {
  std::string text =
      ".SS rope " + std::string(command.name) + "\n" + escaped(command.summary) + "\n";
  const std::unique_ptr<Invocation> invocation = command.invocation();
  const OptionSet options = options_of(*invocation);
  if (options.operands().most > 0)
    text += ".TP\n\\fI" + escaped(options.operands().name) + "\\fR\n" +
            escaped(options.operands().help) + "\n";
  for (const Option& option : options.options()) {
    text += option_paragraph(option);
    for (const OptionParameter& parameter : options.parameters())
      if (parameter.option == option.name)
        text += ".TP\n\\fB" + escaped(option.name + " " + parameter.form) + "\\fR\n" +
                escaped(parameter.help) + "\n";
  }
  text += ".PP\nExamples:\n.PP\n.nf\n";
  for (const std::string_view example : command.examples) text += "    " + escaped(example) + "\n";
  return text + ".fi\n";
}

}  // namespace

std::string man_page(std::span<const Command* const> commands) {
  std::string text =
      ".TH ROPE 1 \"\" \"rope " ROPE_VERSION
      "\" \"User Commands\"\n"
      ".SH NAME\nrope \\- see, prove and debug rotary position embeddings\n"
      ".SH SYNOPSIS\n\\fBrope\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR]...\n"
      ".SH DESCRIPTION\n"
      "Shows what a rotary position embedding does, proves that scores depend on relative "
      "positions\n"
      "alone, within the rounding error they must have, and draws how they fall with distance.\n"
      "Standard output carries the answer and nothing else; warnings and errors go to standard\n"
      "error. Files appear whole or not at all.\n"
      ".SH COMMANDS\n";
  for (const Command* command : commands) text += command_section(*command);
  text += ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : kExitStatus)
    text += ".TP\n\\fB" + std::string(code) + "\\fR\n" + escaped(meaning) + "\n";
  return text;
}

}  // namespace rope::app
