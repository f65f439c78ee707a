#pragma once

#include <span>

#include "rope/io/json_value.hpp"
#include "rope/lesson/shown.hpp"

namespace rope {

/// Schema rope.lesson/1; docs/commands.md lists its fields.
io::JsonValue lesson_json(std::span<const lesson::ShownStep> steps);

}  // namespace rope
