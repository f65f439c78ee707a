#pragma once

#include <string>

#include "rope/precision/policy.hpp"

namespace rope::app {

/// "θ f32, position f32 → angle f32 → cos, sin bf16 → rotate bf16 → store bf16 → sum f32"
std::string stages_text(const Policy& policy);

}  // namespace rope::app
