#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rope/claims/clause.hpp"

namespace rope::lesson {

using claims::Text;

/// What kind of fact a number is.
enum class Kind {
  exact,     ///< a count, or a number without any rounding
  rounding,  ///< the result of exact arithmetic, up to rounding
  seeded,    ///< from random examples made from a seed; other seeds give other numbers
  habit,     ///< a habit of trained models, not a property of the rotation
};

/// The name of the kind: "exact", "rounding", "seeded" or "habit".
std::string_view name(Kind kind);

/// A number that texts refer to by name.
struct Number {
  std::string name;
  claims::Measurement measured;
  std::string is;  ///< the number as printed
};

struct Choice {
  Text text;
  bool right = false;
  Text thinks;  ///< shown to those who bet on it: the idea behind it and why it is wrong
};

/// The question before the picture.
struct Bet {
  Text question;
  std::vector<Choice> choices;
};

/// Something that many people believe.
struct Misunderstanding {
  int number = 0;
  Text people_say;
  std::string verdict;  ///< "true", "false" or "depends"
  Text decides;         ///< the number that settles it
  std::vector<std::string> threads;
};

/// A planted mistake or other change that breaks what the step shows.
struct Break {
  Text text;  ///< `{off}`: by how much the check is off; `{allowed}`: the part of it that rounding
              ///< can explain
  std::string command, look;
  claims::Clause check;  ///< must come out false for the break to work
};

/// A number that a mistake leads to.
struct Mistake {
  claims::Measurement measured;
  std::string is;
  Text says;
};

/// Vectors to rotate: near-normal random numbers made from the seed, one vector per position,
/// starting at 0.
struct RotationTask {
  std::size_t dim = 0;
  double base = 0;
  std::string layout;
  std::size_t positions = 0;
  std::uint64_t seed = 0;
};

/// An exercise that students solve by themselves; the answer is a number, or vectors.
struct Exercise {
  Text ask;
  std::optional<Number> right;
  std::vector<Mistake> mistakes;
  Text hint;  ///< shown for an answer that is neither right nor one of the mistakes
  std::optional<RotationTask> rotation;
  Text solution;
  std::string command, look;
};

/// One step of the lesson. A `{name}` in a text stands for the number with that name.
struct Step {
  std::size_t number = 0;  ///< from 1
  std::string id;          ///< for example, "clocks"
  Text title;
  std::size_t minutes = 0;
  int demonstration = 0;  ///< 0 for none
  std::optional<Misunderstanding> misunderstanding;
  std::vector<Number> numbers;
  Bet bet;
  Text say;
  std::string formula;
  std::string command, look;
  std::string picture;  ///< the command that draws the picture, without -o
  Text convinces;       ///< a sentence with the number that convinces
  Kind kind = Kind::exact;
  Break broken;
  Text answer;
  std::vector<std::string> claims;
  Text presenter;
  Exercise exercise;

  /// Whether the short lesson includes it, as one of the ten steps that settle a misunderstanding.
  bool in_short() const { return misunderstanding.has_value(); }
};

/// All steps, as compiled into the program.
const std::vector<Step>& steps();

/// Reads one step. `file` is the file name without its extension; it begins with the step's number:
/// "05-clocks".
///
/// Throws    rope::Error, naming the file and the field, if the document is not a valid step.
Step read_step(std::string_view json, const std::string& file);

}  // namespace rope::lesson
