#include "rope/diagnose/arrays.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "rope/diagnose/nearest/best_fit.hpp"
#include "rope/diagnose/nearest/least_squares.hpp"
#include "rope/diagnose/nearest/reordered_rows.hpp"
#include "rope/diagnose/outliers/unwritten.hpp"
#include "rope/diagnose/readings.hpp"
#include "rope/diagnose/samples.hpp"
#include "rope/error.hpp"
#include "rope/model/known_embeddings.hpp"
#include "rope/precision/largest.hpp"
#include "rope/rotary/ranges_text.hpp"

namespace rope {
namespace {

void leave_open(const std::string& sentence, Diagnosis& diagnosis) {
  for (Explanation& explanation : diagnosis.explanations) explanation.open.push_back(sentence);
  if (diagnosis.verdict == DiagnosisVerdict::unique)
    diagnosis.verdict = DiagnosisVerdict::ambiguous;
}

/// The length of the last axis that is neither that of the tokens nor that of a head: [B, T, H, d],
/// [B, H, T, d].
std::size_t heads_in(std::span<const std::size_t> shape, std::size_t token_axis) {
  for (std::size_t axis = shape.size() - 1; axis-- > 0;)
    if (axis != token_axis) return shape[axis];
  return 1;
}

/// Keeps the vectors of y that some rotation made.
void leave_out_unwritten(const WrittenVectors& written, ArrayDiagnosis& result) {
  result.tensors = some_vectors(result.tensors, written.tokens, written.lanes);
  std::vector<std::size_t> kept;
  kept.reserve(written.tokens.size());
  for (const std::size_t t : written.tokens) kept.push_back(result.kept[t]);
  result.kept = std::move(kept);
}

/// What was found of the written vectors is not the whole answer, and counts lanes by itself.
///
/// `finite`: the token of the arrays that each token was before those unwritten were left out.
void name_unwritten(const Unwritten& unwritten, const WrittenVectors& written,
                    std::span<const std::size_t> finite, Diagnosis& diagnosis) {
  diagnosis.unwritten = unwritten;
  for (std::size_t& token : diagnosis.unwritten.zero_tokens) token = finite[token];
  if (diagnosis.best_fit)
    for (std::size_t& lane : diagnosis.best_fit->strange) lane = written.lanes[lane];
  if (diagnosis.best_fit)
    for (FitPart& part : diagnosis.best_fit->parts)
      for (std::size_t& lane : part.lanes) lane = written.lanes[lane];
  diagnosis.verdict = DiagnosisVerdict::none;
}

/// Whether vectors follow a convention: within rounding, or but for noise.
bool is_followed(const Diagnosis& d) {
  if (!d.explanations.empty()) return true;
  const std::optional<BestFit>& fit = d.best_fit;
  return fit && fit->bug.empty() &&
         (fit->noise || fit->in_parts() || within_rounding(*fit, d.storage));
}

/// Returns nothing if no token is finite. `leave_same`: leaves out vectors that are x.
std::optional<ArrayDiagnosis> read(std::span<const std::size_t> shape, const Numbers& x,
                                   const Numbers& y, const TokenReading& reading,
                                   const DiagnosisRequest& request, bool leave_same = true) {
  ArrayDiagnosis result;
  DiagnosisRequest of_reading = request;
  RotatedTensors& tensors = result.tensors;
  tensors = reading.row_axis ? rotated_rows(shape, *reading.row_axis, reading.axis, x, y)
                             : rotated_tensors(shape, reading.axis, x, y);
  if (reading.row_axis) result.row_tokens = shape[reading.axis];
  result.positions_given = reading.positions || reading.axis_positions;
  const std::size_t tokens = tensors.tokens;
  const std::vector<std::size_t> overflowed = overflowed_tokens(tensors);
  std::vector<std::size_t>& kept = result.kept;
  kept = drop_nonfinite_tokens(tensors);
  if (kept.empty()) return std::nullopt;
  const std::vector<std::size_t> finite = kept;
  result.left_out = tokens - kept.size();
  Unwritten unwritten = unwritten_vectors(tensors);
  if (!leave_same) unwritten.same_lanes.clear();
  const WrittenVectors written = written_vectors(tensors, unwritten);
  if (unwritten.any()) leave_out_unwritten(written, result);
  of_reading.positions = reading.positions;
  of_reading.axis_positions = reading.axis_positions;
  of_reading.axes = reading.axes;
  if (kept.size() < tokens) {
    // Tokens that were left out leave gaps in the positions.
    std::vector<std::int64_t> positions;
    positions.reserve(kept.size());
    for (const std::size_t t : kept)
      positions.push_back(reading.positions ? reading.positions->at(t)
                                            : static_cast<std::int64_t>(t));
    of_reading.positions = std::move(positions);
    if (reading.axis_positions) {
      of_reading.positions.reset();
      of_reading.axis_positions->clear();
      for (const std::size_t t : kept)
        of_reading.axis_positions->push_back(reading.axis_positions->at(t));
    }
  }
  result.diagnosis = diagnose(tensors, of_reading);
  // Beside vectors that follow nothing, or a known bug, none is known to have been left out: they
  // may be tokens at position 0, counted along another axis.
  if (!unwritten.same_lanes.empty() && !is_followed(result.diagnosis)) {
    if (request.nearest) return read(shape, x, y, reading, request, false);
    unwritten.same_lanes.clear();
  }
  for (Explanation& e : result.diagnosis.explanations) e.heads = heads_in(shape, reading.axis);
  if (unwritten.any()) name_unwritten(unwritten, written, finite, result.diagnosis);
  // No explanation covers tokens that overflowed in y alone.
  result.diagnosis.overflowed = !overflowed.empty();
  if (!overflowed.empty())
    leave_open(
        "token " + ranges_text(overflowed) + ": y holds a NaN or an infinity where x is finite",
        result.diagnosis);
  return result;
}

/// Whether a convention explains y, if but for noise.
bool explains(const Diagnosis& d) {
  return !d.explanations.empty() || (d.best_fit && d.best_fit->noise);
}

/// Rows of a batch that have positions of their own, which are searched for: only where the best
/// reading gives every vector of a token one position and explains nothing. Where nothing explains
/// the rows either, but each of their tokens turns, that. `heads`: an axis of three counts those.
std::optional<ArrayDiagnosis> read_rows(std::span<const std::size_t> shape, const Numbers& x,
                                        const Numbers& y, std::size_t axis, bool heads,
                                        const DiagnosisRequest& request) {
  constexpr std::size_t kMostTokens = std::size_t{1}
                                      << 14;  // of all rows: each is placed by itself
  std::optional<ArrayDiagnosis> turning;
  for (std::size_t row = 0; row < axis; ++row) {
    // Axis 0 of four counts the rows of a batch, any other one heads; of three it may count either.
    if (shape.size() < 4 ? heads : row > 0) continue;
    if (shape[row] < 2 || shape[axis] < 2 || shape[row] * shape[axis] > kMostTokens) continue;
    std::optional<ArrayDiagnosis> found = read(shape, x, y, {axis, std::nullopt, row}, request);
    if (!found) continue;
    if (explains(found->diagnosis)) return found;
    if (found->diagnosis.undetermined && !turning) turning = std::move(found);
  }
  return turning;
}

/// What some row of a batch follows at positions that count: the others may at theirs.
std::optional<RotaryEmbedding> followed_by_a_row(std::span<const std::size_t> shape,
                                                 const Numbers& x, const Numbers& y,
                                                 std::size_t axis,
                                                 const DiagnosisRequest& request) {
  constexpr std::size_t kRows = 4, kTokens = 32, kLanes = 8;
  constexpr double kFollows = 0.02;
  if (axis == 0) return std::nullopt;
  RotatedTensors rows = rotated_rows(shape, 0, axis, x, y);
  std::optional<RotaryEmbedding> best;
  double least = kFollows;
  for (const std::size_t row : spread(shape[0], kRows)) {
    std::vector<std::size_t> tokens = spread(shape[axis], kTokens);
    const std::vector<std::int64_t> counted(tokens.begin(), tokens.end());
    for (std::size_t& token : tokens) token += row * shape[axis];
    RotatedTensors some = some_tokens(rows, tokens, kLanes);
    if (drop_nonfinite_tokens(some).size() < tokens.size()) continue;
    const LeastSquares fit = fit_convention(some, counted, request);
    if (!(fit.residual < least)) continue;
    FitPart part;
    part.arrangement = fit.arrangement;
    part.spectrum = fit.spectrum;
    part.residual = least = fit.residual;
    best = embedding_of(part, shape.back());
  }
  return best;
}

/// Whether every vector of a token follows a convention or is not rotated.
bool all_follow(const BestFit& fit, std::size_t lanes) {
  std::size_t following = 0;
  for (const FitPart& part : fit.parts) following += part.lanes.size();
  return following == lanes;
}

/// Replaces the best reading by one of rows that have positions of their own, where that says more.
void prefer_rows(std::span<const std::size_t> shape, const Numbers& x, const Numbers& y,
                 std::span<const TokenReading> readings, const DiagnosisRequest& request,
                 ArrayDiagnosis& best) {
  const Diagnosis& d = best.diagnosis;
  const bool in_parts = d.best_fit && d.best_fit->in_parts();
  // Heads that follow conventions of their own are heads. Those that follow nothing may be rows.
  const bool heads = in_parts && all_follow(*d.best_fit, best.tensors.lanes);
  if ((d.best_fit && !d.best_fit->bug.empty()) || explains(d) || d.unchanged ||
      best.row_tokens > 0 || !d.broken_tokens.empty() || !d.odd_pairs.empty())
    return;
  DiagnosisRequest of_rows = request;
  of_rows.anywhere = std::ranges::none_of(readings, [](const TokenReading& reading) {
    return reading.positions || reading.axis_positions;
  });
  for (const TokenReading& reading : readings) {
    of_rows.likely = followed_by_a_row(shape, x, y, reading.axis, request);
    std::optional<ArrayDiagnosis> rows = read_rows(shape, x, y, reading.axis, heads, of_rows);
    if (rows && !explains(rows->diagnosis) && request.assumed && of_rows.likely) {
      DiagnosisRequest of_others = of_rows;  // what a row follows is not what is stated
      of_others.assumed.reset();
      rows = read_rows(shape, x, y, reading.axis, heads, of_others);
    }
    if (!rows) continue;
    if (!explains(rows->diagnosis) && (d.best_fit || d.undetermined)) continue;
    // Noise says less than what comes as near with all rows alike.
    if (rows->diagnosis.explanations.empty() && explains(rows->diagnosis) && d.best_fit &&
        !in_parts && !(rows->diagnosis.best_fit->residual < 0.5 * d.best_fit->residual))
      continue;
    best = std::move(*rows);
    if (explains(best.diagnosis)) return;
  }
}

/// Rows of a batch that are as x, where positions are withheld: their tokens may all stand at
/// position 0, as padding does.
void allow_rows_at_zero(std::span<const std::size_t> shape, const Numbers& x, const Numbers& y,
                        const DiagnosisRequest& request, ArrayDiagnosis& best) {
  const std::vector<std::size_t> same = best.diagnosis.unwritten.same_lanes;
  if (same.empty() || best.diagnosis.explanations.empty() || best.positions_given ||
      best.row_tokens > 0 || shape.size() < 4)
    return;
  std::optional<ArrayDiagnosis> rows =
      read_rows(shape, x, y, best.diagnosis.token_axis, false, request);
  if (!rows || rows->diagnosis.explanations.empty() || !rows->diagnosis.of_all_numbers()) return;
  best = std::move(*rows);
  leave_open("rows whose tokens are all at position 0: they may be padding or unrotated",
             best.diagnosis);
}

/// Whether all tokens stand at one position, as the heads of one token do.
bool stands_still(const Diagnosis& diagnosis) {
  return diagnosis.tokens > 1 && !diagnosis.explanations.empty() &&
         diagnosis.explanations.front().runs.size() == 1 &&
         diagnosis.explanations.front().runs.front().step == 0;
}

/// Whether a reading says no more than that some heads of one token are rotated: several stand at
/// its position, the others at 0 or beside what is explained.
bool is_of_some_heads(const Diagnosis& diagnosis) {
  if (diagnosis.explanations.empty()) return false;
  if (stands_still(diagnosis)) return !diagnosis.of_all_numbers();
  std::int64_t at = 0;
  std::size_t turned = 0;
  for (const Regime& regime : diagnosis.explanations.front().regimes)
    for (const std::int64_t position : regime.positions) {
      if (position == 0) continue;
      if (turned++ > 0 && position != at) return false;
      at = position;
    }
  return turned > 1;
}

/// Whether a reading explains no more than vectors that share one position, which noise of what is
/// stated along another axis may do as well: tokens that stand still may be the heads of one token,
/// and heads that are as x a token at position 0.
bool is_of_one_position(const Diagnosis& diagnosis) {
  return stands_still(diagnosis) || (diagnosis.tokens == 1 && !diagnosis.explanations.empty() &&
                                     !diagnosis.unwritten.same_lanes.empty());
}

/// Whether two tokens, one of which does not turn, are as far apart as a factor says that was
/// fitted to them: they may be rows of a batch, or heads, each at a position of its own.
bool is_of_two_rows(const Diagnosis& diagnosis) {
  constexpr double kFarApart = 0.1;
  if (diagnosis.tokens != 2 || diagnosis.explanations.empty()) return false;
  const Explanation& e = diagnosis.explanations.front();
  const ScalingSpec& scaling = e.spectrum().scaling();
  return scaling.rule == "linear" && scaling.numbers.at("factor") < kFarApart &&
         std::ranges::count(e.regimes.front().positions, 0) == 1;
}

/// How much one says that comes near.
double telling_fit(const Diagnosis& diagnosis) {
  const BestFit& fit = *diagnosis.best_fit;
  if (fit.noise) return 2;  // of one convention, whatever comes as near along another axis
  const bool settled = fit.settled();
  const bool more = diagnosis.undetermined || (settled && within_rounding(fit, diagnosis.storage));
  return (more ? 1 : settled ? 0.04 : 0) + 0.9 * larger(0.0, fit.explained);
}

/// How much a diagnosis says; the reading that says most is preferred. Where y is x, one token at
/// position 0 says no more than many; and as long as one reading leaves a rotation possible, that
/// another one comes near is no reason to say that there is none.
double telling(const Diagnosis& diagnosis) {
  if (diagnosis.unchanged) return 2.8;
  if (is_of_some_heads(diagnosis)) return 1.9;  // noise of all numbers says more
  if (is_of_two_rows(diagnosis)) return 1.92;
  if (is_of_one_position(diagnosis)) return 1.95;
  if (!diagnosis.explanations.empty() && !diagnosis.of_all_numbers()) {
    const std::optional<std::int64_t>& offset = diagnosis.explanations.front().position_offset;
    return offset == 0 ? 2.77 : offset ? 2.75 : 2.7;
  }
  if (!diagnosis.explanations.empty()) return diagnosis.verdict == DiagnosisVerdict::unique ? 4 : 3;
  if (diagnosis.best_fit && diagnosis.best_fit->following.empty()) return telling_fit(diagnosis);
  if (diagnosis.undetermined) return diagnosis.noise ? 0.3 : 0.95;
  if (!diagnosis.broken_tokens.empty() || !diagnosis.odd_pairs.empty()) return 0.8;
  return diagnosis.best_fit ? 0.5 : 0;
}

/// Whether y is what is stated, at the positions given: not all of them 0, where x fits anything.
bool fits_as_stated(const Diagnosis& found) {
  if (found.explanations.empty()) return false;
  const Explanation& first = found.explanations.front();
  const auto turns = [](const Regime& regime) {
    return std::ranges::count(regime.positions, 0) < std::ssize(regime.positions);
  };
  return first.assumed && first.position_offset == 0 && std::ranges::any_of(first.regimes, turns);
}

/// Whether y is what is stated but for noise, at other positions than are given: along another axis
/// those may do.
bool is_noise_elsewhere(const ArrayDiagnosis& found) {
  const std::optional<BestFit>& fit = found.diagnosis.best_fit;
  return fit && fit->noise && found.positions_given && fit->parts.front().position_offset != 0;
}

}  // namespace

std::vector<TokenReading> token_readings(
    std::span<const std::size_t> shape, const std::optional<std::vector<std::int64_t>>& positions) {
  std::vector<TokenReading> readings;
  for (std::size_t axis = 0; axis + 1 < shape.size(); ++axis)
    if (positions ? positions->size() == shape[axis] : axis == 0 || shape[axis] > 1)
      readings.push_back({axis, positions, {}});
  // One token of each row: [B, H, 1, d], [B, 1, H, d].
  for (std::size_t axis = 1; axis + 1 < shape.size() && shape.front() > 1 && !positions; ++axis)
    if (shape[axis] == 1) {
      readings.push_back({axis, positions, {}});
      break;
    }
  return readings;
}

namespace {

/// The readings under which the vectors of a token turn alike, if some clearly are of that kind;
/// all of them otherwise. Along an axis of heads, vectors of different tokens would have to.
std::vector<TokenReading> turning_readings(std::span<const std::size_t> shape, const Numbers& x,
                                           const Numbers& y, std::span<const TokenReading> readings,
                                           const DiagnosisRequest& request) {
  constexpr std::size_t kTokens = 16, kLanes = 16;
  constexpr double kAlike = 0.05, kApart = 0.2;  // shares of |y|²
  std::vector<TokenReading> turning;
  bool clear = false;
  for (const TokenReading& reading : readings) {
    RotatedTensors tensors = reading.row_axis
                                 ? rotated_rows(shape, *reading.row_axis, reading.axis, x, y)
                                 : rotated_tensors(shape, reading.axis, x, y);
    drop_nonfinite_tokens(tensors);
    if (tensors.tokens == 0) continue;
    const double left =
        nearest_turn(some_tokens(tensors, spread(tensors.tokens, kTokens), kLanes), request).left;
    clear = clear || (left < kAlike && tensors.tokens > 1 && tensors.lanes > 1);
    if (left < kApart) turning.push_back(reading);
  }
  return clear ? turning : std::vector(readings.begin(), readings.end());
}

/// The readings under which something explains y; all of them where none does. What only comes near
/// is long to look for, and of no account along an axis of heads where another one explains y.
std::vector<TokenReading> telling_readings(std::span<const std::size_t> shape, const Numbers& x,
                                           const Numbers& y, std::span<const TokenReading> readings,
                                           const DiagnosisRequest& request) {
  constexpr std::size_t kMostTwice = std::size_t{1} << 20;  // numbers
  std::vector<TokenReading> telling;
  if (readings.size() > 1 && x.size() <= kMostTwice) {
    DiagnosisRequest plain = request;
    plain.nearest = false;
    for (const TokenReading& reading : readings) {
      const std::optional<ArrayDiagnosis> one = read(shape, x, y, reading, plain);
      if (one && !is_of_some_heads(one->diagnosis) &&
          (!one->diagnosis.explanations.empty() || one->diagnosis.unchanged))
        telling.push_back(reading);
    }
  }
  return telling.empty() ? turning_readings(shape, x, y, readings, request) : telling;
}

/// The one convention that explains y along an axis that no reading counts: heads were taken for
/// tokens, where y was made or by whoever says which axis they have.
std::optional<ArrayDiagnosis> along_another_axis(std::span<const std::size_t> shape,
                                                 const Numbers& x, const Numbers& y,
                                                 std::span<const TokenReading> readings,
                                                 const DiagnosisRequest& request) {
  constexpr std::size_t kMostNumbers = std::size_t{1} << 22;  // a search of seconds
  if (x.size() > kMostNumbers) return std::nullopt;
  DiagnosisRequest plain = request;
  plain.nearest = false;
  for (const TokenReading& other : token_readings(shape)) {
    if (shape[other.axis] < 2 || std::ranges::any_of(readings, [&](const TokenReading& reading) {
          return reading.axis == other.axis;
        }))
      continue;
    std::optional<ArrayDiagnosis> found = read(shape, x, y, other, plain);
    if (!found || found->diagnosis.verdict != DiagnosisVerdict::unique ||
        stands_still(found->diagnosis))
      continue;
    found->other_axis = true;
    return found;
  }
  return std::nullopt;
}

}  // namespace

ArrayDiagnosis diagnose_arrays(std::span<const std::size_t> shape, const Numbers& x,
                               const Numbers& y, std::span<const TokenReading> readings,
                               const DiagnosisRequest& request) {
  if (readings.empty())
    throw ShapeError("positions: expected one for each entry along an axis of the tensors",
                     "Give one position per token.");
  std::optional<ArrayDiagnosis> best;
  std::vector<std::size_t> explained;
  for (const TokenReading& reading : telling_readings(shape, x, y, readings, request)) {
    std::optional<ArrayDiagnosis> one = read(shape, x, y, reading, request);
    if (!one) continue;
    if (!one->diagnosis.explanations.empty()) explained.push_back(reading.axis);
    const auto order = [](const ArrayDiagnosis& each) {
      return std::tuple(telling(each.diagnosis), fits_as_stated(each.diagnosis),
                        !is_noise_elsewhere(each), each.diagnosis.tokens > 1);
    };
    if (!best || order(*one) > order(*best)) best = std::move(*one);
    // Tokens along one axis turn by different angles; along any other axis they would be lanes,
    // which share an angle. So no other axis can explain them.
    if (best->diagnosis.verdict == DiagnosisVerdict::unique) break;
    if (best->diagnosis.best_fit && best->diagnosis.best_fit->noise && !is_noise_elsewhere(*best))
      break;
  }
  if (!best)
    throw DomainError(Subject{"tensors"},
                      "expected finite numbers, found a NaN or an infinity in every token",
                      "Save the tensors from one forward pass, before anything overflows.");
  // Where another axis may count one token, at position 0, a rotation changes nothing.
  const auto at_zero = [](const TokenReading& reading) {
    return reading.positions &&
           std::ranges::count(*reading.positions, 0) == std::ssize(*reading.positions);
  };
  if (std::ranges::any_of(readings, at_zero)) best->diagnosis.unturned.reset();
  prefer_rows(shape, x, y, readings, request, *best);
  allow_rows_at_zero(shape, x, y, request, *best);
  if (Diagnosis& d = best->diagnosis; d.explanations.empty())
    if (const std::optional<KnownBug> rows = reordered_rows(shape, x, y)) {
      d.verdict = DiagnosisVerdict::none;
      d.best_fit.emplace();
      d.best_fit->bug = rows->finding + " (" + rows->convention + ")";
      d.best_fit->remedy = rows->remedy;
      d.best_fit->explained = 1;
    }
  if (best->diagnosis.explanations.empty() && !best->diagnosis.unchanged)
    if (auto other = along_another_axis(shape, x, y, readings, request)) best = std::move(other);
  std::erase(explained, best->diagnosis.token_axis);
  if (!explained.empty())
    leave_open("the token axis: y is explained with tokens along axis " + ranges_text(explained) +
                   " as well",
               best->diagnosis);
  return std::move(*best);
}

namespace {

/// The array with its axes in the order B, T, H, D, those that are there.
struct OrderedAxes {
  std::vector<std::size_t> shape;
  std::size_t token_axis = 0;
  bool moved = false;  ///< its numbers stand elsewhere than in the array
};

OrderedAxes ordered_axes(const ArrayAxes& axes) {
  OrderedAxes result;
  result.shape = axes.lengths();
  result.token_axis = axes.place('T');
  const std::size_t count = result.shape.size(), batch = axes.place('B');
  result.moved = axes.place('D') + 1 != count || (batch < count && batch > result.token_axis);
  if (!result.moved) return result;
  result.shape.clear();
  for (const char letter : std::string_view("BTHD")) {
    const std::size_t at = axes.place(letter);
    if (at == count || (letter == 'H' && axes.packed())) continue;
    if (letter == 'T') result.token_axis = result.shape.size();
    result.shape.push_back(axes.lengths()[at]);
  }
  return result;
}

template <typename Number>
std::vector<Number> in_order(const ArrayAxes& axes, std::span<const Number> x) {
  const std::size_t d = axes.lengths()[axes.place('D')], rows = axes.rows();
  std::vector<ArrayVector> vectors = axes.vectors(d, rows * axes.tokens());
  std::ranges::stable_sort(vectors, std::less<>(), &ArrayVector::position);
  std::vector<Number> result;
  result.reserve(x.size());
  for (const ArrayVector& vector : vectors)
    for (std::size_t i = 0; i < d; ++i) result.push_back(x[vector.start + i * vector.step]);
  return result;
}

template <typename Number>
Diagnosis diagnose_axes(const ArrayAxes& axes, std::span<const Number> x, std::span<const Number> y,
                        const std::optional<std::vector<std::int64_t>>& positions) {
  axes.check("x", x.size());
  axes.check("y", y.size());
  const std::size_t rows = axes.rows(), tokens = axes.tokens();
  const std::size_t given = positions ? positions->size() : tokens;
  axes.vectors(axes.lengths()[axes.place('D')], given);  // refuses another number of positions
  const OrderedAxes order = ordered_axes(axes);
  TokenReading reading;
  reading.axis = order.token_axis;
  reading.positions = positions;
  if (rows > 1 && given == rows * tokens) reading.row_axis = order.moved ? 0 : axes.place('B');
  const auto request_of = [](std::size_t) { return request_with_presets(); };
  const auto of = [&](const Numbers& before, const Numbers& after) {
    ArrayDiagnosis found =
        diagnose_heads(order.shape, before, after, {&reading, 1}, std::nullopt, request_of);
    found.diagnosis.reading = static_cast<ArrayReading&&>(found);
    return std::move(found.diagnosis);
  };
  return order.moved ? of(in_order(axes, x), in_order(axes, y)) : of(x, y);
}

}  // namespace

DiagnosisRequest request_with_presets() {
  DiagnosisRequest request;
  request.presets = known_embeddings();
  return request;
}

Diagnosis diagnose(std::span<const std::size_t> shape, std::span<const float> x,
                   std::span<const float> y,
                   const std::optional<std::vector<std::int64_t>>& positions) {
  DiagnosisRequest request = request_with_presets();
  request.positions = positions;
  return diagnose_any_axis(shape, x, y, request);
}

Diagnosis diagnose(std::span<const std::size_t> shape, std::span<const double> x,
                   std::span<const double> y,
                   const std::optional<std::vector<std::int64_t>>& positions) {
  DiagnosisRequest request = request_with_presets();
  request.positions = positions;
  return diagnose_any_axis(shape, x, y, request);
}

Diagnosis diagnose(const ArrayAxes& axes, std::span<const float> x, std::span<const float> y,
                   const std::optional<std::vector<std::int64_t>>& positions) {
  return diagnose_axes(axes, x, y, positions);
}

Diagnosis diagnose(const ArrayAxes& axes, std::span<const double> x, std::span<const double> y,
                   const std::optional<std::vector<std::int64_t>>& positions) {
  return diagnose_axes(axes, x, y, positions);
}

}  // namespace rope
