#pragma once

// The result of a diagnosis, part by part. To diagnose arrays, use rope/diagnose/arrays.hpp.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rope/diagnose/arrangement.hpp"
#include "rope/diagnose/nearest/best_fit.hpp"
#include "rope/diagnose/position_runs.hpp"
#include "rope/precision/policy.hpp"
#include "rope/print.hpp"
#include "rope/rotary/named_embedding.hpp"

namespace rope {

struct RotatedTensors;

enum class DiagnosisVerdict {
  unique,     ///< one convention reproduces y
  ambiguous,  ///< several do, or the data leaves part of the convention open
  none,       ///< none does
};

/// "unique", "ambiguous" or "none".
std::string_view name(DiagnosisVerdict verdict);

/// How a pair turns if it does not follow the convention of the other pairs.
enum class OddTurn {
  negated,            ///< by mθ_i plus half a turn: both of its numbers have the wrong sign
  first_negated,      ///< by mθ_i, but its first number has the wrong sign
  second_negated,     ///< by mθ_i, but its second number has the wrong sign
  other_way,          ///< by −mθ_i
  no_rotation,        ///< it does not keep its length, or its vectors turn by several angles
  no_frequency,       ///< by angles that are not proportional to the positions
  another_frequency,  ///< by mθ with a θ of its own
};

/// "negated", "first-negated", "second-negated", "other-way", "no-rotation", "no-frequency" or
/// "another-frequency".
std::string_view name(OddTurn turn);

struct OddPair {
  std::size_t pair = 0;
  OddTurn turn = OddTurn::negated;
};

/// A convention that reproduces every number of y from x within its bound.
struct Explanation {
  Arrangement arrangement;
  /// One regime, or several if tokens were rotated by different frequencies; the one with the most
  /// tokens comes first.
  std::vector<Regime> regimes;
  /// The number added to the given positions (or to 0, 1, 2 … if none were given).
  std::optional<std::int64_t> position_offset;
  std::vector<PositionRun> runs;  ///< used where no single offset fits all tokens
  Policy policy;                  ///< the most exact pipeline whose error bounds y satisfies
  Judgement judgement;
  /// What the data leaves undecided, in sentences without a full stop.
  std::vector<std::string> open;
  bool direction_open = false;  ///< the other direction fits as well
  bool assumed = false;         ///< it is what the request assumes
  bool pairs_seen = true;       ///< false for tables and frequencies, which have no layout
  std::size_t head_dim = 0;     ///< d of the vectors
  std::size_t heads = 0;        ///< according to the shape of the arrays; 0 if unknown
  /// The format to which the given or counted positions were rounded, if they were.
  std::optional<Format> rounded_positions;
  /// With positions on several axes: the axes whose pairs turn by positions other than those given.
  std::vector<AxisSource> axis_sources;
  /// How many tokens are at position 0 instead of the given one, if all other tokens are at the
  /// given positions.
  std::size_t unrotated = 0;

  const Spectrum& spectrum() const { return regimes.front().spectrum; }
};

/// For an explanation with positions on several axes: the pairs that turn by the position on one
/// axis, and the positions of the tokens on that axis.
std::vector<std::size_t> pairs_on_axis(const Explanation& explanation, std::size_t axis);
std::vector<std::int64_t> positions_on_axis(const Explanation& explanation, std::size_t axis);

/// An embedding that the user assumes, and which parts of it were stated. The rotated size,
/// direction, order of the pairs and attention factor are always compared.
struct Assumption {
  RotaryEmbedding embedding;
  bool layout = true;
  bool frequencies = true;
  bool positions = false;  ///< whether they were stated, not merely counted
};

struct DiagnosisRequest {
  /// One per token; if absent, 0, 1, 2 … plus an offset.
  std::optional<std::vector<std::int64_t>> positions;
  /// Instead of positions: the position of each token on `axes` ≥ 2 axes.
  std::optional<std::vector<Position>> axis_positions;
  std::size_t axes = 1;
  bool anywhere = true;  ///< tokens without given positions may be at any position
  /// `positions` only number the tokens: they imply an order, but no direction.
  bool counted = false;
  std::vector<NamedEmbedding> presets;  ///< embeddings to recognise
  /// Tried in addition to the conventions that the search finds.
  std::optional<Assumption> assumed;
  /// If nothing is assumed: an embedding that y may follow, apart from noise.
  std::optional<RotaryEmbedding> likely;
  std::optional<Arrangement> arrangement;  ///< if known, the only one to try
  bool nearest = true;  ///< search for the nearest convention if nothing explains y
  DiagnosisHypotheses hypotheses;
};

/// Vectors that the rotation did not write, although it wrote the others: y is zero where x is not,
/// or equals x bit for bit where the other vectors of the token turn.
///
/// Here, a lane is one vector of every token, and a token is all of its vectors. Indices ascend.
struct Unwritten {
  std::vector<std::size_t> zero_lanes;
  std::vector<std::size_t> zero_tokens;
  std::vector<std::size_t> same_lanes;

