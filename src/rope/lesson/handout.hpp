#pragma once

#include <span>
#include <string>

#include "rope/language/language.hpp"
#include "rope/lesson/shown.hpp"

namespace rope::lesson {

/// The steps in a handout, its language and its colours.
struct Handout {
  std::span<const ShownStep> steps;
  Language language = Language::en;
  bool dark = false;
};

/// The handout as a self-contained HTML page: pictures embedded, formulas as MathML, no scripts.
/// `pictures`: the PNG of each step.
std::string lesson_page(const Handout& handout, std::span<const std::string> pictures);

/// The solutions to the exercises, on a separate page.
std::string solutions_page(const Handout& handout);

/// The same in Markdown; its pictures are the files named by `picture_name`.
std::string lesson_markdown(const Handout& handout);
std::string solutions_markdown(const Handout& handout);

/// Notes for the teacher only: the answers to the bets, and what to expect from the class.
std::string notes_markdown(const Handout& handout);

/// The file name of a step's picture: "pictures/05-clocks.png".
std::string picture_name(const Step& step);

/// The vectors of a task, as the bytes of a .npy file.
std::string vectors_npy(const RotationTask& task);

}  // namespace rope::lesson
