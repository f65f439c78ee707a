#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "rope/language/language.hpp"
#include "rope/lesson/step.hpp"

namespace rope::lesson {

/// The kind in words: "exact", "to rounding", "a seeded example", "a habit of models".
std::string_view word(Kind kind, Language language);

/// "true", "false", "it depends": the verdict on what people say.
std::string_view judgement_word(const std::string& verdict, Language language);

/// The letter of the i-th choice.
char letter_of(std::size_t i);

/// The index of the right choice.
std::size_t right_choice(const Bet& bet);

/// A command of a step, with --lang added if its report exists in that language.
std::string command_line(const std::string& command, Language language);

/// The command that draws the picture of the step in a terminal.
std::string drawing_line(const Step& step, Language language);

/// "rope lesson 3 --answer NUMBER": the command that judges an answer to the exercise.
std::string checking_line(const Step& step, Language language);

}  // namespace rope::lesson
