#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rope/diagnose/arrangement.hpp"
#include "rope/diagnose/position_runs.hpp"
#include "rope/diagnose/tensors.hpp"
#include "rope/precision/policy.hpp"
#include "rope/rotary/named_embedding.hpp"

namespace rope {

enum class DiagnosisVerdict {
  unique,     ///< one convention reproduces y
  ambiguous,  ///< several do, or the data leaves a part of it open
  none,       ///< none does
};

/// "unique", "ambiguous" or "none".
std::string_view name(DiagnosisVerdict verdict);

/// How a pair turns that does not follow the convention of the others.
enum class OddTurn {
  negated,            ///< by mθ_k and half a turn: both of its numbers have the wrong sign
  first_negated,      ///< by mθ_k, but its first number has the wrong sign
  second_negated,     ///< by mθ_k, but its second number has the wrong sign
  other_way,          ///< by −mθ_k
  no_rotation,        ///< it does not keep its length, or its vectors turn by several angles
  no_frequency,       ///< by angles that are no multiple of the positions
  another_frequency,  ///< by mθ with a θ of its own
};

/// "negated", "first-negated", "second-negated", "other-way", "no-rotation", "no-frequency" or
/// "another-frequency".
std::string_view name(OddTurn turn);

struct OddPair {
  std::size_t pair = 0;
  OddTurn turn = OddTurn::negated;
};

/// A convention that reproduces y from x within its bound at every number.
struct Explanation {
  Arrangement arrangement;
  /// One, or several where tokens were turned by different frequencies; the one of most tokens
  /// first.
  std::vector<Regime> regimes;
  /// What is added to the given positions (or to 0, 1, 2 … where none were given).
  std::optional<std::int64_t> position_offset;
  std::vector<PositionRun> runs;  ///< where no one offset does
  Policy policy;                  ///< the most exact pipeline whose bounds y keeps
  Judgement judgement;
  std::vector<std::string> open;  ///< what the data leaves open; sentences without a full stop
  bool direction_open = false;    ///< the other direction fits as well
  bool assumed = false;           ///< it is what the request assumes
  bool pairs_seen = true;         ///< tables and frequencies say nothing of where pairs stand

  const Spectrum& spectrum() const { return regimes.front().spectrum; }
};

/// An embedding that somebody assumed, and what of it was meant. The rotated part, the direction,
/// the order of pairs and numbers and the factor are always compared: they are as usual unless the
/// embedding says otherwise.
struct Assumption {
  RotaryEmbedding embedding;
  bool layout = true;
  bool frequencies = true;
  bool positions = false;  ///< they were stated, not counted
};

struct DiagnosisRequest {
  std::optional<std::vector<std::int64_t>> positions;  ///< one a token; nothing: 0, 1, 2 … + offset
  bool counted = false;  ///< they are a mere count: they tell an order, and no direction
  std::vector<NamedEmbedding> presets;     ///< embeddings to recognise
  std::optional<Assumption> assumed;       ///< tried beside whatever is found
  std::optional<Arrangement> arrangement;  ///< the only one to try, if it is known
  DiagnosisHypotheses hypotheses;
};

struct Diagnosis {
  DiagnosisVerdict verdict = DiagnosisVerdict::none;
  std::vector<Explanation> explanations;  ///< best first
  std::size_t token_axis = 0;
  std::size_t tokens = 0;            ///< that were looked at
  Format storage = Format::float64;  ///< the narrowest format that holds y
  bool unchanged = false;            ///< y is x
  bool straight = false;             ///< every pair turns evenly over the positions
  bool undetermined = false;  ///< tokens turn, but nothing tells their frequencies from positions
  /// Pairings that fit the numbers of every token, whatever its angles: what is known even where
  /// angles and positions cannot be told apart.
  std::vector<Arrangement> pairings;
  /// Where there is no explanation: what comes nearest, with the pairs that do not fit.
  Arrangement nearest;
  std::vector<std::size_t> nearest_misfits;
  std::optional<Explanation> near_miss;
  /// Where most tokens follow the near miss: those that hold a number which does not.
  std::vector<std::size_t> broken_tokens;
  /// Where most pairs follow the near miss: those that do not.
  std::vector<OddPair> odd_pairs;
  bool x_zero = false, y_zero = false;  ///< every number of it
};

/// Finds which convention turned x into y.
///
/// Nothing is tried from a list of models: each pairing of dimensions is solved for its angles, the
/// angles for frequencies and positions, and what was found is then recognised. An explanation is
/// one that reproduces every number of y within the rounding-error bound of a pipeline. Several
/// that do so under the same pipeline are all given. Method and limits: docs/diagnose.md.
///
/// Shapes    tensors: every number finite; request.positions: one a token.
/// Edge      x = y, one token, d = 2: what the numbers leave open is said in `open`.
/// Throws    ShapeError if there is no token, or not one position a token.
Diagnosis diagnose(const RotatedTensors& tensors, const DiagnosisRequest& request);

/// How the columns of a table of cosines and sines stand for the pairs.
enum class TableColumns { pairs, half, interleaved };
std::string_view name(TableColumns columns);

/// Shapes    cos, sin: tokens × columns.
TableColumns table_columns(std::size_t tokens, std::span<const double> cos,
                           std::span<const double> sin);

/// Tables instead of vectors: cos and sin of every token, one column a pair or each column twice.
///
/// Tables that explain nothing are tried with cos and sin exchanged.
///
/// Shapes    cos, sin: tokens × columns.
struct TableDiagnosis {
  TableColumns columns = TableColumns::pairs;
  bool exchanged = false;  ///< what is explained is cos as the sines, sin as the cosines
  Diagnosis diagnosis;
};
TableDiagnosis diagnose_tables(std::size_t tokens, std::span<const double> cos,
                               std::span<const double> sin, const DiagnosisRequest& request);

/// Frequencies instead of vectors: inv_freq, radians per token. Explanations hold a spectrum alone.
Diagnosis diagnose_frequencies(std::span<const double> theta, const DiagnosisRequest& request);

}  // namespace rope
