#pragma once

#include <optional>
#include <string>

#include "named/token_options.hpp"
#include "rope/apply/vector_rotation.hpp"
#include "rope/io/element_type.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// What `rope apply` computes: the rotated vectors are made when they are written.
struct ApplyStudy {
  TokenInput input;
  RotaryEmbedding embedding;  ///< as named; VectorRotation makes its inverse
  Policy policy;
  RotationForm form = RotationForm::elementwise;
  Direction direction = Direction::forward;
  CpuLevel level = CpuLevel::baseline;
  io::ElementType type = io::ElementType::float64;  ///< of what is written
  bool explain = false;

  VectorRotation rotation() const { return {policy, embedding, form, direction, level}; }
};

/// Prints what is done, and the result where it is short; with `explain`, every pair.
void print_apply_report(const ApplyStudy& study, const Console& console);

/// Whether the result is so short that the report shows it.
bool prints_result(const ApplyStudy& study);

/// The rotated vectors as rows, a heading above.
///
/// Throws    ShapeError if they are too many for a text.
std::string apply_csv(const ApplyStudy& study);

/// The document of `rope apply --json`; docs/commands.md lists its fields. `whole`: refuse vectors
/// that are too many for a text; otherwise they are left out.
std::string apply_json(const ApplyStudy& study, bool whole);

/// Throws    ShapeError if there are too many pairs to explain.
void check_explanation(const ApplyStudy& study);

}  // namespace rope::app
