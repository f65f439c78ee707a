#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rope/attention/relative.hpp"
#include "rope/attention/softmax.hpp"
#include "rope/encodings/encodings.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// One encoding, measured.
struct EncodingResult {
  const EncodingEntry* entry = nullptr;
  std::unique_ptr<PositionEncoding> encoding;
  ShiftedScores scores;  ///< less the score of q and k without positions
  Difference spread;
  Difference directions;
  DecayLaw law;
  double fall = 0;  ///< mean score of a vector with itself at the decay's reach, less that at 0
  Cost cost;
  std::string undefined;  ///< why it has no score at T*, or empty
  double unseen = 0;      ///< share of what it meets from T to T*
  RowMatrix map;          ///< what positions add to the score of q and k; (tokens, tokens)
  ShiftedScores drawn;    ///< as `scores`, with the window of the map
};

/// What is measured, and of which encodings.
struct ComparisonStudy {
  EncodingSettings settings;
  ModelShape shape;
  std::int64_t tokens = 32;    ///< of the maps
  std::int64_t length = 8192;  ///< T*; T is settings.trained
  Mask mask = Mask::none;      ///< of the maps
  bool chosen = false;         ///< the user named the encodings
  bool window_given = false;   ///< the user named ReRoPE's window
  bool sources = false;
  std::vector<std::int64_t> at;  ///< positions or distances of the raw numbers; empty: a few
  std::vector<const EncodingEntry*> entries;

  std::int64_t reach = 0;               ///< largest distance of the shifted scores
  std::int64_t decay_reach = 0;         ///< largest distance of the decay
  std::vector<double> q, k;             ///< the one query and the one key
  double content = 0;                   ///< q·k/√d
  double table_spread = 0;              ///< p_i·p_j alone over shifts, of the sinusoidal table
  std::vector<EncodingResult> results;  ///< of the entries, in their order
};

/// ReRoPE's window in the maps: T/2 would lie far outside them.
std::int64_t map_window(const ComparisonStudy& study);

/// Flops of W_Q, W_K, W_V and W_O for one token in one layer.
double projection_flops(const ComparisonStudy& study);

/// Fills in everything below `entries`. An encoding that cannot be made is left out with a warning
/// unless the user named it.
///
/// Throws    rope::Error.
void measure(ComparisonStudy& study, const Console& console);

}  // namespace rope::app
