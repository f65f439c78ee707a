#include "score/grid.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "named/encoding_option.hpp"
#include "rope/documents/embedding.hpp"
#include "rope/language/said.hpp"
#include "shown/columns.hpp"
#include "shown/text.hpp"

namespace rope::app {
namespace {

std::string positions_text(const std::vector<std::int64_t>& positions, Language language) {
  const auto [low, high] = std::ranges::minmax(positions);
  return said(language, "{} positions, {} … {}", positions.size(), low, high);
}

/// Which encodings have constant diagonals, and which have not.
std::string grid_answer(const ScoreGrid& grid, Language language) {
  std::vector<std::string> constant, other;
  for (const GridEncoding& encoding : grid.encodings) {
    const rope::Difference& spread = encoding.whole.spread;
    if (!spread.violated())
      constant.emplace_back(translated(encoding.whole.name, language));
    else
      other.push_back(said(language, "{} spread by up to {}",
                           translated(encoding.whole.name, language), three_digits(spread.error)));
  }
  std::string text;
  if (!constant.empty())
    text = said(language, "Scores of {} are constant along every diagonal, up to rounding.",
                listed(constant, language));
  if (!constant.empty() && !other.empty()) text += word({" ", ""}, language);
  if (!other.empty())
    text += said(language, "Scores of {} along a diagonal: not relative.", listed(other, language));
  return text;
}

void add_map(Table& table, const ScoreMap& map, const std::string& indent, const Console& console) {
  const bool constant = !map.spread.violated();
  table.add_row({indent + std::string(translated(map.name, console.language())),
                 three_digits(map.spread.error), three_digits(map.spread.bound),
                 map.spread.error == 0 ? "–" : std::to_string(map.spread.distance),
                 console.paint(constant ? Ink::good : Ink::bad,
                               translated(constant ? "yes" : "no", console.language()))});
}

Table grid_table(const ScoreGrid& grid, bool terms, const Console& console) {
  Table table({{"score/√d", Table::Align::left},
               {"largest spread"},
               {"rounding limit"},
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
           {{"value", map.spread.error},
            {"allowed", map.spread.bound},
            {"distance", map.spread.distance},
            {"shift", map.spread.shift},
            {"constant", !map.spread.violated()}}},
          {"scores", io::json_list(indices(static_cast<std::size_t>(map.scores.rows())),
                                   [&](std::int64_t i) { return row_of(map.scores, i); })}};
}

}  // namespace

void print_grid(const ScoreSetting& setting, const ScoreGrid& grid, bool details,
                const Console& console) {
  std::size_t rows = grid.encodings.size();
  std::vector<std::string> with_terms;
  for (const GridEncoding& encoding : grid.encodings) {
    rows += encoding.terms.size();
    if (!encoding.terms.empty())
      with_terms.emplace_back(translated(encoding.whole.name, console.language()));
  }
  const bool terms = details || rows <= kMostScoreRows;
  const Language language = console.language();
  console.say(console.paint(Ink::strong, grid_answer(grid, language)));
  console.say(said(language, "{}; {}", describe(setting, language),
                   positions_text(grid.positions, language)));
  console.print(grid_table(grid, terms, console), "Spread of the scores at one distance");
  std::vector<EncodingInUse> encodings;
  for (const GridEncoding& one : grid.encodings)
    encodings.push_back({one.named.title, one.spec, one.values});
  if (const std::string values = values_in_use(encodings, grid.context, details, language);
      !values.empty())
    console.say(values);
  if (!terms)
    console.say(
        hint(said(language, "--details shows the terms of {}.", listed(with_terms, language))));
  console.say(said(language,
                   "The same q and k are used at every position, so only positions differ. The "
                   "spread is the largest score on a diagonal minus the smallest. Parameters that "
                   "a model would learn, including W_Q and W_K, are random here (seed {}).",
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
  document.add("trained_length", grid.context.trained);
  document.add("length", grid.context.length);
  document.add("encodings", io::json_list(grid.encodings, [](const GridEncoding& encoding) {
                 io::JsonValue json = {
                     {"encoding", encoding.named.label},
                     {"parameters", parameters_json(encoding.spec, encoding.values)}};
                 json.add(map_json(encoding.whole));
                 json.add("terms", io::json_list(encoding.terms, map_json));
                 return json;
               }));
  return document.document();
}

}  // namespace rope::app
