#pragma once

#include <string>
#include <vector>

#include "rope/claims/clause.hpp"
#include "rope/lesson/step.hpp"

namespace rope::lesson {

/// A step whose numbers were computed.
struct ShownStep {
  Step step;                         ///< with every `{name}` of its texts replaced by the number
  claims::ClauseResult broken;       ///< what became of the check of its break
  std::vector<std::string> refused;  ///< what its file says that is not so; empty where all is

  bool follows() const { return refused.empty(); }
};

/// Computes every number of a step and puts it into the texts, with as many digits as its file
/// prints.
///
/// Refused are a number that does not come to what the file says; a break that breaks nothing; a
/// name in a text that is no number, and a number that no text names; a number written out in a
/// text that stands in no command and is no parameter; a mistake of the exercise that nobody could
/// tell from the right answer.
ShownStep with_numbers(const Step& step);

/// A number with as many digits as another one is written with: 0.86596 as "0.866".
std::string as_written(double value, const std::string& written);

}  // namespace rope::lesson
