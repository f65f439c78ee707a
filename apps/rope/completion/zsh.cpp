#include "completion/scripts.hpp"
#include "usage/help_text.hpp"

namespace rope::app {
namespace {

constexpr std::size_t kZshDescription = 60;

/// Text for a place in single quotes where the signs mean something.
std::string zsh_text(std::string_view text, std::string_view signs) {
  std::string result;
  for (const char c : text) {
    if (c == '\'')
      result += "'\\''";
    else if (signs.find(c) != std::string_view::npos)
      result.append("\\").append(1, c);
    else
      result += c;
  }
  return result;
}

/// Behind the message of a value or an operand: what completes it.
std::string zsh_action(const std::vector<std::string>& words, bool files) {
  if (words.empty()) return files ? "_files" : " ";
  const std::string list = "(" + in_line(words) + ")";
  return files ? R"(_alternative "words:word:)" + list + R"(" "files:file:_files")" : list;
}

std::string zsh_option(const Option& option) {
  const std::string repeated = option.times == Times::many ? "*" : "";
  const std::string equals = option.value.empty() ? "" : "=";
  std::string spec = "[" + zsh_text(first_clauses(option.help, kZshDescription), "[]\\") + "]";
  if (!option.value.empty())
    spec += ":" + zsh_text(option.value, ":\\") + ":" + zsh_action(option.words, option.file);
  spec += "'";
  if (option.short_name.empty()) return "'" + repeated + option.name + equals + spec;
  const std::string excluded =
      repeated.empty() ? "(" + option.short_name + " " + option.name + ")" : repeated;
  return "'" + excluded + "'{" + option.short_name + "," + option.name + equals + "}'" + spec;
}

std::string zsh_operands(const Operands& operands) {
  if (operands.most == 0) return {};
  return " \\\n        '*:" + zsh_text(operands.name, ":\\") + ":" +
         zsh_action(operands.choices(), operands.files) + "'";
}

}  // namespace

std::string zsh_script(std::span<const CompletedCommand> commands) {
  std::string names, cases;
  for (const CompletedCommand& command : commands) {
    names += "      '" + std::string(command.name) + ":" + zsh_text(command.summary, ":\\") + "'\n";
    cases += "    " + std::string(command.name) + ")\n      _arguments";
    for (const Option& option : command.options) cases += " \\\n        " + zsh_option(option);
    cases += zsh_operands(command.operands) + " ;;\n";
  }
  return "#compdef rope\n"
         "# How zsh completes rope; made by: rope completion zsh\n"
         "_rope() {\n"
         "  if ((CURRENT == 2)); then\n"
         "    local -a commands=(\n" +
         names +
         "    )\n"
         "    _describe command commands\n"
         "    return\n"
         "  fi\n"
         "  local command=$words[2]\n"
         "  shift words\n"
         "  ((CURRENT--))\n"
         "  case $command in\n" +
         cases +
         "  esac\n"
         "}\n"
         "if [[ $funcstack[1] == _rope ]]; then\n"
         "  _rope \"$@\"\n"
         "else\n"
         "  compdef _rope rope\n"
         "fi\n";
}

}  // namespace rope::app
