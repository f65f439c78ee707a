#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rope/diagnose/angles/lines.hpp"
#include "rope/diagnose/judgement.hpp"
#include "rope/rotary/named_embedding.hpp"

namespace rope {

/// The tensors under one arrangement, and what the search needs to know about their rounding.
struct Search {
  RotatedTensors tensors;
  Arrangement arrangement;
  SearchTolerance tolerance;
  double angle_rounding = 0;
  bool repeated = false;  ///< angles come from repeated products, which round once per factor
  std::span<const NamedEmbedding> presets;
  LineErrors errors = LineErrors::worst;  ///< for lines through all tokens; runs always use `worst`
};

/// Regimes for tokens whose positions do not ascend one by one: packed sequences, padding, caches
/// that do not start at 0, keys rotated by other frequencies. Runs of tokens that turn evenly
/// determine the frequencies; with these frequencies, the angles of each token determine its
/// position. Empty if some token fits no position, or if more than three regimes are needed.
///
/// Each result explains every token; results with recognised frequencies come first.
std::vector<std::vector<Regime>> find_runs(const Search& search);

}  // namespace rope
