#include "compare/sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rope/attention/decay.hpp"
#include "rope/encodings/alibi.hpp"
#include "rope/encodings/vectors.hpp"
#include "shown/table.hpp"

namespace rope::app {
namespace {

// Of the model's parameters, of the projections' flops, of the weight of attention:
constexpr double kNegligible = 1e-3;  // "about 0"
constexpr double kLow = 1e-2;         // "low", and what is more is "high"

const EncodingResult* find(const ComparisonStudy& study, std::string_view encoding) {
  const auto found = std::ranges::find_if(
      study.results, [&](const EncodingResult& result) { return result.entry->name == encoding; });
  return found == study.results.end() ? nullptr : &*found;
}

/// p_i·p_{i+Δ}/(D/2) beside RoPE's mean cosine, i half-way through training: the largest
/// difference.
double sinusoidal_beside_cosine(const ComparisonStudy& study) {
  const SinusoidalTable table(study.q.size(), study.settings.base);
  std::vector<std::int64_t> distances;
  for (std::int64_t distance = 0; distance <= study.decay_reach; ++distance)
    distances.push_back(distance);
  const DecayCurve curve = decay_curve(table.frequencies(), distances);
  const std::int64_t half = study.settings.trained / 2;
  const std::vector<double> first = table.row(half);
  double worst = 0;
  for (std::size_t i = 0; i < distances.size(); ++i)
    worst = std::max(worst, std::abs(dot(first, table.row(half + distances[i])) /
                                         static_cast<double>(table.frequencies().pairs()) -
                                     curve.mean_cosine[i]));
  return worst;
}

/// A cell of which what the sources say is `expected` of a measured yes or no.
SourceCell relative_cell(const EncodingResult& result, bool expected) {
  const bool holds = result.spread.explained();
  return {
      result.entry->name, Property::relative, expected ? "✓" : "✗", holds == expected,
      fmt::format("spread {:.2g}, rounding {:.2g}", result.spread.value, result.spread.allowed)};
}

SourceCell decay_cell(const ComparisonStudy& study, const EncodingResult& result) {
  const std::string_view encoding = result.entry->name;
  if (encoding == "sinusoidal") {
    const double worst = sinusoidal_beside_cosine(study);
    return {encoding, Property::decay, "✗", false,
            fmt::format("p_i·p_j is RoPE's mean cosine, within {:.1g}", worst)};
  }
  if (encoding == "t5")
    return {encoding, Property::decay, "✗", false,
            fmt::format("{} learned biases: any law", study.settings.buckets)};
  const bool linear = encoding == "alibi";
  const std::string_view expected = linear ? "linear" : "logarithmic";
  return {encoding, Property::decay, linear ? "✓ linear" : "✓ adaptive",
          result.law.name == expected,
          fmt::format("{}, R² {:.3f}{}", result.law.name, result.law.fit,
                      linear ? "" : ", but for q = k alone")};
}

SourceCell cost_cell(const ComparisonStudy& study, const EncodingResult& result) {
  const std::string_view encoding = result.entry->name;
  const auto width = static_cast<double>(study.shape.heads * study.q.size());
  // Four matrices of attention and eight of the usual feed-forward part.
  const double model = 12 * width * width * static_cast<double>(study.shape.layers);
  const double parameters = result.cost.parameters / model;
  const double flops = result.cost.flops / projection_flops(study);
  const std::string because =
      fmt::format("{:.0f} parameters, {:.2g} % of flops", result.cost.parameters, 100 * flops);
  if (encoding == "t5")
    return {encoding, Property::cost, "high", std::max(parameters, flops) > kLow, because};
  if (encoding == "learned")
    return {encoding, Property::cost, "low", std::max(parameters, flops) <= kLow, because};
  return {encoding, Property::cost, "≈0", std::max(parameters, flops) <= kNegligible, because};
}

SourceCell beyond_cell(const ComparisonStudy& study, const EncodingResult& result) {
  const std::string_view encoding = result.entry->name;
  const std::string unseen =
      fmt::format("{:.1f} % new up to {}", 100 * result.unseen, study.length);
  if (!result.undefined.empty())
    return {encoding, Property::beyond, "✗", true, "not defined there"};
  if (encoding == "alibi") {
    const auto last = static_cast<double>(study.settings.trained);
    const double slope =
        AlibiEncoding(study.q.size(), study.settings.heads, study.settings.head).slope();
    const double weight = std::exp(-slope * last);
    return {encoding, Property::beyond, "✓", weight <= kNegligible,
            fmt::format("{}, weight {:.1g}", unseen, weight)};
  }
  const bool expected = encoding == "rope";
  return {encoding, Property::beyond, expected ? "✓ extended" : "✗",
          (result.unseen == 0) == expected, unseen};
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

std::vector<SourceCell> source_cells(const ComparisonStudy& study) {
  std::vector<SourceCell> cells;
  for (const std::string_view encoding : {"rope", "sinusoidal", "learned", "t5", "alibi"}) {
    const EncodingResult* const result = find(study, encoding);
    if (result == nullptr) continue;
    const bool absolute = encoding == "sinusoidal" || encoding == "learned";
    cells.push_back(relative_cell(*result, !absolute));
    if (encoding != "learned") cells.push_back(decay_cell(study, *result));
    if (encoding != "sinusoidal") cells.push_back(cost_cell(study, *result));
    cells.push_back(beyond_cell(study, *result));
  }
  return cells;
}

std::string sources_report(const ComparisonStudy& study, const Console& console) {
  Table table({{"", Table::Align::left},
               {"", Table::Align::left},
               {"says", Table::Align::left},
               {"measured", Table::Align::left},
               {"", Table::Align::left}});
  for (const SourceCell& cell : source_cells(study))
    table.add_row({std::string(cell.encoding), std::string(name(cell.property)),
                   std::string(cell.says), cell.because,
                   cell.agrees ? "agrees" : console.paint(Ink::bad, "* differs")});
  return table.text() +
         "  Its rows on short contexts and on ease of extension need trained models: not "
         "measured.\n";
}

}  // namespace rope::app
