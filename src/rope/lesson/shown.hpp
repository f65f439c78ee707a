#pragma once

#include <string>
#include <vector>

#include "rope/claims/clause.hpp"
#include "rope/lesson/step.hpp"

namespace rope::lesson {

/// A step whose numbers were computed.
struct ShownStep {
  Step step;                         ///< with every `{name}` in its texts replaced by the number
  claims::ClauseResult broken;       ///< the result of checking its break
  std::vector<std::string> refused;  ///< statements in its file that are not true; empty if all are

  bool follows() const { return refused.empty(); }
};

/// Computes every number of a step and puts it into the texts, with as many digits as the file of
/// the step gives.
///
/// Refuses a number that differs from the one in the file or that no text uses, a break that breaks
/// nothing, and a `{name}` without a number. Also refuses a number in a text that is neither in a
/// command nor a parameter, and a mistake in an exercise that cannot be told from the right answer.
ShownStep with_numbers(const Step& step);

/// The value with as many digits as `written` has: 0.86596 as "0.866".
std::string as_written(double value, const std::string& written);

}  // namespace rope::lesson
