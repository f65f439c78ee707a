#include "score/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

#include "rope/rotary/ranges_text.hpp"
#include "shown/columns.hpp"
#include "shown/rotary_json.hpp"
#include "shown/text.hpp"

namespace rope::app {
namespace {

constexpr std::size_t kMostScoreRows = 12;

/// A score in a sentence: seven digits, and no sign on zero.
std::string score_text(double value) { return fmt::format("{:.7g}", value + 0.0); }

/// A score of vectors of length 1: 1.000, 0.546, 2.1e-05
std::string cosine_text(double value) {
  const bool tiny = value != 0 && std::abs(value) < 0.001;
  return tiny ? fmt::format("{:.2g}", value) : fmt::format("{:.3f}", value + 0.0);
}

/// The vectors, and what they are turned by.
template <class Name>
std::string described(const ScoreSetting& setting, Name name) {
  std::string text = name(setting.query, "q");
  if (setting.keys.size() == 1) text += ", " + name(setting.keys.front(), "k");
  text += "; " + rope::describe(setting.variant);
  if (const double factor = setting.variant.embedding.attention_factor; factor != 1)
    text += fmt::format("; scores hold A² = {:.6g}", factor * factor);
  return text;
}

/// How long the vectors are and what they are made of, and the numbers.
io::JsonValue vector_json(const NamedVector& vector, std::string_view symbol, std::uint64_t seed,
                          const std::vector<double>& numbers) {
  return {{"named", text_of(vector, symbol, seed)}, {"values", numbers}};
}

io::JsonValue document_of(const ScoreSetting& setting, std::string_view view) {
  return {{"schema", "rope.score/1"},
          {"view", view},
          {"rotary", rotary_json(setting.variant.embedding)},
          {"seed", setting.seed},
          {"query", vector_json(setting.query, "q", setting.seed, setting.q)}};
}

io::JsonValue key_json(const ScoreSetting& setting, std::size_t key) {
  return vector_json(setting.keys[key], "k", setting.seed, setting.k[key]);
}

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
        "The sides differ by more than rounding explains: {} and {}, and {} after both moved.",
        score_text(sides.left), score_text(sides.right), score_text(sides.shifted));
  const std::string value = score_text(sides.left);
  if (same_everywhere(setting))
    return fmt::format("The score is {} on both sides, and the same at every distance.", value);
  return fmt::format("The score is {} on both sides: it depends on n − m alone, here {}.", value,
                     sides.n - sides.m);
}

