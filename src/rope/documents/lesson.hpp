#pragma once

#include <span>
#include <string>

#include "rope/io/json_value.hpp"
#include "rope/lesson/answers.hpp"
#include "rope/lesson/shown.hpp"

namespace rope {

/// Schema rope.lesson/1; docs/commands.md lists its fields.
io::JsonValue lesson_json(std::span<const lesson::ShownStep> steps);

/// Schema rope.lesson.answer/1: how an answer to a step is judged.
io::JsonValue judgement_json(const lesson::Step& step, const std::string& answer,
                             const lesson::Judgement& judgement);

}  // namespace rope
