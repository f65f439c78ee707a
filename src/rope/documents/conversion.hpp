#pragma once

#include <string>

#include "rope/apply/convert_checkpoint.hpp"
#include "rope/apply/convert_tensor.hpp"
#include "rope/io/tensor.hpp"

namespace rope {

/// One tensor to convert, and where its heads are.
struct OneTensor {
  io::Tensor tensor;
  HeadAxis heads;
  LayoutChange change;
};

/// Schema rope.convert/1; docs/commands.md lists its fields.
std::string tensor_json(const OneTensor& one);
std::string checkpoint_json(const CheckpointPlan& plan);

}  // namespace rope
