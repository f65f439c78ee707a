#include "rope/lesson/handout.hpp"

#include <fmt/format.h>

#include "rope/io/npy.hpp"
#include "rope/lesson/answers.hpp"
#include "rope/lesson/handout_phrases.hpp"

namespace rope::lesson {

std::string in_brackets(std::string_view text, Language language) {
  return language == Language::zh ? fmt::format("（{}）", text) : fmt::format("({})", text);
}

std::string picture_name(const Step& step) {
  return fmt::format("pictures/{:02}-{}.png", step.number, step.id);
}

std::string vectors_npy(const RotationTask& task) {
  const RotationExample example = example_of(task);
  return io::to_npy({task.positions, task.dim}, example.x);
}

}  // namespace rope::lesson
