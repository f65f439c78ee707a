#pragma once

#include "command.hpp"

namespace rope::app {

extern const Command apply_command;        // apply_command.cpp
extern const Command convert_command;      // convert_command.cpp
extern const Command matrix_command;       // matrix_command.cpp
extern const Command decay_command;        // decay_command.cpp
extern const Command wavelengths_command;  // wavelengths_command.cpp
extern const Command verify_command;       // verify_command.cpp
extern const Command precision_command;    // precision_command.cpp
extern const Command inspect_command;      // inspect_command.cpp
extern const Command diagnose_command;     // diagnose_command.cpp
extern const Command extend_command;       // extend_command.cpp
extern const Command compare_command;      // compare_command.cpp

}  // namespace rope::app
