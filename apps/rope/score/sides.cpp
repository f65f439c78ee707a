#include "score/sides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rope/plot/text.hpp"
#include "rope/rotary/ranges_text.hpp"
#include "shown/columns.hpp"
#include "shown/text.hpp"

namespace rope::app {
namespace {

/// A score in a sentence: seven digits, and no sign on zero.
std::string score_text(double value) { return fmt::format("{:.7g}", value + 0.0); }

/// "pairs 0 … 31", or how many where they do not follow each other.
std::string half_text(const PairHalf& half, std::string_view which) {
  const std::string ranges = ranges_text(half.pairs);
  if (half.pairs.size() == 1) return fmt::format("pair {}, the {} one,", ranges, which);
  if (ranges.find(',') != std::string::npos)
    return fmt::format("the {} {} pairs", half.pairs.size(), which);
  return fmt::format("pairs {}, the {} half,", ranges, which);
}

/// What the fast and the slow pairs add.
std::string halves_text(const ScoreTerms& terms) {
  std::string text = sentence(
      fmt::format("{} {} {} and {} {}", half_text(terms.faster, "faster"),
                  terms.faster.pairs.size() == 1 ? "adds" : "add", score_text(terms.faster.sum),
                  half_text(terms.slower, "slower"), score_text(terms.slower.sum)));
  return text;
}

/// What passes through, where something does.
std::string passing_text(const ScoreSetting& setting, const ScoreTerms& terms) {
  const RotaryEmbedding& embedding = setting.variant.embedding;
  if (embedding.rotary_dim() == embedding.head_dim) return {};
  return fmt::format("Dimensions {} … {} pass through and add {} at every distance.",
                     embedding.rotary_dim(), embedding.head_dim - 1, score_text(terms.passing));
}

/// Whether no pair turns what q and k have in it.
bool same_everywhere(const ScoreSetting& setting) {
  const RotaryEmbedding& embedding = setting.variant.embedding;
  const std::vector<double>&q = setting.q, &k = setting.k.front();
  for (std::size_t pair = 0; pair < embedding.pairs(); ++pair) {
    const auto [i, j] = embedding.dimensions(pair);
    const bool empty = (q[i] == 0 && q[j] == 0) || (k[i] == 0 && k[j] == 0);
    if (!empty && embedding.frequencies.theta[pair] != 0) return false;
  }
  return true;
}

std::string sides_answer(const ScoreSetting& setting, const ScoreSides& sides) {
  if (!sides.agree())
    return fmt::format(
        "The sides differ by more than rounding: {} and {}, and {} after both moved.",
        score_text(sides.left), score_text(sides.right), score_text(sides.shifted));
  const std::string value = score_text(sides.left);
  if (same_everywhere(setting))
    return fmt::format("The score is {} on both sides, and the same at every distance.", value);
  return fmt::format("The score is {} on both sides: it depends on n − m alone, here {}.", value,
                     plot::with_minus_signs(std::to_string(sides.n - sides.m)));
}

Table sides_table(const ScoreSides& sides, bool details) {
  Table table({{"", Table::Align::left}, {""}, {"", Table::Align::left}});
  const auto digits = [&](double value) {
    return details ? fmt::format("{}", value + 0.0) : score_text(value);
  };
  const auto explained = [](const Measured& measured) {
    return fmt::format("rounding limit {}", three_digits(measured.bound));
  };
  table.add_row(
      {"⟨R_m q, R_n k⟩", digits(sides.left), fmt::format("m = {}, n = {}", sides.m, sides.n)});
  table.add_row({"qᵀR_{n−m}k", digits(sides.right), fmt::format("n − m = {}", sides.n - sides.m)});
  table.add_row({"difference", three_digits(sides.difference.error), explained(sides.difference)});
  table.add_row({"⟨R_{m+1} q, R_{n+1} k⟩", digits(sides.shifted),
                 fmt::format("m + 1 = {}, n + 1 = {}", sides.m + 1, sides.n + 1)});
  if (!details) return table;
  table.add_row({"its change", three_digits(sides.shift.error), explained(sides.shift)});
  table.add_row({"qᵀR_{m−n}k", digits(sides.wrong_sign), "with m − n instead"});
  return table;
}

Columns term_columns(const std::vector<PairTerm>& terms) {
  return {column("pair", "pair i", cells_of(terms, &PairTerm::pair)),
          column("theta", "θ_i (rad/token)", cells_of(terms, &PairTerm::theta)),
          column("most", "at most ±", cells_of(terms, &PairTerm::most)),
          column("term", "adds", cells_of(terms, &PairTerm::term)),
          column("sum", "sum so far", cells_of(terms, &PairTerm::sum))};
}

/// By how much they add, the largest first.
std::vector<PairTerm> largest_first(std::vector<PairTerm> terms) {
  std::ranges::stable_sort(terms, std::ranges::greater(),
                           [](const PairTerm& each) { return std::abs(each.term); });
  return terms;
}

io::JsonValue measured_json(const Measured& measured) {
  return {{"value", measured.error}, {"allowed", measured.bound}};
}

}  // namespace

void print_sides(const ScoreSetting& setting, const ScoreAnswer& answer, bool details,
                 const Console& console) {
  const ScoreSides& sides = answer.sides;
  console.say(console.paint(Ink::strong, sides_answer(setting, sides)));
  console.print(sides_table(sides, details), "Both sides of the score");
  console.say(describe(setting));
  if (details && !sides.tells_sign)
    console.say(
        "With these vectors and positions m − n gives the same score, but for rounding: they "
        "cannot tell right from wrong. Take m ≠ n, and q and k that differ.");
  if (answer.terms.pairs.size() > 1)
    console.say(halves_text(answer.terms) + (details ? "" : hint(" --view pairs shows each.")));
}

void print_terms(const ScoreSetting& setting, const ScoreAnswer& answer, bool details,
                 const Console& console) {
  const ScoreTerms& terms = answer.terms;
  const bool some = !details && terms.pairs.size() > kMostScoreRows;
  console.say(console.paint(
      Ink::strong,
      fmt::format("The score is {} at n − m = {}. ", score_text(terms.score), terms.distance) +
          (terms.pairs.size() > 1 ? halves_text(terms) : "It has one pair.")));
  console.say(describe(setting));
  if (some) {
    std::vector<PairTerm> largest = largest_first(terms.pairs);
    largest.resize(kMostScoreRows);
    Columns columns = term_columns(largest);
    columns.pop_back();  // a sum is in the order of the pairs
    console.print(table_of(columns), "Pairs that add most to the score");
  } else {
    console.print(table_of(term_columns(terms.pairs)), "What each pair adds to the score");
  }
  if (const std::string passing = passing_text(setting, terms); !passing.empty())
    console.say(passing);
  const double factor = setting.variant.embedding.attention_factor;
  console.say((factor == 1
                   ? std::string("Pair i adds Re(q_i* k_i e^{i(n−m)θ_i}), q_i and k_i read as "
                                 "complex numbers: never more than |q_i||k_i|.")
                   : fmt::format("Pair i adds A²·Re(q_i* k_i e^{{i(n−m)θ_i}}), q_i and k_i read as "
                                 "complex numbers and A = {:.6g} the attention factor: never more "
                                 "than A²|q_i||k_i|.",
                                 factor)) +
              (some ? fmt::format(" Shown are the {} that add or take most{}.", kMostScoreRows,
                                  hint(fmt::format("; --details has all {}", terms.pairs.size())))
                    : std::string()));
}

std::string terms_csv(const ScoreTerms& terms) { return csv_text(term_columns(terms.pairs)); }

std::string score_json(const ScoreSetting& setting, const ScoreAnswer& answer) {
  const auto& [sides, terms] = answer;
  io::JsonValue document = document_of(setting, "pairs");
  document.add("key", key_json(setting, 0));
  document.add({{"m", sides.m},
                {"n", sides.n},
                {"distance", terms.distance},
                {"left", sides.left},
                {"right", sides.right},
                {"difference", measured_json(sides.difference)},
                {"shifted", sides.shifted},
                {"shift", measured_json(sides.shift)},
                {"agree", sides.agree()},
                {"wrong_sign", sides.wrong_sign},
                {"tells_sign", sides.tells_sign},
                {"pairs", json_rows(term_columns(terms.pairs))},
                {"passing", terms.passing},
                {"faster_half", terms.faster.sum},
                {"slower_half", terms.slower.sum}});
  return document.document();
}

}  // namespace rope::app
