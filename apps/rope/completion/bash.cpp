#include <fmt/format.h>

#include <algorithm>

#include "completion/scripts.hpp"

namespace rope::app {
namespace {

/// What completes the value of an option, or an operand.
std::string bash_answer(const std::vector<std::string>& words, bool files) {
  std::string answer;
  if (!words.empty()) answer = " words='" + in_line(words) + "'";
  return files ? answer + " files=1" : answer;
}

/// One alternative of the case over "COMMAND OPTION".
std::string bash_case(const std::string& pattern, const std::string& answer) {
  return "      " + pattern + ")" + answer + " ;;\n";
}

/// For each option with a value: once if it is completed alike behind every command.
std::string bash_values(std::span<const CompletedCommand> commands) {
  struct Value {
    std::string_view command;
    std::string name, short_name, answer;
  };
  std::vector<Value> values;
  for (const CompletedCommand& command : commands)
    for (const Option& option : command.options)
      if (!option.value.empty())
        values.push_back(
            {command.name, option.name, option.short_name, bash_answer(option.words, option.file)});
  std::string text;
  std::vector<std::string> told;
  for (const Value& value : values) {
    const bool alike = std::ranges::all_of(values, [&](const Value& other) {
      return other.name != value.name || other.answer == value.answer;
    });
    if (alike && std::ranges::count(told, value.name) > 0) continue;
    told.push_back(value.name);
    const std::string command = alike ? "*" : std::string(value.command);
    std::string pattern = command + "\\ " + value.name;
    if (!value.short_name.empty()) pattern += " | " + command + "\\ " + value.short_name;
    text += bash_case(pattern, value.answer);
  }
  return text;
}

}  // namespace

std::string bash_script(std::span<const CompletedCommand> commands) {
  std::string names, options, operands;
  for (const CompletedCommand& command : commands) {
    names.append(command.name).append(" ");
    std::string own;
    for (const Option& option : command.options) own.append(" ").append(option.name);
    options += fmt::format("      {}) words='{}' ;;\n", command.name, own.substr(1));
    operands += bash_case(std::string(command.name) + "\\ *",
                          bash_answer(command.operands.choices(), command.operands.files));
  }
  return "# How bash completes rope; made by: rope completion bash\n"
         "_rope() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]} words= files=\n"
         "  if [[ $word == '=' ]]; then  # --layout=half is three words to bash\n"
         "    word=\n"
         "  elif [[ $option == '=' ]]; then\n"
         "    option=${COMP_WORDS[COMP_CWORD-2]}\n"
         "  fi\n"
         "  if ((COMP_CWORD == 1)); then\n"
         "    words='" +
         names +
         "--help --version --man'\n"
         "  elif [[ $word == -* ]]; then\n"
         "    case ${COMP_WORDS[1]} in\n" +
         options +
         "    esac\n"
         "  else\n"
         "    case \"${COMP_WORDS[1]} $option\" in\n" +
         bash_values(commands) + operands +
         "    esac\n"
         "  fi\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
         "  if [[ $files ]]; then\n"
         "    local IFS=$'\\n'\n"
         "    compopt -o filenames 2>/dev/null\n"
         "    COMPREPLY+=($(compgen -f -- \"$word\"))\n"
         "  fi\n"
         "}\n"
         "complete -F _rope rope\n";
}

}  // namespace rope::app
