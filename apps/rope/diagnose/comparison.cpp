// What `rope diagnose` compares: an explanation with what is assumed, and one tensor with another.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "diagnose/report.hpp"
#include "shown/table.hpp"

namespace rope::app {

bool DiagnoseStudy::agree() const {
  return std::all_of(cases.begin(), cases.end(), [&](const DiagnosedCase& one) {
    return disagreements(cases.front(), one).empty();
  });
}

std::vector<Advice> case_remarks(const DiagnosedCase& one, const Explanation& explanation) {
  std::vector<Advice> all = remarks(explanation, one.positions_given);
  if (one.exchanged)
    all.insert(all.begin(), {"the tables are exchanged: --cos holds sines and --sin holds cosines",
                             "exchange the two files, or where they are read"});
  return all;
}

std::vector<Advice> case_differences(const DiagnosedCase& one, const Explanation& explanation,
                                     const Assumption& assumption) {
  std::vector<Advice> all = differences(explanation, assumption);
  const std::string_view layout = name(assumption.embedding.layout);
  if (assumption.layout && one.columns && *one.columns != TableColumns::pairs &&
      name(*one.columns) != layout)
    all.insert(all.begin(), {fmt::format("the columns repeat as {} layout has them, you assume {}",
                                         name(*one.columns), layout),
                             fmt::format("repeat each column as {} layout has it", layout)});
  if (one.exchanged) all.insert(all.begin(), case_remarks(one, explanation).front());
  return all;
}

std::optional<std::size_t> pair_of(const Arrangement& arrangement, std::size_t dimension) {
  for (std::size_t k = 0; k < arrangement.pairs(); ++k) {
    const PairDimensions out = arrangement.out_dimensions(k);
    if (out.first == dimension || out.second == dimension) return k;
  }
  return std::nullopt;
}

std::vector<std::string> disagreements(const DiagnosedCase& first, const DiagnosedCase& second) {
  std::vector<std::string> result;
  if (first.diagnosis.explanations.empty() || second.diagnosis.explanations.empty()) return result;
  const Explanation& a = first.diagnosis.explanations.front();
  const Explanation& b = second.diagnosis.explanations.front();
  const auto differ = [&](const std::string& what, const std::string& left,
                          const std::string& right) {
    if (left != right) result.push_back(fmt::format("{}: {} and {}", what, left, right));
  };
  differ("layout", layout_text(first, a), layout_text(second, b));
  differ("rotary_dim", std::to_string(a.arrangement.rotary_dim),
         std::to_string(b.arrangement.rotary_dim));
  if (!same_frequencies(a.spectrum(), b.spectrum()))
    result.push_back(fmt::format("frequencies: {} and {}", frequencies_text(a.spectrum()),
                                 frequencies_text(b.spectrum())));
  const auto direction = [](const Explanation& e) {
    return e.spectrum().clockwise ? "clockwise" : "counter-clockwise";
  };
  differ("direction", direction(a), direction(b));
  const auto order = [](const Explanation& e) {
    return e.spectrum().reversed ? "slowest first" : "fastest first";
  };
  differ("order of the pairs", order(a), order(b));
  const double left = a.spectrum().embedding.attention_factor;
  const double right = b.spectrum().embedding.attention_factor;
  const double unsure = a.spectrum().factor_error * left + b.spectrum().factor_error * right;
  if (!(std::abs(left - right) <= 1e-6 + unsure))
    differ("attention factor", six_digits(left), six_digits(right));
  const auto offset = [](const Explanation& e) {
    return e.position_offset ? std::to_string(*e.position_offset) : std::string("none");
  };
  if (first.positions_given || first.diagnosis.tokens == second.diagnosis.tokens)
    differ("position offset", offset(a), offset(b));
  return result;
}

}  // namespace rope::app
