#include "rope/studies/comparison_sources.hpp"

#include <algorithm>
#include <cmath>

#include "rope/attention/decay.hpp"
#include "rope/encodings/alibi.hpp"
#include "rope/encodings/sinusoidal.hpp"
#include "rope/encodings/vectors.hpp"

namespace rope {
namespace {

// Of the model's parameters, of the projections' flops, of the weight of attention:
constexpr double kNegligible = 1e-3;  // "about 0"
constexpr double kLow = 1e-2;         // "low", and what is more is "high"

const ComparedEncoding* find_compared(const EncodingComparison& comparison,
                                      std::string_view encoding) {
  const auto found = std::ranges::find_if(comparison.results, [&](const ComparedEncoding& result) {
    return result.spec.entry->name == encoding;
  });
  return found == comparison.results.end() ? nullptr : &*found;
}

/// p_i·p_{i+Δ}/(D/2) beside RoPE's mean cosine, i half-way through training: the largest
/// difference.
double sinusoidal_beside_cosine(const EncodingComparison& comparison) {
  const EncodingContext& context = comparison.settings.context;
  const SinusoidalTable table(comparison.q.size(), context.base);
  std::vector<std::int64_t> distances;
  for (std::int64_t distance = 0; distance <= comparison.decay_reach; ++distance)
    distances.push_back(distance);
  const DecayCurve curve = decay_curve(table.frequencies(), distances);
  const std::int64_t half = context.trained / 2;
  const std::vector<double> first = table.row(half);
  double worst = 0;
  for (std::size_t i = 0; i < distances.size(); ++i)
    worst = std::max(worst, std::abs(dot(first, table.row(half + distances[i])) /
                                         static_cast<double>(table.frequencies().pairs()) -
                                     curve.mean_cosine[i]));
  return worst;
}

/// A cell of which what the sources say is `expected` of a measured yes or no.
SourceCell relative_cell(const ComparedEncoding& result, bool expected) {
  return {&result, Property::relative, expected ? "✓" : "✗", result.spread.explained() == expected,
          CellReason::spread};
}

SourceCell decay_cell(const EncodingComparison& comparison, const ComparedEncoding& result) {
  const std::string_view encoding = result.spec.entry->name;
  if (encoding == "sinusoidal")
    return {&result, Property::decay,         "✗",
            false,   CellReason::mean_cosine, sinusoidal_beside_cosine(comparison)};
  if (encoding == "t5")
    return {&result,
            Property::decay,
            "✗",
            false,
            CellReason::learned_biases,
            result.values.number("buckets")};
  const bool linear = encoding == "alibi";
  const std::string_view expected = linear ? "linear" : "logarithmic";
  return {&result, Property::decay, linear ? "✓ linear" : "✓ adaptive", result.law.name == expected,
          linear ? CellReason::law : CellReason::law_of_equal};
}

SourceCell cost_cell(const EncodingComparison& comparison, const ComparedEncoding& result) {
  const std::string_view encoding = result.spec.entry->name;
  const ModelShape& shape = comparison.shape;
  const auto width = static_cast<double>(shape.heads * comparison.q.size());
  // Four matrices of attention and eight of the usual feed-forward part.
  const double model = 12 * width * width * static_cast<double>(shape.layers);
  const double largest = std::max(result.cost.parameters / model, result.cost_share);
  if (encoding == "t5") return {&result, Property::cost, "high", largest > kLow, CellReason::cost};
  if (encoding == "learned")
    return {&result, Property::cost, "low", largest <= kLow, CellReason::cost};
  return {&result, Property::cost, "≈0", largest <= kNegligible, CellReason::cost};
}

SourceCell beyond_cell(const EncodingComparison& comparison, const ComparedEncoding& result) {
  const std::string_view encoding = result.spec.entry->name;
  const EncodingContext& context = comparison.settings.context;
  if (!result.undefined.empty())
    return {&result, Property::beyond, "✗", true, CellReason::undefined};
  if (encoding == "alibi") {
    const auto head = static_cast<std::size_t>(result.values.whole("head"));
    const double slope = alibi_slopes(context.heads)[head];
    const double weight = std::exp(-slope * static_cast<double>(context.trained));
    return {&result, Property::beyond, "✓", weight <= kNegligible, CellReason::weight, weight};
  }
  const bool expected = encoding == "rope";
  return {&result, Property::beyond, expected ? "✓ extended" : "✗",
          (result.unseen == 0) == expected, CellReason::unseen};
}

}  // namespace

std::string_view name(Property property) {
  switch (property) {
    case Property::relative:
      return "relative";
    case Property::decay:
      return "decay";
    case Property::cost:
      return "cost";
    default:
      return "beyond";
  }
}

std::vector<SourceCell> source_cells(const EncodingComparison& comparison) {
  std::vector<SourceCell> cells;
  for (const std::string_view encoding : {"rope", "sinusoidal", "learned", "t5", "alibi"}) {
    const ComparedEncoding* const result = find_compared(comparison, encoding);
    if (result == nullptr) continue;
    const bool absolute = encoding == "sinusoidal" || encoding == "learned";
    cells.push_back(relative_cell(*result, !absolute));
    if (encoding != "learned") cells.push_back(decay_cell(comparison, *result));
    if (encoding != "sinusoidal") cells.push_back(cost_cell(comparison, *result));
    cells.push_back(beyond_cell(comparison, *result));
  }
  return cells;
}

}  // namespace rope
