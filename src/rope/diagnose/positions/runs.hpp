#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rope/diagnose/angles/lines.hpp"
#include "rope/diagnose/judgement.hpp"
#include "rope/rotary/named_embedding.hpp"

namespace rope {

/// The tensors of one arrangement, with what the search needs to know of their rounding.
struct Search {
  const RotatedTensors& tensors;
  Arrangement arrangement;
  SearchTolerance tolerance;
  double angle_rounding = 0;
  bool repeated = false;  ///< angles of slow pairs were multiplied together, one rounding a factor
  std::span<const NamedEmbedding> presets;
  LineErrors errors = LineErrors::worst;  ///< of lines through all tokens; runs always take worst
};

/// Regimes for tokens whose positions do not ascend one by one: packed sequences, padding, caches
/// that begin elsewhere, keys turned by other frequencies. Runs of tokens that turn evenly give the
/// frequencies; with these, each token's own angles say where it stands. Nothing if tokens remain
/// that no position explains, or if the frequencies of more than three regimes are needed.
///
/// Each reading explains every token; those with recognised frequencies come first.
struct RunReadings {
  std::vector<std::vector<Regime>> readings;
};
RunReadings find_runs(const Search& search);

}  // namespace rope