  bool any() const { return !zero_lanes.empty() || !zero_tokens.empty() || !same_lanes.empty(); }
};

/// Dimensions after the rotated ones that should pass through but differ from x.
struct ForeignTail {
  enum class Holds {
    zero,          ///< zeros
    another_lane,  ///< the numbers of x that are `lanes` lanes further on
    others,        ///< other numbers
  };
  std::size_t first = 0, last = 0;  ///< dimensions
  Holds holds = Holds::others;
  std::ptrdiff_t lanes = 0;
};

/// "zero", "another vector" or "other numbers".
std::string_view name(ForeignTail::Holds holds);

/// How two arrays were interpreted, and which of their numbers a diagnosis covers.
struct ArrayReading {
  std::vector<std::size_t> shape;  ///< as read: the last axis is one head
  std::vector<std::size_t> kept;   ///< the indices of the tokens examined; if empty, all
  std::size_t left_out = 0;        ///< how many tokens hold a NaN or an infinity
  std::size_t row_tokens = 0;      ///< T, if each row of a batch has positions of its own
  /// Whether positions were given for this reading.
  bool positions_given = false;
  bool other_axis = false;  ///< y was explained along an axis that no reading uses
};

/// The smallest and the largest position of the tokens, over all axes.
struct PositionRange {
  std::int64_t least = 0, most = 0;
};

struct Diagnosis {
  DiagnosisVerdict verdict = DiagnosisVerdict::none;
  /// The best one comes first. They cover all numbers except those that `unwritten` and `tail`
  /// name.
  std::vector<Explanation> explanations;
  Unwritten unwritten;              ///< vectors that the rotation did not write
  std::optional<ForeignTail> tail;  ///< dimensions that should pass through and do not
  std::size_t token_axis = 0;
  std::size_t tokens = 0;            ///< how many were examined
  Format storage = Format::float64;  ///< the narrowest format that holds y
  bool unchanged = false;            ///< y is x, exactly or apart from noise
  /// If positions were given on several axes and differ on them, but each token turns by one
  /// position: the number of these axes.
  std::size_t axes_left_out = 0;
  /// If y is x: the range of the given positions, if any were given.
  std::optional<PositionRange> unturned;
  bool straight = false;  ///< every pair turns at a constant rate over the positions
  /// |noise| over |y|: set if y, apart from noise, is x with every pair of some pairing rotated,
  /// but no pairing fits within rounding; also set if y is x apart from noise.
  std::optional<double> noise;
  /// The tokens are rotated, but frequencies and positions remain unknown.
  bool undetermined = false;
  /// Pairings under which every token is rotated, by whatever angles. They may be known even if
  /// frequencies and positions are not.
  std::vector<Arrangement> pairings;
  /// Where nothing explains y: the pairing that comes nearest, and the pairs that do not fit it.
  Arrangement nearest;
  std::vector<std::size_t> nearest_misfits;
  std::optional<Explanation> near_miss;
  /// Where most tokens follow the near miss: the tokens that do not.
  std::vector<std::size_t> broken_tokens;
  /// Where most pairs follow the near miss: the pairs that do not.
  std::vector<OddPair> odd_pairs;
  /// If nothing explains y within rounding: the convention that leaves the least of y unexplained.
  std::optional<BestFit> best_fit;
  bool overflowed = false;              ///< y holds a NaN or an infinity where x is finite
  bool x_zero = false, y_zero = false;  ///< all numbers are 0
  ArrayReading reading;                 ///< for arrays whose token axis was searched for

  /// Whether the explanations cover all numbers of y.
  bool of_all_numbers() const { return !unwritten.any() && !tail; }
};

/// Finds which convention turned x into y.
///
/// The search is not limited to a list of models: each pairing of dimensions is solved for its
/// angles, then the angles are solved for frequencies and positions, and only then is a base, rule
/// or model recognised. An explanation reproduces every number of y within the rounding-error bound
/// of a pipeline; where several do so under the same pipeline, all are returned. Method and limits:
/// docs/diagnose.md.
///
/// Shapes    tensors: every number finite; request.positions: one per token.
/// Edge      for x = y, for one token and for d = 2, `open` lists what the numbers leave undecided.
/// Throws    ShapeError if there are no tokens, or not exactly one position per token; DomainError
///           for positions of magnitude 2^61 or more.
Diagnosis diagnose(const RotatedTensors& tensors, const DiagnosisRequest& request);

/// How the columns of a table of cosines and sines correspond to the pairs.
enum class TableColumns { pairs, half, interleaved };
std::string_view name(TableColumns columns);

/// Shapes    cos, sin: tokens × columns.
TableColumns table_columns(std::size_t tokens, std::span<const double> cos,
                           std::span<const double> sin);

/// Diagnoses tables instead of vectors: cos and sin of every token, with one column per pair, or
/// with each such column twice.
///
/// If no convention explains the tables, they are tried again with cos and sin exchanged.
///
/// Shapes    cos, sin: tokens × columns.
struct TableDiagnosis {
  TableColumns columns = TableColumns::pairs;
  bool exchanged = false;  ///< `cos` holds the sines and `sin` the cosines
  Diagnosis diagnosis;
};
TableDiagnosis diagnose_tables(std::size_t tokens, std::span<const double> cos,
                               std::span<const double> sin, const DiagnosisRequest& request);

/// Diagnoses frequencies instead of vectors: inv_freq, in radians per token. The spectrum is the
/// only part of a convention that the explanations contain.
Diagnosis diagnose_frequencies(std::span<const double> theta, const DiagnosisRequest& request);

}  // namespace rope
