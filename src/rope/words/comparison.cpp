// What `rope diagnose` compares: an explanation with what is assumed, and one tensor with another.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "rope/diagnose/disagreements.hpp"
#include "rope/diagnose/remedies.hpp"
#include "rope/words/diagnosed.hpp"

namespace rope::words {
namespace {

/// A part of the best explanation of a case.
std::string part_text(ConventionPart part, const Diagnosed& one) {
  const Explanation& e = one.diagnosis.explanations.front();
  const Spectrum& spectrum = e.spectrum();
  switch (part) {
    case ConventionPart::layout:
      return layout_text(one, e);
    case ConventionPart::rotary_dim:
      return std::to_string(e.arrangement.rotary_dim);
    case ConventionPart::frequencies:
      return frequencies_text(spectrum);
    case ConventionPart::direction:
      return spectrum.clockwise ? "clockwise" : "counter-clockwise";
    case ConventionPart::pair_order:
      return spectrum.reversed ? "slowest first" : "fastest first";
    case ConventionPart::attention_factor:
      return fmt::format("{:.12g}", spectrum.embedding.attention_factor);
    case ConventionPart::position_offset:
      break;
  }
  if (e.position_offset) return std::to_string(*e.position_offset);
  constexpr std::size_t kMost = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(kMost, e.runs.size()); ++i)
    text += fmt::format("{}{}", i > 0 ? ", " : "runs from ", e.runs[i].position);
  return text + (e.runs.size() > kMost ? " …" : "");
}

/// What is wrong before any convention is compared: which file is which, and where the tokens are.
std::vector<Advice> reading_remarks(const Diagnosed& one) {
  std::vector<Advice> all;
  if (one.exchanged)
    all.push_back(
        {"the tables are exchanged: --cos holds sines and --sin holds cosines",
         {"tables-exchanged", "exchange the two files, or fix the code that reads them"}});
  if (one.other_axis)
    all.push_back(
        {fmt::format("the positions run along axis {}, not along the token axis",
                     one.diagnosis.token_axis),
         {"token-axis", fmt::format("if y is your own, transpose before the rotation (heads were "
                                    "mistaken for tokens), or fix unsqueeze_dim; if it is the "
                                    "reference, its tokens lie along that axis: --token-axis {}",
                                    one.diagnosis.token_axis)}});
  return all;
}

}  // namespace

std::vector<Advice> case_remarks(const Diagnosed& one, const Explanation& explanation) {
  std::vector<Advice> all = remarks(explanation, one.positions_given);
  std::ranges::move(reading_remarks(one), std::inserter(all, all.begin()));
  return all;
}

std::vector<Advice> case_differences(const Diagnosed& one, const Explanation& explanation,
                                     const Assumption& assumption) {
  std::vector<Advice> all = differences(explanation, assumption);
  const std::string_view layout = name(assumption.embedding.layout);
  if (assumption.layout && one.columns && *one.columns != TableColumns::pairs &&
      name(*one.columns) != layout)
    all.insert(all.begin(),
               {fmt::format("the columns repeat as in {} layout, but you assume {}",
                            name(*one.columns), layout),
                {"table-columns", either(fmt::format("repeat each column as in {} layout", layout),
                                         fmt::format("rotate the pairs of that layout: --layout {}",
                                                     name(*one.columns)))}});
  if (const std::size_t axes = one.diagnosis.axes_left_out; axes > 0)
    all.push_back(
        {fmt::format("each token turns by one position; you give positions on {} axes", axes),
         {"no-axes", either("turn each pair by the token's position on its axis",
                            "count the tokens: leave out --axis-positions")}});
  std::ranges::move(reading_remarks(one), std::inserter(all, all.begin()));
  return all;
}

std::vector<Advice> on_which_all_agree(
    const Diagnosed& one, const std::function<std::vector<Advice>(const Explanation&)>& of) {
  const std::vector<Explanation>& all = one.diagnosis.explanations;
  std::vector<Advice> shared = of(all.front());
  for (std::size_t i = 1; i < all.size() && !shared.empty(); ++i) {
    const std::vector<Advice> own = of(all[i]);
    std::erase_if(shared, [&](const Advice& advice) {
      return std::ranges::none_of(
          own, [&](const Advice& other) { return other.finding == advice.finding; });
    });
  }
  return shared;
}

std::optional<std::size_t> pair_of(const Arrangement& arrangement, std::size_t dimension) {
  for (std::size_t k = 0; k < arrangement.pairs(); ++k) {
    const PairDimensions out = arrangement.out_dimensions(k);
    if (out.first == dimension || out.second == dimension) return k;
  }
  return std::nullopt;
}

std::vector<std::string> disagreements(const Diagnosed& first, const Diagnosed& second) {
  std::vector<std::string> result;
  for (const ConventionPart part :
       rope::disagreements(first.diagnosis, second.diagnosis, first.positions_given))
    result.push_back(
        fmt::format("{}: {} and {}", name(part), part_text(part, first), part_text(part, second)));
  return result;
}

}  // namespace rope::words
