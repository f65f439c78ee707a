#include "rope/diagnose/arrays.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "rope/error.hpp"
#include "rope/model/known_embeddings.hpp"
#include "rope/rotary/ranges_text.hpp"

namespace rope {
namespace {

void leave_open(const std::string& sentence, Diagnosis& diagnosis) {
  for (Explanation& explanation : diagnosis.explanations) explanation.open.push_back(sentence);
  if (diagnosis.verdict == DiagnosisVerdict::unique)
    diagnosis.verdict = DiagnosisVerdict::ambiguous;
}

/// Returns nothing if no token is finite.
std::optional<ArrayDiagnosis> read(std::span<const std::size_t> shape, std::span<const double> x,
                                   std::span<const double> y, const TokenReading& reading,
                                   const DiagnosisRequest& request) {
  ArrayDiagnosis result;
  DiagnosisRequest of_reading = request;
  RotatedTensors& tensors = result.tensors;
  tensors = rotated_tensors(shape, reading.axis, x, y);
  const std::size_t tokens = tensors.tokens;
  const std::vector<std::size_t> overflowed = overflowed_tokens(tensors);
  std::vector<std::size_t>& kept = result.kept;
  kept = drop_nonfinite_tokens(tensors);
  if (kept.empty()) return std::nullopt;
  result.left_out = tokens - kept.size();
  of_reading.positions = reading.positions;
  if (kept.size() < tokens) {
    // Tokens that were left out leave gaps in the positions.
    std::vector<std::int64_t> positions;
    positions.reserve(kept.size());
    for (const std::size_t t : kept)
      positions.push_back(reading.positions ? reading.positions->at(t)
                                            : static_cast<std::int64_t>(t));
    of_reading.positions = std::move(positions);
  }
  result.diagnosis = diagnose(tensors, of_reading);
  // No explanation covers tokens that overflowed in y alone.
  if (!overflowed.empty())
    leave_open(
        "token " + ranges_text(overflowed) + ": y holds a NaN or an infinity where x is finite",
        result.diagnosis);
  return result;
}

/// How much a diagnosis says; the reading that says most is preferred.
int telling(const Diagnosis& diagnosis) {
  if (!diagnosis.explanations.empty()) return diagnosis.verdict == DiagnosisVerdict::unique ? 4 : 3;
  if (diagnosis.unchanged || diagnosis.undetermined) return 2;
  return diagnosis.broken_tokens.empty() && diagnosis.odd_pairs.empty() ? 0 : 1;
}

}  // namespace

std::vector<TokenReading> token_readings(
    std::span<const std::size_t> shape, const std::optional<std::vector<std::int64_t>>& positions) {
  std::vector<TokenReading> readings;
  for (std::size_t axis = 0; axis + 1 < shape.size(); ++axis)
    if (positions ? positions->size() == shape[axis] : axis == 0 || shape[axis] > 1)
      readings.push_back({axis, positions});
  return readings;
}

ArrayDiagnosis diagnose_arrays(std::span<const std::size_t> shape, std::span<const double> x,
                               std::span<const double> y, std::span<const TokenReading> readings,
                               const DiagnosisRequest& request) {
  if (readings.empty())
    throw ShapeError("positions: expected as many as an axis of the tensors has",
                     "Give every token its position.");
  std::optional<ArrayDiagnosis> best;
  std::vector<std::size_t> explained;
  for (const TokenReading& reading : readings) {
    std::optional<ArrayDiagnosis> one = read(shape, x, y, reading, request);
    if (!one) continue;
    if (!one->diagnosis.explanations.empty()) explained.push_back(reading.axis);
    if (!best || telling(one->diagnosis) > telling(best->diagnosis)) best = std::move(*one);
    // Tokens along one axis turn by different angles; along any other axis they would be lanes,
    // which share an angle. So no other axis can explain them.
    if (best->diagnosis.verdict == DiagnosisVerdict::unique) break;
  }
  if (!best)
    throw DomainError(Subject{"tensors"},
                      "expected finite numbers, found a NaN or an infinity in every token",
                      "Write tensors of one forward pass before anything overflows.");
  std::erase(explained, best->diagnosis.token_axis);
  if (!explained.empty())
    leave_open(
        "the axis of the tokens: y is explained along axis " + ranges_text(explained) + " as well",
        best->diagnosis);
  return std::move(*best);
}

Diagnosis diagnose_any_axis(std::span<const std::size_t> shape, std::span<const double> x,
                            std::span<const double> y, const DiagnosisRequest& request) {
  return diagnose_arrays(shape, x, y, token_readings(shape, request.positions), request).diagnosis;
}

DiagnosisRequest request_with_presets() {
  DiagnosisRequest request;
  request.presets = known_embeddings();
  return request;
}

Diagnosis diagnose(std::span<const std::size_t> shape, std::span<const float> x,
                   std::span<const float> y,
                   const std::optional<std::vector<std::int64_t>>& positions) {
  const std::vector<double> wide_x(x.begin(), x.end()), wide_y(y.begin(), y.end());
  return diagnose(shape, wide_x, wide_y, positions);
}

Diagnosis diagnose(std::span<const std::size_t> shape, std::span<const double> x,
                   std::span<const double> y,
                   const std::optional<std::vector<std::int64_t>>& positions) {
  DiagnosisRequest request = request_with_presets();
  request.positions = positions;
  return diagnose_any_axis(shape, x, y, request);
}

}  // namespace rope
