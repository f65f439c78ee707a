#pragma once

#include <string>

#include "rope/studies/rotated_vectors.hpp"

namespace rope {

/// The rotated vectors as rows, under a heading.
///
/// Throws    ShapeError if they are too many for a text.
std::string apply_csv(const ApplyStudy& study);

/// Schema rope.apply/2; docs/commands.md lists its fields. `whole`: refuse vectors that are too
/// many for a text; otherwise they are omitted.
std::string apply_json(const ApplyStudy& study, bool whole);

}  // namespace rope
