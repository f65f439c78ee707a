#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
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

/// One model as read, and what was computed from it.
struct Inspection {
  ModelRope model;
  std::vector<LayerNumbers> numbers;  ///< one for each of model.layers
  std::vector<EngineDifference>
      engines;  ///< how other engines read it, if the requested engine is transformers
  ReadOptions options;

  /// The requested length, if the frequencies of the layer are those for that length.
  std::optional<std::int64_t> length(const LayerRope& layer) const;

  /// The number of tokens within which turns are counted: that length, or else the length that the
  /// frequencies serve, but at most the window. Empty if none of these is known.
  std::optional<std::int64_t> reach(const LayerRope& layer) const;
};

/// Reads a model as `options` say, and as other engines do.
///
/// Throws    what the reader throws.
Inspection inspect(const ModelReader& read, const ReadOptions& options);

}  // namespace rope
