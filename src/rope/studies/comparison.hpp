#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "rope/attention/relative.hpp"
#include "rope/attention/softmax.hpp"
#include "rope/encodings/encodings.hpp"

namespace rope {

/// One encoding and what was measured for it.
struct ComparedEncoding {
  EncodingSpec spec;
  ParameterValues values;      ///< of every parameter
  ParameterValues map_values;  ///< of the encoding made for the map
  std::string label;  ///< the name of the encoding, with the given parameters if it is listed more
                      ///< than once
  std::string title;  ///< the label in plain words
  std::unique_ptr<PositionEncoding> encoding;
  ShiftedScores scores;  ///< minus the score of q and k without positions
  Difference spread;  ///< how much scores at the same distance differ within and between lists of
                      ///< tokens: one list at each shift, and one at the last shift within T*
  Difference directions;
  DecayLaw law;
  /// Mean score of a vector with itself at distance decay_reach, minus that at distance 0.
  double fall = 0;
  Cost cost;
  double cost_share = 0;  ///< the cost as a share of the flops of W_Q, W_K, W_V and W_O
  std::string undefined;  ///< why the encoding has no score at T*, or empty
  double unseen =
      0;  ///< share of what the encoding meets from T to T* that it did not meet in training
  RowMatrix map;        ///< what positions add to the score of q and k; (tokens, tokens)
  ShiftedScores drawn;  ///< as `scores`, but for the encoding made for the map
  std::string caption;  ///< text that a picture shows next to the name of the encoding made for the
                        ///< map, or empty
  std::string remark;   ///< a remark on this encoding only, or empty
};

/// What is measured, and for which encodings.
struct ComparisonSettings {
  EncodingContext context;   ///< T, T*, the head
  std::size_t layers = 32;   ///< number of layers of the model whose costs are counted
  std::int64_t tokens = 32;  ///< of the maps
  Mask mask = Mask::none;    ///< of the maps
  std::vector<EncodingSpec> encodings;
  /// Whether an encoding that cannot be made is omitted with a note, and the others are still
  /// measured.
  bool leave_out = false;
};

/// Encodings side by side.
struct EncodingComparison {
  ComparisonSettings settings;
  ModelShape shape;
  std::int64_t reach = 0;        ///< largest distance of the shifted scores
  std::int64_t last_shift = 0;   ///< the shift that moves the last position to the end of T*
  std::int64_t decay_reach = 0;  ///< largest distance of the decay
  std::vector<double> q, k;      ///< the one query and the one key
  double content = 0;            ///< q·k/√d
  std::vector<ComparedEncoding> results;  ///< in the order of the settings
  std::vector<std::string> notes;  ///< what was omitted and why; which parameters change nothing
};

/// All encodings, with no parameter values given.
std::vector<EncodingSpec> all_encodings();

/// Measures the encodings. `measured` is called after each of them.
///
/// Throws    DomainError unless 16 ≤ T ≤ T* and tokens ≥ 2; if an encoding cannot be made and must
///           not be omitted, whatever it throws.
EncodingComparison compare_encodings(ComparisonSettings settings,
                                     const std::function<void()>& measured = {});

}  // namespace rope
