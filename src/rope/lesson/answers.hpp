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
/// Throws    DomainError if `letter` is not the letter of a choice.
Judgement judge_bet(const Bet& bet, std::string_view letter);

/// Judges a number as typed, "-6.9" or "−6.91": right if it agrees with the answer to the digits
/// typed, give or take one in the last digit. If the answer is a whole number, only that number
/// itself is right. The number must have at least three digits, or as many as the answer if the
/// answer has fewer. For a wrong number, the judgement names the known mistake, if any, that leads
/// to it; if several do, the nearest.
///
/// Throws    DomainError if the text is not a number.
Judgement judge_number(const Exercise& exercise, const std::string& typed);

/// The vectors of a task, their positions, and the rotary embedding to rotate them by.
struct RotationExample {
  RotaryEmbedding embedding;
  std::vector<float> x;                 ///< positions × d
  std::vector<std::int64_t> positions;  ///< 0, 1, 2 …
};

RotationExample example_of(const RotationTask& task);

/// Judges the rotated vectors: right if no number is farther from the exact one than float32
/// allows. Otherwise, if y is some other rotation of the vectors, the judgement names the parts of
/// the convention that differ.
///
/// Shapes    y: positions × d, row-major.
/// Throws    ShapeError if y does not have this many numbers.
Judgement judge_rotation(const RotationTask& task, std::span<const float> y);

}  // namespace rope::lesson
