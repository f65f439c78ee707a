#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rope/attention/context_bound.hpp"
#include "rope/model/engine_differences.hpp"
#include "rope/model/model_rope.hpp"

namespace rope {

/// Numbers computed from the frequencies of one layer type; empty if the layers do not rotate.
struct LayerNumbers {
  /// Turns that each pair makes within the reach; empty if the reach is unknown.
  std::vector<double> turns;
  std::vector<std::size_t> incomplete;  ///< pairs that do not complete a turn within the reach
  NegativeDistance negative;
};

/// One model as read, and what was computed from it.
struct Inspection {
  ModelRope model;
  std::vector<LayerNumbers> numbers;  ///< one for each of model.layers
  /// How other engines read it, if the requested engine is transformers.
  std::vector<EngineDifference> engines;
  ReadOptions options;

  /// The requested length, if the frequencies of the layer were computed for it.
  std::optional<std::int64_t> length(const LayerRope& layer) const;

  /// The number of tokens within which turns are counted: length(layer), or else the length for
  /// which the frequencies are meant, but at most the window. Empty if none of these is known.
  std::optional<std::int64_t> reach(const LayerRope& layer) const;
};

/// Reads a model as specified by `options`, and as other engines do.
///
/// Throws    whatever the reader throws.
Inspection inspect(const ModelReader& read, const ReadOptions& options);

}  // namespace rope
