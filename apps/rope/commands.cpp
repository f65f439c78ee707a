#include "commands.hpp"

#include <array>

namespace rope::app {

std::span<const Command* const> commands() {
  static constexpr std::array kCommands = {
      &matrix_command,    &apply_command, &convert_command,     &verify_command,  &diagnose_command,
      &precision_command, &decay_command, &wavelengths_command, &inspect_command, &extend_command};
  return kCommands;
}

}  // namespace rope::app
