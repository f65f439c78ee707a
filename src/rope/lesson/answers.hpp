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

/// The judgement on an answer.
struct Judgement {
  bool right = false;
  Text says;
  bool undecided = false;  ///< neither right nor wrong: typed with too few digits
};

/// Judges a bet: "a" is the first choice; capitals work too.
///
/// Throws    DomainError if `letter` is not that of a choice.
Judgement judge_bet(const Bet& bet, std::string_view letter);

/// Judges a number as typed, "-6.9" or "−6.91": right if it equals the answer to the digits typed,
/// give or take one in the last. If the answer is a whole number, only that number itself is right.
/// At least three digits are needed, or as many as the answer has. For any other number, the
/// judgement names the nearest known mistake that leads to it, if there is one.
///
/// Throws    DomainError if the text is not a number.
Judgement judge_number(const Exercise& exercise, const std::string& typed);

/// The vectors of a task and the rotation it asks for.
struct RotationExample {
  RotaryEmbedding embedding;
  std::vector<float> x;                 ///< positions × d
  std::vector<std::int64_t> positions;  ///< 0, 1, 2 …
};

RotationExample example_of(const RotationTask& task);

/// Judges the rotated vectors: right if no number is farther off than float32 allows. Otherwise,
/// the judgement names the parts of the convention that differ, if y is a rotation at all.
///
/// Shapes    y: positions × d, row-major.
/// Throws    ShapeError if the count of numbers differs.
Judgement judge_rotation(const RotationTask& task, std::span<const float> y);

}  // namespace rope::lesson
