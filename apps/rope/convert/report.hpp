#pragma once

#include "rope/documents/conversion.hpp"
#include "shown/console.hpp"

namespace rope::app {

void print_tensor(const OneTensor& one, const Console& console);
void print_checkpoint(const CheckpointPlan& plan, const Console& console);

}  // namespace rope::app
