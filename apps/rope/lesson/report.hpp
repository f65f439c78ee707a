#pragma once

#include <span>
#include <string>

#include "rope/io/json_value.hpp"
#include "rope/lesson/answers.hpp"
#include "rope/lesson/shown.hpp"
#include "shown/console.hpp"
#include "shown/language.hpp"

namespace rope::app {

/// "exact", "to rounding", "a seeded example", "a habit of models".
std::string_view word(lesson::Kind kind, Language language);

/// "true", "false", "it depends": of what people say.
std::string_view judgement_word(const std::string& verdict, Language language);

/// The letter of the i-th choice.
char letter_of(std::size_t i);

/// The choice that is right.
std::size_t right_choice(const lesson::Bet& bet);

/// What draws the picture of the step in a terminal.
std::string drawing_line(const lesson::Step& step, Language language);

/// A line for each step.
void print_steps(std::span<const lesson::ShownStep> steps, Language language,
                 const Console& console);

/// The title of a step and its question.
void print_bet(const lesson::Step& step, std::size_t of, Language language, const Console& console);

/// What a class sees after the bet.
void print_shown(const lesson::ShownStep& shown, Language language, const Console& console);

/// The right choice, and why.
void print_answer(const lesson::Step& step, Language language, const Console& console);

void print_exercise(const lesson::Step& step, Language language, const Console& console);

/// "rope lesson 3 --answer NUMBER": the command that judges an answer to the exercise.
std::string checking_line(const lesson::Step& step, Language language);
void print_solution(const lesson::Step& step, Language language, const Console& console);

/// What the teacher alone reads.
void print_notes(const lesson::Step& step, Language language, const Console& console);

/// What became of an answer.
void print_judgement(const lesson::Judgement& judgement, Language language, const Console& console);

io::JsonValue lesson_json(std::span<const lesson::ShownStep> steps);

}  // namespace rope::app
