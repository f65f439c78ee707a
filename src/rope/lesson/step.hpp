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

/// The kind of statement that a number makes.
enum class Kind {
  exact,     ///< a count, or a number without any rounding
  rounding,  ///< as exact arithmetic gives it, up to rounding
  seeded,    ///< from examples made from a seed; other seeds give other numbers
  habit,     ///< of trained models, not of the rotation
};

/// "exact", "rounding", "seeded" or "habit".
std::string_view name(Kind kind);

/// A number that texts refer to by name.
struct Number {
  std::string name;
  claims::Measurement measured;
  std::string is;  ///< as it is printed
};

struct Choice {
  Text text;
  bool right = false;
  Text thinks;  ///< for those who bet on it: the idea behind it and why it is wrong
};

/// The question before the picture.
struct Bet {
  Text question;
  std::vector<Choice> choices;
};

/// What many people believe.
struct Misunderstanding {
  int number = 0;
  Text people_say;
  std::string verdict;  ///< "true", "false" or "depends"
  Text decides;         ///< the number that decides it
  std::vector<std::string> threads;
};

/// The switch that breaks what the step shows.
struct Break {
  Text text;  ///< `{off}`: by how much the check is off; `{allowed}`: what rounding explains
  std::string command, look;
  claims::Clause check;  ///< must come out false
};

/// A number that a mistake leads to.
struct Mistake {
  claims::Measurement measured;
  std::string is;
  Text says;
};

/// Vectors to rotate: near-normal numbers from the seed, one vector per position from 0.
struct RotationTask {
  std::size_t dim = 0;
  double base = 0;
  std::string layout;
  std::size_t positions = 0;
  std::uint64_t seed = 0;
};

/// What students work out by themselves: a number, or vectors.
struct Exercise {
  Text ask;
  std::optional<Number> right;
  std::vector<Mistake> mistakes;
  Text hint;  ///< for an answer that is neither right nor one of the mistakes
  std::optional<RotationTask> rotation;
  Text solution;
  std::string command, look;
};

/// One step of the lesson. A `{name}` in a text stands for the number of that name.
struct Step {
  std::size_t number = 0;  ///< from 1
  std::string id;          ///< "clocks"
  Text title;
  std::size_t minutes = 0;
  int demonstration = 0;  ///< 0 for none
  std::optional<Misunderstanding> misunderstanding;
  std::vector<Number> numbers;
  Bet bet;
  Text say;
  std::string formula;
  std::string command, look;
  std::string picture;  ///< the command that draws it, without -o
  Text convinces;       ///< the convincing number, in a sentence
  Kind kind = Kind::exact;
  Break broken;
  Text answer;
  std::vector<std::string> claims;
  Text presenter;
  Exercise exercise;

  /// Whether the short lesson includes it, as one of the ten steps that settle a misunderstanding.
  bool in_short() const { return misunderstanding.has_value(); }
};

/// Every step, as compiled into the program.
const std::vector<Step>& steps();

/// Reads one step. `file` is the file name without the extension, number first: "05-clocks".
///
/// Throws    rope::Error, naming the file and the field, if the document is not a valid step.
Step read_step(std::string_view json, const std::string& file);

}  // namespace rope::lesson
