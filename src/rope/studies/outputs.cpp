#include "rope/studies/outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "rope/apply/rotate_tensor.hpp"
#include "rope/error.hpp"
#include "rope/io/npy.hpp"
#include "rope/io/quote.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/verify/judge_outputs.hpp"

namespace rope {
namespace {

/// Names the vector at which the library refused to go on.
template <typename Action>
void at_vector(const io::Tensor& tensor, std::uint64_t vector, Action action) {
  try {
    action();
  } catch (const Error& error) {
    throw Error(
        error.kind(),
        fmt::format("{}: vector {}: {}", io::printable(tensor.name(), 200), vector, error.what()),
        error.remedy());
  }
}

/// How vectors are given to a check.
struct Giving {
  std::optional<Format> cast_to;  ///< of the inputs, before anything else
  std::int64_t shift = 0;         ///< of their positions
  bool clockwise = false;         ///< at −m
  /// Told each vector that was judged.
  std::function<void(std::span<const double> x, std::span<const double> y)> judged = nullptr;
};

/// Gives every vector of X and Y to a check.
void add_vectors(const TokenInput& input, const io::Tensor& result, const Giving& giving,
                 OutputCheck& check, const PassProgress& progress) {
  const std::size_t d = input.axes.head_dim;
  const auto advance = progress(input.tensor.count());
  std::vector<double> x, y;
  TensorVisitor visitor;
  visitor.run = [&](const TokenRun& run) {
    x.assign(run.x.begin(), run.x.end());
    if (giving.cast_to)
      for (double& value : x) value = round_to(*giving.cast_to, value);
    y.resize(run.x.size());
    result.read(run.vector * d, std::span<double>(y));
    const Position position =
        giving.clockwise ? Position(0) - run.position : run.position + Position(giving.shift);
    for (std::size_t start = 0; start < y.size(); start += d) {
      const std::uint64_t vector = run.vector + start / d;
      const std::span<const double> given = std::span(x).subspan(start, d),
                                    found = std::span(y).subspan(start, d);
      at_vector(input.tensor, vector, [&] { check.add_vector(vector, position, given, found); });
      if (giving.judged) giving.judged(given, found);
    }
    advance(y.size());
  };
  visit_vectors(input.tensor, input.axes, input.positions, visitor);
}

/// Calls take(number) for every finite number of a tensor.
template <typename Take>
void each_finite(const io::Tensor& tensor, Take take) {
  constexpr std::uint64_t kBlock = 1 << 16;
  std::vector<double> block;
  for (std::uint64_t first = 0; first < tensor.count(); first += kBlock) {
    block.resize(std::min(kBlock, tensor.count() - first));
    tensor.read(first, std::span<double>(block));
    for (const double value : block)
      if (std::isfinite(value)) take(value);
  }
}

}  // namespace

Format narrowest_format(const io::Tensor& tensor) {
  constexpr std::array kNarrow = {Format::bfloat16, Format::float16, Format::float32};
  std::array<bool, kNarrow.size()> hold = {true, true, true};
  const Format type = number_format(tensor.type());
  if (type == Format::bfloat16 || type == Format::float16) return type;
  each_finite(tensor, [&](double value) {
    for (std::size_t i = 0; i < kNarrow.size(); ++i)
      hold[i] = hold[i] && round_to(kNarrow[i], value) == value;
  });
  for (std::size_t i = 0; i < kNarrow.size(); ++i)
    if (hold[i]) return kNarrow[i];
  return Format::float64;
}

namespace {

/// The ways in which right code comes from such inputs to such outputs.
std::vector<FittingPolicy> ways(const io::Tensor& input, const io::Tensor& result) {
  const Format y = narrowest_format(result);
  double largest = 0;
  each_finite(input, [&](double value) { largest = std::max(largest, std::abs(value)); });
  return fitting_policies(narrowest_format(input), y, largest <= limits(y).largest);
}

/// Gives every row of the tables to a check.
void add_rows(const io::Tensor& cos, const io::Tensor& sin, const TokenPositions& positions,
              OutputCheck& check, const PassProgress& progress) {
  const io::Shape shape = table_shape(cos);
  const auto advance = progress(cos.count());
  std::vector<double> c(shape[1]), s(shape[1]);
  for (std::uint64_t row = 0; row < shape[0]; ++row) {
    cos.read(row * shape[1], std::span<double>(c));
    sin.read(row * shape[1], std::span<double>(s));
    at_vector(cos, row, [&] { check.add_row(row, positions.at(0, row), c, s); });
    advance(c.size());
  }
}

}  // namespace

/// A table without its leading axes of length 1: [1, 1, tokens, columns] is [tokens, columns].
io::Shape table_shape(const io::Tensor& table) {
  io::Shape shape = table.shape();
  while (shape.size() > 2 && shape.front() == 1) shape.erase(shape.begin());
  if (shape.size() != 2)
    throw ShapeError(fmt::format("{}: expected a table [tokens, columns], found shape {}",
                                 io::printable(table.name(), 200), io::shape_text(table.shape())),
                     "Give one row per position and one column per pair or per rotated dimension.");
  return shape;
}

namespace {

Giving giving_of(const FittingPolicy& way) {
  Giving giving;
  if (way.casts_input) giving.cast_to = way.policy.input();
  return giving;
}

/// Whether they pass in any of the ways: by which fewest fail under a wrong embedding tells nothing
/// of another one.
bool passes(const OutputStudy& study, const RotaryEmbedding& embedding, const TokenInput& input,
            const io::Tensor& result, std::int64_t shift, bool clockwise,
            const PassProgress& progress) {
  return std::ranges::any_of(study.ways, [&](const FittingPolicy& way) {
    OutputCheck check(way.policy, embedding, way.result, study.hypotheses);
    check.stop_at_violation();
    Giving giving = giving_of(way);
    giving.shift = shift;
    giving.clockwise = clockwise;
    add_vectors(input, result, giving, check, progress);
    return check.report().verdict(embedding) == Verdict::pass;
  });
}

/// The first change of what is stated that makes the vectors pass: the most frequent mistake by
/// far, then positions counted from elsewhere.
PassingChange passing_change(const OutputStudy& study, const TokenInput& input,
                             const io::Tensor& result, const PassProgress& progress) {
  PassingChange change;
  RotaryEmbedding other = study.embedding;
  other.layout = other.layout == PairLayout::half ? PairLayout::interleaved : PairLayout::half;
  if (other.pairs() > 1 && passes(study, other, input, result, progress)) {
    change.layout = other.layout;
    return change;
  }
  constexpr std::int64_t kFar = std::int64_t{1} << 60;  // further, a shift may overflow
  const std::int64_t first = input.positions.smallest();
  if (first < -kFar || input.positions.largest() > kFar) return change;
  std::vector<std::int64_t> shifts = {-1, 1, -2, 2, -3, 3, -4, 4};
  if (first > 4 || first < -4) shifts.push_back(-first);
  for (const std::int64_t shift : shifts) {
    if (!passes(study, study.embedding, input, result, shift, false, progress)) continue;
    change.shift = shift;
    return change;
  }
  change.clockwise = passes(study, study.embedding, input, result, 0, true, progress);
  return change;
}

/// What the axes of an array count.
std::vector<std::string> axis_names(const TokenInput& input, std::size_t axes) {
  std::vector<std::string> names(axes, "heads");
  names.back() = "dimensions";
  const auto tokens = static_cast<std::size_t>(input.token_axis);
  std::vector<std::size_t> others;
  for (std::size_t axis = 0; axis + 1 < axes; ++axis)
    if (axis != tokens) others.push_back(axis);
  if (tokens + 1 < axes) names[tokens] = "tokens";
  if (others.size() == 2) names[others.front()] = "rows";
  for (std::size_t i = 0; others.size() > 2 && i + 1 < others.size(); ++i)
    names[others[i]] = "axis " + std::to_string(others[i]);
  return names;
}

}  // namespace

bool passes(const OutputStudy& study, const RotaryEmbedding& embedding, const TokenInput& input,
            const io::Tensor& result, const PassProgress& progress) {
  return passes(study, embedding, input, result, 0, false, progress);
}

void judge_vectors(OutputStudy& study, const TokenInput& input, const io::Tensor& result,
                   const std::optional<Policy>& policy, const PassProgress& progress) {
  study.policy_stated = policy.has_value();
  study.ways = policy ? std::vector<FittingPolicy>{{*policy, number_format(result.type()), false}}
                      : ways(input.tensor, result);
  const Hypotheses assumed = study.hypotheses;
  for (const FittingPolicy& way : study.ways) {
    const Giving giving = giving_of(way);
    const Certification one = judge_outputs(
        study.embedding, way.policy, way.result, assumed,
        [&](OutputCheck& check) { add_vectors(input, result, giving, check, progress); });
    const bool better = !study.vectors || one.verdict != Verdict::fail ||
                        one.report.violations < study.vectors->report.violations;
    if (!better) continue;
    study.vectors = one;
    study.way = way;
    study.policy = one.policy;
    study.narrowed = one.narrowed;
    study.hypotheses = one.hypotheses;
    if (one.verdict != Verdict::fail) break;
  }
}

void locate_failure(OutputStudy& study, const TokenInput& input, const io::Tensor& result,
                    const PassProgress& progress) {
  if (study.vectors->verdict != Verdict::fail) return;
  constexpr std::uint64_t kMostPlaces = std::uint64_t{1} << 28;  // numbers, of three bits each
  const io::Shape& shape = input.tensor.shape();
  std::vector<std::size_t> lengths(shape.begin(), shape.end());
  if (const std::size_t d = input.axes.head_dim; lengths.back() != d) {
    lengths.back() /= d;
    lengths.push_back(d);
  }
  study.axes = axis_names(input, lengths.size());
  ResidualRecorder residual(lengths, static_cast<std::size_t>(input.token_axis));
  std::optional<PlaceRecorder> places;
  if (input.tensor.count() <= kMostPlaces) places.emplace(lengths, study.embedding);
  OutputCheck check(study.way.policy, study.embedding, study.way.result, study.hypotheses);
  check.keep_last();
  Giving giving = giving_of(study.way);
  giving.judged = [&](std::span<const double> x, std::span<const double> y) {
    if (places) places->add(x, y, check.last());
    residual.add(check.last());
  };
  add_vectors(input, result, giving, check, progress);
  if (places) study.places = places->places();
  study.residual = residual.residual();
}

void try_changes(OutputStudy& study, const TokenInput& input, const io::Tensor& result,
                 const PassProgress& progress) {
  if (study.vectors->verdict != Verdict::fail || (study.places && study.places->all_unrotated))
    return;
  if (!study.noise()) study.would_pass = passing_change(study, input, result, progress);
  if (study.would_pass.any()) return;
  // A pair beside its bound is within it by many a factor, of noise too.
  constexpr double kAccountsFor = 0.5;
  if (study.noise() && study.residual.by_factor < kAccountsFor) return;
  RotaryEmbedding other = study.embedding;
  other.attention_factor *= study.residual.factor;
  if (other.attention_factor == study.embedding.attention_factor ||
      !passes(study, other, input, result, progress))
    return;
  study.would_pass.factor = other.attention_factor;
  study.residual.noise = false;
}

void judge_tables(OutputStudy& study, const io::Tensor& cos, const io::Tensor& sin,
                  const TokenPositions& positions, const std::optional<Policy>& policy,
                  const PassProgress& progress) {
  // Beside vectors they are judged by the policy of those.
  const std::optional<Policy> stated = policy || !study.vectors ? policy : study.policy;
  const std::vector<FittingPolicy> all =
      stated ? std::vector<FittingPolicy>{{*stated, number_format(cos.type()), false}}
             : ways(cos, cos);
  study.policy_stated = policy.has_value();
  const Hypotheses assumed = study.hypotheses;
  for (const FittingPolicy& way : all) {
    const Certification one =
        judge_outputs(study.embedding, way.policy, way.result, assumed,
                      [&](OutputCheck& check) { add_rows(cos, sin, positions, check, progress); });
    if (study.rows && one.verdict == Verdict::fail &&
        one.report.violations >= study.rows->report.violations)
      continue;
    study.rows = one;
    study.rows->of_tables = true;
    study.hypotheses = one.hypotheses;
    const bool cast = limits(way.result).precision < limits(way.policy.table).precision;
    study.narrowed = cast || (study.vectors && study.narrowed);
    if (!study.vectors) {
      study.way = way;
      study.policy = way.policy;
    }
    if (one.verdict != Verdict::fail) break;
  }
}

/// The worst error of each pair that was compared.
std::vector<OutputError> compared_pairs(const OutputReport& report) {
  std::vector<OutputError> pairs = report.per_pair;
  std::erase_if(pairs, [](const OutputError& one) { return !(one.bound > 0); });
  return pairs;
}

/// The worst pairs first, at most so many of them.
std::vector<OutputError> worst_pairs(const OutputReport& report, std::size_t most) {
  std::vector<OutputError> pairs = compared_pairs(report);
  std::ranges::stable_sort(
      pairs, [](const OutputError& a, const OutputError& b) { return a.worse_than(b); });
  if (pairs.size() > most) pairs.resize(most);
  return pairs;
}

Verdict OutputStudy::verdict() const {
  Verdict worst = Verdict::pass;
  for (const std::optional<Certification>* part : {&vectors, &rows}) {
    if (!*part) continue;
    Verdict one = (*part)->verdict;
    if (part == &vectors && one == Verdict::fail && noise()) one = Verdict::inconclusive;
    if (part == &vectors && one == Verdict::pass && heads_open) one = Verdict::inconclusive;
    if (one == Verdict::fail || worst == Verdict::pass) worst = one;
  }
  return worst;
}

std::optional<double> OutputStudy::sufficient_libm_ulp() const {
  std::optional<double> most;
  for (const std::optional<Certification>* part : {&vectors, &rows}) {
    if (!*part || (*part)->report.passed()) continue;
    if (!(*part)->sufficient_libm_ulp) return std::nullopt;
    most = std::max(most, (*part)->sufficient_libm_ulp);
  }
  return most;
}

}  // namespace rope
