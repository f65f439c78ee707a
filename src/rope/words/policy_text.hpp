#pragma once

#include <cstdint>
#include <string>

#include "rope/language/language.hpp"
#include "rope/precision/policy.hpp"

namespace rope {

/// "θ f32, position f32 → angle f32 → cos, sin bf16 → rotate bf16 → store bf16 → sum f32"
std::string stages_text(const Policy& policy, Language language = Language::en);

/// "positions beyond 256 collide in bfloat16. ", to be followed by other text; empty if
/// `furthest_position` is not beyond that limit.
std::string collision_text(const Policy& policy, std::int64_t furthest_position,
                           Language language = Language::en);

}  // namespace rope
