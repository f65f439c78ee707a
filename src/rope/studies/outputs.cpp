#include "rope/studies/outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "rope/apply/rotate_tensor.hpp"
#include "rope/error.hpp"
#include "rope/io/npy.hpp"
#include "rope/io/quote.hpp"
#include "rope/verify/judge_outputs.hpp"

namespace rope {
namespace {

Format number_format(io::ElementType type) {
  switch (type) {
    case io::ElementType::float32:
      return Format::float32;
    case io::ElementType::float16:
      return Format::float16;
    case io::ElementType::bfloat16:
      return Format::bfloat16;
    default:
      return Format::float64;
  }
}

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

/// Gives every vector of X and Y to a check.
void add_vectors(const TokenInput& input, const io::Tensor& result, OutputCheck& check,
                 const PassProgress& progress) {
  const std::size_t d = input.axes.head_dim;
  const auto advance = progress(input.tensor.count());
  std::vector<double> y;
  TensorVisitor visitor;
  visitor.run = [&](const TokenRun& run) {
    y.resize(run.x.size());
    result.read(run.vector * d, std::span<double>(y));
    for (std::size_t start = 0; start < y.size(); start += d) {
      const std::uint64_t vector = run.vector + start / d;
      at_vector(input.tensor, vector, [&] {
        check.add_vector(vector, run.position, run.x.subspan(start, d),
                         std::span(y).subspan(start, d));
      });
    }
    advance(y.size());
  };
  visit_vectors(input.tensor, input.axes, input.positions, visitor);
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
                     "One row a position; columns are pairs, or rotated dimensions.");
  return shape;
}

bool passes(const RotaryEmbedding& embedding, const TokenInput& input, const io::Tensor& result,
            const Policy& policy, const Hypotheses& hypotheses, const PassProgress& progress) {
  OutputCheck check(policy, embedding, number_format(result.type()), hypotheses);
  add_vectors(input, result, check, progress);
  return check.report().verdict(embedding) == Verdict::pass;
}

void judge_vectors(OutputStudy& study, const TokenInput& input, const io::Tensor& result,
                   const Policy& policy, const PassProgress& progress) {
  study.vectors =
      judge_outputs(study.embedding, policy, number_format(result.type()), study.hypotheses,
                    [&](OutputCheck& check) { add_vectors(input, result, check, progress); });
  study.policy = study.vectors->policy;
  study.narrowed = study.vectors->narrowed;
  RotaryEmbedding other = study.embedding;  // the most frequent mistake by far
  other.layout = other.layout == PairLayout::half ? PairLayout::interleaved : PairLayout::half;
  if (study.vectors->verdict == Verdict::fail && other.pairs() > 1 &&
      passes(other, input, result, policy, study.hypotheses, progress))
    study.passing_layout = other.layout;
  study.hypotheses = study.vectors->hypotheses;
}

void judge_tables(OutputStudy& study, const io::Tensor& cos, const io::Tensor& sin,
                  const TokenPositions& positions, const Policy& policy,
                  const PassProgress& progress) {
  const Format type = number_format(cos.type());
  study.rows =
      judge_outputs(study.embedding, policy, type, study.hypotheses,
                    [&](OutputCheck& check) { add_rows(cos, sin, positions, check, progress); });
  study.hypotheses = study.rows->hypotheses;
  study.narrowed = study.narrowed || limits(type).precision < limits(policy.table).precision;
  if (!study.vectors) study.policy = policy;
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
    const Verdict one = (*part)->verdict;
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
