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

/// What is said of an answer.
struct Judgement {
  bool right = false;
  Text says;
  bool undecided = false;  ///< neither right nor wrong: typed to too few digits
};

/// Of a bet, "a" the first choice; in capitals too.
///
/// Throws    DomainError for what is no letter of a choice.
Judgement judge_bet(const Bet& bet, std::string_view letter);

/// Of a number as it was typed, "-6.9" or "−6.91": right if it is the answer to the digits typed,
/// three of them or as many as the answer has, give or take one in the last, or the very whole
/// number that is asked for; else the nearest mistake that leads there, if one of those known does.
///
/// Throws    DomainError for what is no number.
Judgement judge_number(const Exercise& exercise, const std::string& typed);

/// The vectors of a task and the rotation it asks for.
struct RotationExample {
  RotaryEmbedding embedding;
  std::vector<float> x;                 ///< positions × d
  std::vector<std::int64_t> positions;  ///< 0, 1, 2 …
};

RotationExample example_of(const RotationTask& task);

/// Of the rotated vectors: right if no number is further off than float32 allows; else the parts of
/// the convention that are another one's, if y is a rotation at all.
///
/// Shapes    y: positions × d, row-major.
/// Throws    ShapeError for another number of numbers.
Judgement judge_rotation(const RotationTask& task, std::span<const float> y);

}  // namespace rope::lesson
