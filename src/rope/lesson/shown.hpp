#pragma once

#include <string>
#include <vector>

#include "rope/claims/clause.hpp"
#include "rope/lesson/step.hpp"

namespace rope::lesson {

/// A step whose numbers were computed.
struct ShownStep {
  Step step;                    ///< with every `{name}` in its texts replaced by the number
  claims::ClauseResult broken;  ///< the result of the check in `step.broken`
  /// Statements in its file that are not true; empty if all are true.
  std::vector<std::string> refused;

  bool follows() const { return refused.empty(); }
};

/// Computes every number of a step and puts it into the texts, with as many digits as in the step's
/// file.
///
/// Refuses a number that differs from the one in the file or that no text uses, a break whose check
/// still comes out true, and a `{name}` without a number. Also refuses a number written out in a
/// text, unless it is in a command or is a parameter, and a mistake in an exercise that cannot be
/// distinguished from the right answer.
ShownStep with_numbers(const Step& step);

/// The value as text, with as many digits as `written` has: "0.866" for 0.86596 if `written` has
/// three.
std::string as_written(double value, const std::string& written);

}  // namespace rope::lesson
