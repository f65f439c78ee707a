#include "precision_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "policy_option.hpp"
#include "rope/io/csv.hpp"
#include "rope/io/json.hpp"
#include "rotary_json.hpp"
#include "rotary_options.hpp"
#include "table.hpp"

namespace rope::app {
namespace {

constexpr std::size_t kColours = 6;  // of the palette; grey, the last, is for the rest
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Whole numbers of up to seven digits as they are, larger ones with six.
std::string position_text(std::int64_t position) {
  return position < 10'000'000 ? std::to_string(position)
                               : fmt::format("{:.6g}", static_cast<double>(position));
}

/// "18920", "151360 – 151363" or "none": the first position, or where it lies.
std::string first_text(const FirstPosition& first) {
  if (!first.found) return "none";
  std::string at_most = position_text(first.found->n);
  if (first.exact()) return at_most;
  const std::string at_least = position_text(first.not_up_to + 1);
  return at_least == at_most ? "≈ " + at_most : at_least + " – " + at_most;
}

/// The error at the study's position nearest to one, if the policy gets there.
std::string error_at(const PolicyResult& result, std::int64_t position) {
  for (const PositionError& error : result.errors)
    if (error.position == position) return fmt::format("{:.2g}", error.worst.error);
  return "NaN";
}

std::string errors_heading(const PrecisionStudy& study) {
  return study.against == Against::identity
             ? "largest |⟨R_m q, R_n k⟩ − qᵀR_{n−m}k| for |q| = |k| = 1, 0 ≤ m ≤ n ≤ N"
             : "largest |⟨R_m q, R_n k⟩ − exact score| for |q| = |k| = 1, 0 ≤ m ≤ n ≤ N";
}

std::string first_table(const PrecisionStudy& study) {
  std::vector<Table::Column> columns = {{"", Table::Align::left}};
  for (const double tolerance : kTolerances) columns.push_back({fmt::format("> {:g}", tolerance)});
  columns.push_back({"positions left"});
  Table table(columns);
  for (const PolicyResult& result : study.results) {
    std::vector<std::string> cells = {result.policy.name};
    for (const FirstPosition& first : result.first) cells.push_back(first_text(first));
    cells.push_back(position_text(result.distinct));
    table.add_row(std::move(cells));
  }
  return table.text();
}

std::string error_table(const PrecisionStudy& study) {
  std::vector<std::int64_t> shown;
  const std::int64_t last = study.positions.back();
  for (const std::int64_t position : {std::int64_t{4096}, std::int64_t{131072}, last})
    if (position <= last && std::ranges::find(shown, position) == shown.end())
      shown.push_back(position);
  std::vector<Table::Column> columns = {{"", Table::Align::left}};
  for (const std::int64_t position : shown)
    columns.push_back({fmt::format("N = {}", position_text(position))});
  columns.push_back({"bound"});
  columns.push_back({"random q, k"});
  Table table(columns);
  for (const PolicyResult& result : study.results) {
    std::vector<std::string> cells = {result.policy.name};
    for (const std::int64_t position : shown) cells.push_back(error_at(result, position));
    const bool there = result.errors.back().position == last;
    cells.push_back(there ? fmt::format("{:.2g}", result.errors.back().bound) : "NaN");
    cells.push_back(there ? fmt::format("{:.2g}", result.errors.back().random_rms) : "NaN");
    table.add_row(std::move(cells));
  }
  return table.text();
}

/// Values of one policy at every position of the study; empty cells where it has no position left.
template <class Value>
std::vector<double> column(const PrecisionStudy& study, const PolicyResult& result, Value value) {
  std::vector<double> cells;
  for (const PositionError& error : result.errors) cells.push_back(value(error));
  cells.resize(study.positions.size(), kNone);
  return cells;
}

double worst_of(const PositionError& error) { return error.worst.error; }
double bound_of(const PositionError& error) { return error.bound; }
double random_of(const PositionError& error) { return error.random_rms; }

io::Json first_json(const FirstPosition& first) {
  io::Json json = {{"tolerance", first.tolerance},
                   {"exact", first.exact()},
                   {"not_up_to", first.not_up_to},
                   {"position", nullptr}};
  if (first.found) {
    json["position"] = first.found->n;
    json["m"] = first.found->m;
    json["n"] = first.found->n;
    json["pair"] = first.found->pair;
    json["error"] = first.found->error;
  }
  return json;
}

std::vector<double> position_axis(const PrecisionStudy& study) {
  return {study.positions.begin(), study.positions.end()};
}

plot::Panel curves_panel(const PrecisionStudy& study, const std::string& title,
                         double (*value)(const PositionError&), bool legend) {
  plot::Panel panel;
  panel.title = plot::Text::plain(title);
  panel.x.label = plot::Text::plain("position N (tokens)");
  panel.x.scale = plot::Scale::log10;
  panel.y.label = plot::Text::plain("error / (|q||k|)");
  panel.y.scale = plot::Scale::log10;
  for (std::size_t i = 0; i < study.results.size(); ++i) {
    plot::Series series;
    if (legend) series.label = plot::Text::plain(study.results[i].policy.name);
    series.x = position_axis(study);
    series.y = column(study, study.results[i], value);
    if (study.results.size() <= 2 * kColours) {
      series.colour = i % kColours;
      series.dashed = i >= kColours;
    }
    panel.series.push_back(std::move(series));
  }
  for (const auto& [tokens, label] : {std::pair{4096.0, "4k"}, {131072.0, "128k"}})
    if (tokens < static_cast<double>(study.positions.back()))
      panel.lines.push_back({plot::Direction::vertical, tokens, plot::Text::plain(label)});
  return panel;
}

/// log10 of the error of every pair (rows) up to 2^j tokens (columns).
plot::Panel pairs_panel(const PrecisionStudy& study, const PolicyResult& result) {
  constexpr double kLeast = -17;
  plot::Panel panel;
  panel.title = plot::Text::plain(result.policy.name);
  panel.x.label = plot::Text::markup("log₂ of the position");
  panel.y.label = plot::Text::plain("pair k");
  plot::HeatMap map;
  map.rows = study.embedding.pairs();
  map.colours = plot::ColourMap::sequential;
  map.square_cells = false;
  map.bar_label = plot::Text::plain("log₁₀ error");
  map.max = 0.31;  // an error of 2
  std::vector<const PositionError*> octaves;
  for (const PositionError& error : result.errors)
    if ((error.position & (error.position - 1)) == 0) octaves.push_back(&error);
  map.columns = octaves.size();
  for (std::size_t k = 0; k < map.rows; ++k)
    for (const PositionError* error : octaves)
      map.values.push_back(
          std::max(error->per_pair[k] > 0 ? std::log10(error->per_pair[k]) : kLeast, kLeast));
  map.min = *std::ranges::min_element(map.values);
  panel.heat_map = std::move(map);
  return panel;
}

}  // namespace

std::string precision_report(const PrecisionStudy& study, const Console& console) {
  std::string text = console.paint(Ink::strong, describe(study.embedding)) + "\n";
  if (study.embedding.attention_factor != 1)
    text += "errors are relative to A², the square of the attention factor\n";
  for (const PolicyResult& result : study.results)
    text += fmt::format("  {}: {}\n", result.policy.name,
                        result.policy.angle_rule == AngleRule::exact ? result.policy.summary
                                                                     : stages_text(result.policy));
  text += "\n" + console.paint(Ink::strong, "First position N with an error above") + "\n" +
          first_table(study);
  text += fmt::format(
      "A single number is exact. Up to {} every m ≤ n and every pair was looked at; beyond, a – b\n"
      "means: the bound proves that there is none before a, and at b there is one.\n",
      position_text(study.exhaustive));
  text += "\n" + console.paint(Ink::strong, errors_heading(study)) + "\n" + error_table(study);
  return text + "The bound, and the rms over random q, k, are those at the last N.\n";
}

std::string precision_csv(const PrecisionStudy& study) {
  std::vector<io::CsvColumn> columns = {{"position", study.positions}};
  for (const PolicyResult& result : study.results) {
    const auto add = [&](const char* name, double (*value)(const PositionError&)) {
      columns.push_back({study.results.size() > 1 ? fmt::format("{}[{}]", name, result.policy.name)
                                                  : std::string(name),
                         column(study, result, value)});
    };
    add("worst", worst_of);
    add("bound", bound_of);
    add("random_rms", random_of);
  }
  return io::to_csv(columns);
}

std::string precision_json(const PrecisionStudy& study) {
  io::Json document;
  document["schema"] = "rope.precision/1";
  document["rotary"] = rotary_json(study.embedding);
  document["against"] = study.against == Against::identity ? "identity" : "exact";
  document["exhaustive"] = study.exhaustive;
  document["policies"] = io::Json::array();
  for (const PolicyResult& result : study.results) {
    io::Json policy;
    policy["policy"] = policy_json(result.policy);
    policy["distinct_positions"] = result.distinct;
    policy["last_finite_position"] = result.last;
    policy["first"] = io::Json::array();
    for (const FirstPosition& first : result.first) policy["first"].push_back(first_json(first));
    for (const char* name : {"position", "worst", "bound", "random_rms", "m", "n", "pair"})
      policy[name] = io::Json::array();
    for (const PositionError& error : result.errors) {
      policy["position"].push_back(error.position);
      policy["worst"].push_back(error.worst.error);
      policy["bound"].push_back(error.bound);
      policy["random_rms"].push_back(error.random_rms);
      policy["m"].push_back(error.worst.m);
      policy["n"].push_back(error.worst.n);
      policy["pair"].push_back(error.worst.pair);
    }
    document["policies"].push_back(std::move(policy));
  }
  return io::to_json_text(document);
}

plot::Figure precision_figure(const PrecisionStudy& study) {
  plot::Figure figure;
  figure.title = plot::Text::plain(study.against == Against::identity
                                       ? "Error of the relative-position identity by position"
                                       : "Error of scores against exact ones by position");
  figure.subtitle = plot::Text::plain(describe(study.embedding));
  if (study.by_pair) {
    figure.title = plot::Text::plain(study.against == Against::identity
                                         ? "Error of the identity, pair by pair"
                                         : "Error against exact scores, pair by pair");
    figure.columns =
        static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(study.results.size()))));
    for (const PolicyResult& result : study.results)
      figure.panels.push_back(pairs_panel(study, result));
    return figure;
  }
  figure.height = 1200;
  figure.panels.push_back(curves_panel(study, "worst q, k", worst_of, true));
  figure.panels.push_back(curves_panel(study, "random q, k (rms)", random_of, false));
  return figure;
}

}  // namespace rope::app
