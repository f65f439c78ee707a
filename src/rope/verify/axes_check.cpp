#include "rope/verify/axes_check.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "rope/error.hpp"
#include "rope/precision/bounds.hpp"
#include "rope/precision/length.hpp"
#include "rope/precision/pipeline.hpp"
#include "rope/random/random.hpp"

namespace rope {
namespace {

constexpr std::int64_t kMistakePosition = 1000;
constexpr std::uint64_t kMistakeCases = 16;
constexpr std::uint64_t kMistakeStream = std::uint64_t{1} << 62;

/// Vectors, their positions, and the way of a shift.
struct AxesCase {
  Position m, n, shift;
  std::vector<double> q, k;
};

AxesCase random_case(const Pipeline& pipeline, std::uint64_t seed, std::uint64_t number,
                     std::int64_t max) {
  RandomStream random(seed, number);
  AxesCase made;
  for (std::size_t axis = 0; axis < kMaxAxes; ++axis) {
    made.m[axis] = random.integer(-max, max);
    made.n[axis] = random.integer(-max, max);
    made.shift[axis] = random.integer(-max, max);
  }
  for (std::vector<double>* x : {&made.q, &made.k}) {
    x->resize(pipeline.embedding().head_dim);
    random.fill_normal(*x);
    for (double& value : *x) value = round_to(pipeline.policy().input(), value);
  }
  return made;
}

/// The three rotations of the identity; a mistake changes one of them.
struct Sides {
  const Pipeline& query;
  const Pipeline& key;
  const Pipeline& relative;
  bool reversed_axis = false;  ///< the right side takes p − s on the last axis
};

double rotated_score(const Sides& sides, const AxesCase& given, const Position& m,
                     const Position& n) {
  RotationRow row;
  std::vector<double> q(given.q.size()), k(given.k.size());
  sides.query.table_row(m, row);
  sides.query.rotate(RotationForm::elementwise, row, given.q, q);
  sides.key.table_row(n, row);
  sides.key.rotate(RotationForm::elementwise, row, given.k, k);
  return sides.query.dot(q, k).value;
}

double relative_score(const Sides& sides, const AxesCase& given) {
  Position distance = given.n - given.m;
  const std::size_t last = sides.relative.embedding().axes.count() - 1;
  if (sides.reversed_axis) distance[last] = -distance[last];
  RotationRow row;
  std::vector<double> q = given.q, k(given.k.size());
  sides.relative.table_row(distance, row);
  sides.relative.rotate(RotationForm::elementwise, row, given.k, k);
  scale_rotated(sides.relative.embedding(), q);
  return sides.relative.dot(q, k).value;
}

/// Bounds of one case, known before it is computed.
class CaseBounds {
 public:
  CaseBounds(const Pipeline& pipeline, const Hypotheses& hypotheses)
      : embedding_(pipeline.embedding()), bounds_(pipeline, hypotheses) {}

  void take(const AxesCase& given) {
    lengths_.take(embedding_, given.q, given.k);
    const double square = embedding_.attention_factor * embedding_.attention_factor;
    weights_.assign(lengths_.weights().begin(), lengths_.weights().end());
    for (double& weight : weights_) weight *= square;
  }
  double norms() const { return lengths_.q() * lengths_.k(); }
  double identity(const AxesCase& given) {
    bounds_.identity(given.m, given.n, limits_);
    return weighted() + bounds_.rotated_score(lengths_.q(), lengths_.k()) +
           bounds_.relative_score(lengths_.q(), lengths_.k());
  }
  double shift(const AxesCase& given, const Position& by) {
    bounds_.shift(given.m, given.n, by, limits_);
    return weighted() + 2 * bounds_.rotated_score(lengths_.q(), lengths_.k());
  }

 private:
  double weighted() const {
    double sum = 0;
    for (std::size_t k = 0; k < limits_.size(); ++k)
      if (limits_[k] != 0) sum += limits_[k] * weights_[k];
    return sum * kBoundInflation;
  }

