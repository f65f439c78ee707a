#pragma once

#include <cstddef>
#include <vector>

#include "rope/attention/context_bound.hpp"
#include "rope/model/engine_differences.hpp"
#include "rope/model/model_rope.hpp"

namespace rope {

/// What is computed from the frequencies of one layer type; empty if it does not rotate.
struct LayerNumbers {
  std::vector<double> turns;            ///< of each pair within the reach; empty without one
  std::vector<std::size_t> incomplete;  ///< pairs that never complete a turn within it
  NegativeDistance negative;
};

/// One model, read and computed.
struct Inspection {
  ModelRope model;
  std::vector<LayerNumbers> numbers;      ///< one for each of model.layers
  std::vector<EngineDifference> engines;  ///< what others make of it, if transformers was asked
  ReadOptions options;
};

/// Reads a model as `options` have it, and as other engines do.
///
/// Throws    what the reader throws.
Inspection inspect(const ModelReader& read, const ReadOptions& options);

}  // namespace rope
