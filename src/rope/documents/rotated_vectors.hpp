#pragma once

#include <string>

#include "rope/studies/rotated_vectors.hpp"

namespace rope {

/// The rotated vectors as rows, under a heading.
///
/// Throws    ShapeError if there are too many vectors to write as text.
std::string apply_csv(const ApplyStudy& study);

/// Schema rope.apply/2; docs/commands.md lists its fields. `whole`: whether to throw ShapeError,
/// instead of omitting the vectors, if there are too many to write as text.
std::string apply_json(const ApplyStudy& study, bool whole);

}  // namespace rope
