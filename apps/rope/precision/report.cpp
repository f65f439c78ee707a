#include "precision/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rope/pictures/embedding_text.hpp"
#include "rope/plot/theme.hpp"
#include "shown/columns.hpp"
#include "shown/policy.hpp"
#include "shown/rotary_json.hpp"

namespace rope::app {
namespace {

constexpr const char* kNoPosition = "–";

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

/// The largest error up to one of the study's positions, "≥ " the largest found where it is a
/// search, or a dash where the policy has no such position.
std::string error_at(const PolicyErrors& errors, std::int64_t position) {
  for (const PositionError& error : errors.errors)
    if (error.position == position)
      return fmt::format("{}{:.3g}", error.largest ? "" : "≥ ", error.worst.error);
  return kNoPosition;
}

std::string first_heading(Against against) {
  return against == Against::identity
             ? "Consistent with itself? First position N with an error of the identity above"
             : "Right? First position N with an error against exact scores above";
}

std::string errors_heading(Against against) {
  return against == Against::identity
             ? "Largest |⟨R_m q, R_n k⟩ − qᵀR_{n−m}k| for |q| = |k| = 1, 0 ≤ m ≤ n ≤ N"
             : "Largest |⟨R_m q, R_n k⟩ − exact score| for |q| = |k| = 1, 0 ≤ m ≤ n ≤ N";
}

double worst_of(const PositionError& error) { return error.worst.error; }
double random_of(const PositionError& error) { return error.random_rms; }

std::string first_table(const PrecisionStudy& study, std::size_t side) {
  std::vector<Table::Column> columns = {{"", Table::Align::left}};
  for (const double tolerance : kErrorTolerances)
    columns.push_back({fmt::format("> {:g}", tolerance)});
  if (side == 0) columns.push_back({"positions left"});
  Table table(columns);
  for (const PolicyResult& result : study.results) {
    std::vector<std::string> cells = {result.policy.name};
    for (const FirstPosition& first : result.against[side].first)
      cells.push_back(first_text(first));
    if (side == 0) cells.push_back(position_text(result.distinct));
    table.add_row(std::move(cells));
  }
  return table.text();
}

std::string error_table(const PrecisionStudy& study, std::size_t side) {
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
    const PolicyErrors& errors = result.against[side];
    std::vector<std::string> cells = {result.policy.name};
    for (const std::int64_t position : shown) cells.push_back(error_at(errors, position));
    const bool there = errors.errors.back().position == last;
    cells.push_back(there ? fmt::format("{:.3g}", errors.errors.back().bound) : kNoPosition);
    cells.push_back(there ? fmt::format("{:.2g}", errors.errors.back().random_rms) : kNoPosition);
    table.add_row(std::move(cells));
  }
  return table.text();
}

/// At every position of the study that the policy has.
Columns columns_of(const PolicyErrors& errors) {
  const auto of = [&](auto cell) { return cells_of(errors.errors, cell); };
  return {file_column("position", of(&PositionError::position)), file_column("worst", of(worst_of)),
          file_column("bound", of(&PositionError::bound)),
          file_column("random_rms", of(random_of))};
}

io::JsonValue first_json(const FirstPosition& first) {
  io::JsonValue json = {
      {"tolerance", first.tolerance}, {"exact", first.exact()}, {"not_up_to", first.not_up_to}};
  if (const auto& found = first.found)
    json.add({{"position", found->n},
              {"m", found->m},
              {"n", found->n},
              {"pair", found->pair},
              {"error", found->error}});
  else
    json.add("position", nullptr);
  return json;
}

/// The fields of one question.
io::JsonValue errors_json(const PolicyErrors& errors) {
  const auto worst = [&](auto place) {
    return io::json_list(errors.errors, [&](const PositionError& one) { return one.worst.*place; });
  };
  io::JsonValue json = {{"first", io::json_list(errors.first, first_json)}};
  json.add(json_lists(columns_of(errors)));
  json.add({{"largest", io::json_list(errors.errors, &PositionError::largest)},
            {"m", worst(&FoundError::m)},
            {"n", worst(&FoundError::n)},
            {"pair", worst(&FoundError::pair)}});
  return json;
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
  for (std::size_t side = 0; side < study.against.size(); ++side)
    text += "\n" + console.paint(Ink::strong, first_heading(study.against[side])) + "\n" +
            first_table(study, side);
  text += fmt::format(
      "A single number is exact. Up to {} every m ≤ n and every pair was looked at;\n"
      "beyond, a – b means: the bound proves that there is none before a, and at b\n"
      "there is one.\n",
      position_text(study.exhaustive));
  for (std::size_t side = 0; side < study.against.size(); ++side)
    text += "\n" + console.paint(Ink::strong, errors_heading(study.against[side])) + "\n" +
            error_table(study, side);
  return text +
         "These are the largest, to 0.1 %; ≥ is the largest that was found. The bound, and\n"
         "the rms over random q, k, are those at the last N; –: the position format holds no\n"
         "position so large.\n";
}

std::string precision_csv(const PrecisionStudy& study) {
  std::vector<ColumnsOfOne> all;
  for (const PolicyResult& result : study.results)
    for (std::size_t side = 0; side < study.against.size(); ++side)
      all.push_back({(side == 0 ? "" : "_" + std::string(name(study.against[side]))) +
                         (study.results.size() > 1 ? "[" + result.policy.name + "]" : ""),
                     columns_of(result.against[side])});
  return csv_text(file_column("position", study.positions), all);
}

std::string precision_json(const PrecisionStudy& study) {
  const auto policy_errors = [&](const PolicyResult& result) {
    io::JsonValue policy = {{"policy", policy_json(result.policy)},
                            {"distinct_positions", result.distinct},
                            {"last_finite_position", result.last}};
    policy.add(errors_json(result.against[0]));
    for (std::size_t side = 1; side < study.against.size(); ++side)
      policy.add(name(study.against[side]), errors_json(result.against[side]));
    return policy;
  };
  return io::JsonValue{{"schema", "rope.precision/2"},
                       {"rotary", rotary_json(study.embedding)},
                       {"against", study.against.size() > 1 ? "both" : name(study.against[0])},
                       {"exhaustive", study.exhaustive},
                       {"policies", io::json_list(study.results, policy_errors)}}
      .document();
}

}  // namespace rope::app
