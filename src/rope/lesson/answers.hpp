#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rope/lesson/step.hpp"
#include "rope/rotary/embedding.hpp"

namespace rope::lesson {

/// What is said about an answer.
struct Judgement {
  bool right = false;
  Text says;
  bool undecided = false;  ///< neither right nor wrong: typed with too few digits
};

/// Judges a bet: "a" is the first choice; capitals work too.
///
/// Throws    DomainError if it is not the letter of a choice.
Judgement judge_bet(const Bet& bet, std::string_view letter);

/// Judges a number as typed, "-6.9" or "−6.91": right if it is the answer to the digits typed, give
/// or take one in the last. So is exactly the whole number asked for. The digits must be three, or
/// as many as the answer has. Otherwise, the nearest known mistake that leads there, if any.
///
/// Throws    DomainError if it is not a number.
Judgement judge_number(const Exercise& exercise, const std::string& typed);

/// The vectors of a task and the rotation it asks for.
struct RotationExample {
  RotaryEmbedding embedding;
  std::vector<float> x;                 ///< positions × d
  std::vector<std::int64_t> positions;  ///< 0, 1, 2 …
};

RotationExample example_of(const RotationTask& task);

/// Judges the rotated vectors: right if no number is farther off than float32 allows; otherwise,
/// the parts of the convention that differ, if y is a rotation at all.
///
/// Shapes    y: positions × d, row-major.
/// Throws    ShapeError for a different count of numbers.
Judgement judge_rotation(const RotationTask& task, std::span<const float> y);

}  // namespace rope::lesson
