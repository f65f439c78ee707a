#pragma once

#include <span>
#include <string>

#include "rope/lesson/answers.hpp"
#include "rope/lesson/shown.hpp"
#include "rope/lesson/words.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// Prints a line for each step.
void print_steps(std::span<const lesson::ShownStep> steps, Language language,
                 const Console& console);

/// Prints the title of a step and its question.
void print_bet(const lesson::Step& step, std::size_t of, Language language, const Console& console);

/// Prints what a class sees after it has bet on an answer.
void print_shown(const lesson::ShownStep& shown, Language language, const Console& console);

/// Prints the right choice, and why it is right.
void print_answer(const lesson::Step& step, Language language, const Console& console);

void print_exercise(const lesson::Step& step, Language language, const Console& console);

void print_solution(const lesson::Step& step, Language language, const Console& console);

/// Prints the notes for the teacher.
void print_notes(const lesson::Step& step, Language language, const Console& console);

/// After a wrong answer that is not a letter, prints the question that it was taken to answer.
void print_what_was_answered(const lesson::Step& step, Language language, const Console& console);

/// Prints how an answer was judged.
void print_judgement(const lesson::Judgement& judgement, Language language, const Console& console);

}  // namespace rope::app