Table sides_table(const ScoreSides& sides, bool details) {
  Table table({{"", Table::Align::left}, {""}, {"", Table::Align::left}});
  const auto digits = [&](double value) {
    return details ? fmt::format("{}", value + 0.0) : score_text(value);
  };
  const auto explained = [](const Measured& measured) {
    return fmt::format("rounding explains up to {}", three_digits(measured.bound));
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
  return {column("pair", "pair k", cells_of(terms, &PairTerm::pair)),
          column("theta", "θ_k (rad/token)", cells_of(terms, &PairTerm::theta)),
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

/// "-50", "-50 and 50", "0 and 12 more"
std::string places_text(const std::vector<std::size_t>& places,
                        const std::vector<std::int64_t>& distances) {
  std::string text = fmt::format("{}", distances[places.front()]);
  if (places.size() == 2) text += fmt::format(" and {}", distances[places.back()]);
  if (places.size() > 2) text += fmt::format(" and {} more", places.size() - 1);
  return text;
}

/// Where the score is largest and smallest, and what it is at distance 0.
std::string curve_answer(const ScoreCurves& curves, const NamedScoreCurve& named) {
  const ScoreCurve& curve = named.curve;
  const std::vector<std::int64_t>& distances = curves.distances;
  const auto value = [&](std::size_t i) { return cosine_text(curve.scores[i] / curve.norms); };
  const auto of_key = [&](std::string text) {
    return curves.curves.size() > 1 ? named.label + ": " + text : sentence(std::move(text));
  };
  const auto [low, high] = std::ranges::minmax(distances);
  if (distances.size() == 1)
    return of_key(fmt::format("the score is {}·|q||k| at n − m = {}.", value(0), low));
  // What lies between the distances, or beyond, was not computed.
  const std::string of = fmt::format("of {} distances from {} to {}", distances.size(), low, high);
  if (curve.largest.size() == distances.size())
    return of_key(fmt::format("the score is {}·|q||k| at each {}, to rounding.",
                              value(curve.largest.front()), of));
  const std::size_t largest = curve.largest.front(), smallest = curve.smallest.front();
  std::string text = of_key(
      fmt::format("{} the score is largest at n − m = {}, {}·|q||k|, and smallest at {}, {}.", of,
                  places_text(curve.largest, distances), value(largest),
                  places_text(curve.smallest, distances), value(smallest)));
  const auto zero = std::ranges::find(distances, 0);
  if (zero == distances.end() || distances[largest] == 0 || distances[smallest] == 0) return text;
  text.pop_back();
  return text +
         fmt::format("; at 0 it is {}.", value(static_cast<std::size_t>(zero - distances.begin())));
}

/// The rows to show, by distance: the ends, 0, where a curve is largest and smallest, and others
/// evenly between.
std::vector<std::size_t> curve_rows(const ScoreCurves& curves, bool all) {
  const std::vector<std::int64_t>& distances = curves.distances;
  std::vector<std::size_t> order(distances.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return distances[i]; });
  if (all || order.size() <= kMostScoreRows) return order;
  std::vector<std::size_t> chosen = {order.front(), order.back()};
  const auto choose = [&](std::size_t place) {
    if (chosen.size() < kMostScoreRows && std::ranges::find(chosen, place) == chosen.end())
      chosen.push_back(place);
  };
  for (std::size_t i = 0; i < distances.size(); ++i)
    if (distances[i] == 0) choose(i);
  for (const NamedScoreCurve& named : curves.curves) {
    choose(named.curve.largest.front());
    choose(named.curve.smallest.front());
  }
  for (std::size_t i = 1; i + 1 < kMostScoreRows; ++i)
    choose(order[i * (order.size() - 1) / (kMostScoreRows - 1)]);
  std::ranges::stable_sort(chosen, {}, [&](std::size_t i) { return distances[i]; });
  return chosen;
}

/// How they were chosen.
std::string which_rows(const ScoreCurves& curves) {
  constexpr std::size_t kMostWithAllEnds = 4;  // curves whose largest and smallest all have a row
  const std::size_t all = curves.distances.size();
  if (curves.curves.size() > kMostWithAllEnds)
    return fmt::format("Shown are {} of {} distances; --details has all.", kMostScoreRows, all);
  const bool zero = std::ranges::find(curves.distances, 0) != curves.distances.end();
  return fmt::format(
      "Rows: both ends, {}where a score is largest or smallest, others evenly between; --details "
      "has all {}.",
      zero ? "0, " : "", all);
}

std::vector<double> cosines(const ScoreCurve& curve) {
  std::vector<double> values;
  for (const double score : curve.scores) values.push_back(score / curve.norms);
  return values;
}

std::string positions_text(const std::vector<std::int64_t>& positions) {
  const auto [low, high] = std::ranges::minmax(positions);
  return fmt::format("{} positions, {} … {}", positions.size(), low, high);
}

/// Which encodings have constant diagonals, and which have not.
std::string grid_answer(const ScoreGrid& grid) {
  std::vector<std::string> constant, other;
  for (const GridEncoding& encoding : grid.encodings) {
    const rope::Difference& spread = encoding.whole.spread;
    if (spread.explained())
      constant.push_back(encoding.whole.name);
    else
      other.push_back(
          fmt::format("{} spread by up to {}", encoding.whole.name, three_digits(spread.value)));
  }
  std::string text;
  if (!constant.empty())
    text = fmt::format("Scores of {} are constant along every diagonal, to rounding.",
                       listed(constant));
  if (!other.empty())
    text += fmt::format("{}Those of {} along one: not relative.", text.empty() ? "" : " ",
                        listed(other));
  return text;
}

void add_map(Table& table, const ScoreMap& map, const std::string& indent, const Console& console) {
  const bool constant = map.spread.explained();
  table.add_row({indent + map.name, three_digits(map.spread.value),
                 three_digits(map.spread.allowed),
                 map.spread.value == 0 ? "–" : std::to_string(map.spread.distance),
                 console.paint(constant ? Ink::good : Ink::bad, constant ? "yes" : "no")});
}

Table grid_table(const ScoreGrid& grid, bool terms, const Console& console) {
  Table table({{"score/√d", Table::Align::left},
               {"largest spread"},
               {"rounding explains"},
               {"at n − m"},
               {"constant", Table::Align::left}});
  for (const GridEncoding& encoding : grid.encodings) {
    add_map(table, encoding.whole, "", console);
    if (!terms) continue;
    for (const ScoreMap& term : encoding.terms) add_map(table, term, "  ", console);
  }
  return table;
}

io::JsonValue map_json(const ScoreMap& map) {
  return {{"name", map.name},
          {"spread",
           {{"value", map.spread.value},
            {"allowed", map.spread.allowed},
            {"distance", map.spread.distance},
            {"shift", map.spread.shift},
            {"constant", map.spread.explained()}}},
          {"scores", io::json_list(indices(static_cast<std::size_t>(map.scores.rows())),
                                   [&](std::int64_t i) { return row_of(map.scores, i); })}};
}

io::JsonValue measured_json(const Measured& measured) {
  return {{"value", measured.error}, {"allowed", measured.bound}};
}

}  // namespace

std::string describe(const ScoreSetting& setting) {
  return described(setting, [&](const NamedVector& vector, std::string_view symbol) {
    return text_of(vector, symbol, setting.seed);
  });
}

plot::Text drawn_name(const NamedVector& vector, std::string_view symbol, std::uint64_t seed) {
  if (vector.kind == NamedVector::Kind::turned)
    return plot::Text::markup(fmt::format(
        "{} = R_{{{}}} q", symbol, plot::with_minus_signs(std::to_string(vector.turned_by))));
  const std::string text = text_of(vector, symbol, seed);
  return plot::Text::plain(vector.file.empty() ? plot::with_minus_signs(text) : text);
}

std::string describe_drawn(const ScoreSetting& setting) {
  return described(setting, [&](const NamedVector& vector, std::string_view symbol) {
    return drawn_name(vector, symbol, setting.seed).readable();
  });
}

void print_sides(const ScoreSetting& setting, const ScoreAnswer& answer, bool details,
                 const Console& console) {
  const ScoreSides& sides = answer.sides;
  console.say(console.paint(Ink::strong, sides_answer(setting, sides)));
  console.print(sides_table(sides, details));
  console.say(describe(setting));
  if (details && !sides.tells_sign)
    console.say(
        "With these vectors and positions m − n gives the same score, but for rounding: they "
        "cannot tell right from wrong. Take m ≠ n, and q and k that differ.");
  if (answer.terms.pairs.size() > 1)
    console.say(halves_text(answer.terms) + (details ? "" : " --view pairs shows each."));
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
    console.print(table_of(columns));
  } else {
    console.print(table_of(term_columns(terms.pairs)));
  }
  if (const std::string passing = passing_text(setting, terms); !passing.empty())
    console.say(passing);
  const double factor = setting.variant.embedding.attention_factor;
  console.say((factor == 1
                   ? std::string("Pair k adds Re(q_k* k_k e^{i(n−m)θ_k}), q_k and k_k read as "
                                 "complex numbers: never more than |q_k||k_k|.")
                   : fmt::format("Pair k adds A²·Re(q_k* k_k e^{{i(n−m)θ_k}}), q_k and k_k read as "
                                 "complex numbers and A = {:.6g} the attention factor: never more "
                                 "than A²|q_k||k_k|.",
                                 factor)) +
              (some ? fmt::format(" Shown are the {} that add or take most; --details has all {}.",
                                  kMostScoreRows, terms.pairs.size())
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

void print_curves(const ScoreSetting& setting, const ScoreCurves& curves, bool details,
                  const Console& console) {
  const std::vector<std::size_t> rows = curve_rows(curves, details);
  for (const NamedScoreCurve& named : curves.curves)
    console.say(console.paint(Ink::strong, curve_answer(curves, named)));
  console.say(describe(setting));
  const auto picked = [&](const auto& values) {
    std::decay_t<decltype(values)> result;
    for (const std::size_t row : rows) result.push_back(values[row]);
    return result;
  };
  const bool one = curves.curves.size() == 1;
  Columns columns = {table_column("n − m (tokens)", picked(curves.distances))};
  if (one) columns.push_back(table_column("score", picked(curves.curves.front().curve.scores)));
  for (const NamedScoreCurve& named : curves.curves)
    columns.push_back(
        table_column(one ? "score/(|q||k|)" : named.label, picked(cosines(named.curve))));
  console.print(table_of(columns));
  std::string note = one ? "" : "Scores are divided by |q||k|. ";
  if (rows.size() < curves.distances.size()) note += which_rows(curves);
  if (!note.empty()) console.say(note);
}

std::string curves_csv(const ScoreCurves& curves) {
  const bool one = curves.curves.size() == 1;
  std::vector<ColumnsOfOne> all;
  for (const NamedScoreCurve& named : curves.curves)
    all.push_back(
        {one ? "" : fmt::format("[{}]", named.label),
         {file_column("score", named.curve.scores), file_column("cosine", cosines(named.curve))}});
  return csv_text(file_column("distance", curves.distances), all);
}

std::string curves_json(const ScoreSetting& setting, const ScoreCurves& curves) {
  io::JsonValue document = document_of(setting, "curve");
  document.add("distance", curves.distances);
  std::vector<io::JsonValue> list;
  for (std::size_t i = 0; i < curves.curves.size(); ++i) {
    const ScoreCurve& curve = curves.curves[i].curve;
    const auto place = [&](const std::vector<std::size_t>& places) -> io::JsonValue {
      return {{"distance", curves.distances[places.front()]},
              {"cosine", curve.scores[places.front()] / curve.norms},
              {"places", places.size()}};
    };
    list.push_back({{"key", key_json(setting, i)},
                    {"norms", curve.norms},
                    {"largest", place(curve.largest)},
                    {"smallest", place(curve.smallest)},
                    {"score", curve.scores},
                    {"cosine", cosines(curve)}});
  }
  document.add("curves", list);
  return document.document();
}

void print_grid(const ScoreSetting& setting, const ScoreGrid& grid, bool details,
                const Console& console) {
  std::size_t rows = grid.encodings.size();
  std::vector<std::string> with_terms;
  for (const GridEncoding& encoding : grid.encodings) {
    rows += encoding.terms.size();
    if (!encoding.terms.empty()) with_terms.push_back(encoding.whole.name);
  }
  const bool terms = details || rows <= kMostScoreRows;
  console.say(console.paint(Ink::strong, grid_answer(grid)));
  console.say(describe(setting) + "; " + positions_text(grid.positions));
  console.print(grid_table(grid, terms, console));
  if (!terms) console.say(fmt::format("--details shows the terms of {}.", listed(with_terms)));
  console.say(fmt::format(
      "One q and one k stand at every position, so only positions differ. The spread is the "
      "largest score of a diagonal less its smallest. What a model would learn, W_Q and W_K among "
      "it, is random here (seed {}).",
      setting.seed));
}

std::string grid_csv(const ScoreGrid& grid) {
  std::vector<std::int64_t> m, n;
  for (const std::int64_t query : grid.positions)
    for (const std::int64_t key : grid.positions) {
      m.push_back(query);
      n.push_back(key);
    }
  Columns columns = {file_column("m", m), file_column("n", n)};
  const auto add = [&](const std::string& name, const ScoreMap& map) {
    columns.push_back(
        file_column(name, std::vector(map.scores.data(), map.scores.data() + map.scores.size())));
  };
  for (const GridEncoding& encoding : grid.encodings) {
    add(fmt::format("score[{}]", encoding.named.label), encoding.whole);
    for (const ScoreMap& term : encoding.terms)
      add(fmt::format("{}[{}]", term.name, encoding.named.label), term);
  }
  return csv_text(columns);
}

std::string grid_json(const ScoreSetting& setting, const ScoreGrid& grid) {
  io::JsonValue document = document_of(setting, "grid");
  document.add("key", key_json(setting, 0));
  document.add("positions", grid.positions);
  document.add("encodings", io::json_list(grid.encodings, [](const GridEncoding& encoding) {
                 io::JsonValue json = {{"encoding", encoding.named.label}};
                 json.add(map_json(encoding.whole));
                 json.add("terms", io::json_list(encoding.terms, map_json));
                 return json;
               }));
  return document.document();
}

}  // namespace rope::app