  const RotaryEmbedding& embedding_;
  ErrorBounds bounds_;
  PairLengths lengths_;
  std::vector<double> weights_, limits_;
};

/// Keeps the worse of two. Whether the new one breaks its bound.
bool take(const Measured& measured, Measured& worst) {
  if (!worst.worse_than(measured)) worst = measured;
  return measured.violated();
}

RotaryEmbedding with_axes(RotaryEmbedding embedding, std::vector<std::uint8_t> of_pair) {
  embedding.axes.of_pair = std::move(of_pair);
  return embedding;
}

/// Every pair by the first axis, as code that knows one position.
RotaryEmbedding by_first_axis(const RotaryEmbedding& right) {
  return with_axes(right, std::vector<std::uint8_t>(right.pairs(), 0));
}

/// The last two axes exchanged, as rows and columns are.
RotaryEmbedding exchanged(const RotaryEmbedding& right) {
  const auto last = static_cast<std::uint8_t>(right.axes.count() - 1);
  std::vector<std::uint8_t> of_pair = right.axes.of_pair;
  for (std::uint8_t& axis : of_pair)
    if (axis == last)
      axis = static_cast<std::uint8_t>(last - 1);
    else if (axis == last - 1)
      axis = last;
  return with_axes(right, std::move(of_pair));
}

/// Sections that begin one pair late.
RotaryEmbedding one_late(const RotaryEmbedding& right) {
  std::vector<std::uint8_t> of_pair = right.axes.of_pair;
  std::copy_backward(right.axes.of_pair.begin(), right.axes.of_pair.end() - 1, of_pair.end());
  return with_axes(right, std::move(of_pair));
}

/// In turn where sections are contiguous, and the other way round.
RotaryEmbedding reordered(const RotaryEmbedding& right) {
  std::vector<std::size_t> sections;
  for (std::size_t axis = 0; axis < right.axes.count(); ++axis)
    sections.push_back(right.axes.pairs_of(axis));
  const bool in_rows = std::ranges::is_sorted(right.axes.of_pair);
  const Axes other = section_axes(sections, right.axes.of_pair.size(),
                                  in_rows ? SectionOrder::interleaved : SectionOrder::contiguous);
  return with_axes(right, other.of_pair);
}

struct PlantedAxes {
  std::string_view name, mistake;
  RotaryEmbedding (*plant)(const RotaryEmbedding&);  ///< of k; nullptr: the reversed axis
};

constexpr auto kPlanted = std::to_array<PlantedAxes>({
    {"first-axis", "every pair of k uses the first axis", by_first_axis},
    {"axes-exchanged", "the last two axes of k are exchanged", exchanged},
    {"section-late", "the sections of k begin one pair late", one_late},
    {"other-order",
     "the sections of k are interleaved where they should be contiguous, or the "
     "reverse",
     reordered},
    {"axis-reversed", "the right side is rotated by the opposite distance on the last axis",
     nullptr},
});

std::vector<AxisMistake> plant_mistakes(const RotaryEmbedding& embedding, std::uint64_t seed) {
  const Pipeline right(*find_policy("exact"), embedding);
  CaseBounds bounds(right, {});
  std::vector<AxisMistake> mistakes;
  for (const PlantedAxes& planted : kPlanted) {
    AxisMistake mistake{planted.name, planted.mistake};
    const RotaryEmbedding wrong = planted.plant == nullptr ? embedding : planted.plant(embedding);
    const Pipeline key(*find_policy("exact"), wrong);
    const Sides sides{right, key, right, planted.plant == nullptr};
    mistake.applies = planted.plant == nullptr
                          ? embedding.axes.pairs_of(embedding.axes.count() - 1) > 0
                          : wrong.axes.of_pair != embedding.axes.of_pair;
    for (std::uint64_t i = 0; mistake.applies && i < kMistakeCases; ++i) {
      const AxesCase given = random_case(right, seed, kMistakeStream + i, kMistakePosition);
      bounds.take(given);
      const double error =
          std::abs(rotated_score(sides, given, given.m, given.n) - relative_score(sides, given));
      if (Measured{error, bounds.identity(given)}.violated()) mistake.caught = true;
    }
    mistakes.push_back(mistake);
  }
  return mistakes;
}

}  // namespace

bool AxesReport::trusted() const {
  return std::ranges::all_of(
      mistakes, [](const AxisMistake& mistake) { return mistake.caught || !mistake.applies; });
}

AxesReport check_axes(const RotaryEmbedding& embedding, const Policy& policy, std::uint64_t cases,
                      std::uint64_t seed, std::int64_t max_position, const Hypotheses& hypotheses) {
  const std::size_t axes = embedding.axes.count();
  if (axes < 2) throw ShapeError("axes: expected an embedding with several axes, got one");
  const Pipeline pipeline(policy, embedding);
  const Sides sides{pipeline, pipeline, pipeline};
  CaseBounds bounds(pipeline, hypotheses);
  AxesReport report;
  report.cases = cases;
  report.shift.resize(axes);
  for (std::uint64_t number = 0; number < cases; ++number) {
    const AxesCase given = random_case(pipeline, seed, number, max_position);
    bounds.take(given);
    const double norms = bounds.norms();
    const double left = rotated_score(sides, given, given.m, given.n);
    const double error = std::abs(left - relative_score(sides, given));
    if (take({error / norms, bounds.identity(given) / norms}, report.identity)) ++report.violations;
    for (std::size_t axis = 0; axis < axes; ++axis) {
      Position by;
      by[axis] = given.shift[axis];
      const double shifted = rotated_score(sides, given, given.m + by, given.n + by);
      if (take({std::abs(shifted - left) / norms, bounds.shift(given, by) / norms},
               report.shift[axis]))
        ++report.shift_violations;
    }
  }
  report.mistakes = plant_mistakes(embedding, seed);
  return report;
}

}  // namespace rope
