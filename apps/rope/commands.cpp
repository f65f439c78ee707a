#include "commands.hpp"

#include <array>

namespace rope::app {

// Each stands in command.cpp of its folder.
extern const Command apply_command, attention_command, claims_command, compare_command,
    completion_command, convert_command, decay_command, diagnose_command, extend_command,
    glossary_command, help_command, inspect_command, lesson_command, matrix_command,
    precision_command, rotate_command, score_command, verify_command, wavelengths_command;

std::span<const Command* const> commands() {
  static constexpr std::array kCommands = {
      &lesson_command,   &rotate_command,  &score_command,       &attention_command,
      &glossary_command, &verify_command,  &diagnose_command,    &apply_command,
      &convert_command,  &decay_command,   &wavelengths_command, &precision_command,
      &extend_command,   &compare_command, &inspect_command,     &matrix_command,
      &claims_command,   &help_command,    &completion_command};
  return kCommands;
}

}  // namespace rope::app
