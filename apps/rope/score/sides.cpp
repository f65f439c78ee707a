#include "score/sides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rope/language/said.hpp"
#include "rope/plot/text.hpp"
#include "rope/rotary/ranges_text.hpp"
#include "shown/columns.hpp"
#include "shown/text.hpp"

namespace rope::app {
namespace {

/// A score in a sentence: seven digits, and no sign on zero.
std::string score_text(double value) { return fmt::format("{:.7g}", value + 0.0); }

/// "pairs 0 … 31, the faster half,", or how many where they do not follow each other.
std::string half_text(const PairHalf& half, bool faster, Language language) {
  const std::string ranges = ranges_text(half.pairs);
  if (half.pairs.size() == 1)
    return faster ? said(language, "pair {}, the faster one,", ranges)
                  : said(language, "pair {}, the slower one,", ranges);
  if (ranges.find(',') != std::string::npos)
    return faster ? said(language, "the {} faster pairs", half.pairs.size())
                  : said(language, "the {} slower pairs", half.pairs.size());
  return faster ? said(language, "pairs {}, the faster half,", ranges)
                : said(language, "pairs {}, the slower half,", ranges);
}

/// What the fast and the slow pairs add.
std::string halves_text(const ScoreTerms& terms, Language language) {
  const std::string faster = half_text(terms.faster, true, language);
  const std::string slower = half_text(terms.slower, false, language);
  const std::string first = score_text(terms.faster.sum), second = score_text(terms.slower.sum);
  return sentence(terms.faster.pairs.size() == 1
                      ? said(language, "{} adds {}, and {} {}", faster, first, slower, second)
                      : said(language, "{} add {}, and {} {}", faster, first, slower, second),
                  language);
}

/// What passes through, where something does.
std::string passing_text(const ScoreSetting& setting, const ScoreTerms& terms, Language language) {
  const RotaryEmbedding& embedding = setting.variant.embedding;
  if (embedding.rotary_dim() == embedding.head_dim) return {};
  return said(language, "Dimensions {} … {} pass through and add {} at every distance.",
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

std::string sides_answer(const ScoreSetting& setting, const ScoreSides& sides, Language language) {
  if (!sides.agree())
    return said(language,
                "⟨R_m q, R_n k⟩ and qᵀR_{{n−m}}k differ by more than rounding: {} and {}, and {} "
                "after shifting m and n.",
                score_text(sides.left), score_text(sides.right), score_text(sides.shifted));
  const std::string value = score_text(sides.left);
  if (same_everywhere(setting))
    return said(language,
                "The score of q and k is {} at every distance: ⟨R_m q, R_n k⟩ = qᵀR_{{n−m}}k.",
                value);
  return said(language,
              "The score of q at m = {} and k at n = {} is {}. For this q and k, it depends on n − "
              "m = {} alone: "
              "⟨R_m q, R_n k⟩ = qᵀR_{{n−m}}k.",
              plot::with_minus_signs(std::to_string(sides.m)),
              plot::with_minus_signs(std::to_string(sides.n)), value,
              plot::with_minus_signs(std::to_string(sides.n - sides.m)));
}

Table sides_table(const ScoreSides& sides, bool details, Language language) {
  Table table({{"", Table::Align::left}, {""}, {"", Table::Align::left}});
  const auto digits = [&](double value) {
    return details ? fmt::format("{}", value + 0.0) : score_text(value);
  };
  const auto explained = [&](const Measured& measured) {
    return said(language, "rounding limit {}", three_digits(measured.bound));
  };
  table.add_row(
      {"⟨R_m q, R_n k⟩", digits(sides.left), said(language, "m = {}, n = {}", sides.m, sides.n)});
  table.add_row({"qᵀR_{n−m}k", digits(sides.right), fmt::format("n − m = {}", sides.n - sides.m)});
  table.add_row({"difference", three_digits(sides.difference.error), explained(sides.difference)});
  table.add_row({"⟨R_{m+1} q, R_{n+1} k⟩", digits(sides.shifted),
                 said(language, "m + 1 = {}, n + 1 = {}", sides.m + 1, sides.n + 1)});
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

/// What a pair adds, and which pairs the table shows.
std::string terms_note(const ScoreSetting& setting, const ScoreTerms& terms, bool some,
                       Language language) {
  const double factor = setting.variant.embedding.attention_factor;
  std::string adds =
      factor == 1 ? said(language,
                         "Pair i adds Re(q_i* k_i e^{{i(n−m)θ_i}}), with q_i and k_i read as "
                         "complex numbers: never more than |q_i||k_i|.")
                  : said(language,
                         "Pair i adds A²·Re(q_i* k_i e^{{i(n−m)θ_i}}), with q_i and k_i read as "
                         "complex numbers and A = {:.6g} the attention factor: never more than "
                         "A²|q_i||k_i|.",
                         factor);
  if (!some) return adds;
  return adds + said(language, " Showing the {} that add or subtract most{}.", kMostScoreRows,
                     hint(said(language, "; --details lists all {}", terms.pairs.size())));
}

io::JsonValue measured_json(const Measured& measured) {
  return {{"value", measured.error}, {"allowed", measured.bound}};
}

}  // namespace

void print_sides(const ScoreSetting& setting, const ScoreAnswer& answer, bool details,
                 const Console& console) {
  const ScoreSides& sides = answer.sides;
  const Language language = console.language();
  console.say(console.paint(Ink::strong, sides_answer(setting, sides, language)));
  console.print(sides_table(sides, details, language), "Both sides of the score");
  console.say(describe(setting, language));
  if (details && !sides.tells_sign)
    console.say(said(
        language,
        "With these vectors and positions, m − n gives the same score, except for rounding: they "
        "cannot tell right from wrong. Take m ≠ n, and q and k that differ."));
  if (answer.terms.pairs.size() > 1)
    console.say(halves_text(answer.terms, language) +
                (details ? "" : hint(said(language, " --view pairs shows each."))));
}

void print_terms(const ScoreSetting& setting, const ScoreAnswer& answer, bool details,
                 const Console& console) {
  const ScoreTerms& terms = answer.terms;
  const bool some = !details && terms.pairs.size() > kMostScoreRows;
  const Language language = console.language();
  console.say(console.paint(
      Ink::strong,
      said(language, "The score is {} at n − m = {}. ", score_text(terms.score), terms.distance) +
          (terms.pairs.size() > 1 ? halves_text(terms, language)
                                  : said(language, "There is one pair."))));
  console.say(describe(setting, language));
  if (some) {
    std::vector<PairTerm> largest = largest_first(terms.pairs);
    largest.resize(kMostScoreRows);
    Columns columns = term_columns(largest);
    columns.pop_back();  // a sum is in the order of the pairs
    console.print(table_of(columns), "Pairs that add most to the score");
  } else {
    console.print(table_of(term_columns(terms.pairs)), "What each pair adds to the score");
  }
  if (const std::string passing = passing_text(setting, terms, language); !passing.empty())
    console.say(passing);
  console.say(terms_note(setting, terms, some, language));
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
