#pragma once

#include <string>
#include <vector>

#include "rope/claims/clause.hpp"
#include "rope/lesson/step.hpp"

namespace rope::lesson {

/// A step whose numbers were computed.
struct ShownStep {
  Step step;                         ///< with every `{name}` of its texts replaced by the number
  claims::ClauseResult broken;       ///< the result of the check of its break
  std::vector<std::string> refused;  ///< statements in its file that are not true; empty if all are

  bool follows() const { return refused.empty(); }
};

/// Computes every number of a step and puts it into the texts, with as many digits as its file
/// prints.
///
/// Refuses a number that does not come to what the file says, or that no text names; a break that
/// breaks nothing; and a name in a text that is not a number. Also refuses a number in a text that
/// is neither in a command nor a parameter, and a mistake in the exercise that cannot be told from
/// the right answer.
ShownStep with_numbers(const Step& step);

/// A number with as many digits as another one is written with: 0.86596 as "0.866".
std::string as_written(double value, const std::string& written);

}  // namespace rope::lesson
