#include "rope/documents/extension.hpp"

#include <vector>

#include "rope/documents/columns.hpp"
#include "rope/documents/embedding.hpp"

namespace rope {
namespace {

/// What a rule makes of every pair.
Columns rule_columns(const ExtensionResult& result) {
  return {file_column("theta", result.embedding.frequencies.theta),
          file_column("reach", result.coverage.reach),
          file_column("unseen", result.coverage.unseen)};
}

io::JsonValue rule_json(const ExtensionResult& result) {
  io::JsonValue rule = {{"label", result.label},
                        {"own", result.own},
                        {"rotary", rotary_json(result.embedding)},
                        {"adjacent_gap", result.adjacent_gap},
                        {"first_negative", result.negative.distance},
                        {"mean_cosine", result.decay.mean_cosine},
                        {"bound", result.decay.bound}};
  rule.add(json_lists(rule_columns(result)));
  return rule;
}

}  // namespace

std::string extension_csv(const ExtensionStudy& study, CsvForm form) {
  std::vector<ColumnsOfOne> all;
  for (const ExtensionResult& result : study.results)
    all.push_back({result.short_label, rule_columns(result)});
  return csv_text(file_column("pair", indices(study.trained.pairs())), all, form, Labelled::always);
}

std::string extension_json(const ExtensionStudy& study) {
  std::optional<double> base, none_below;
  if (const auto& smallest = study.smallest_base) {
    base = smallest->base;
    none_below = smallest->none_below;
  }
  io::JsonValue round = nullptr;
  if (const auto& found = study.round_base)
    round = {{"base", found->base}, {"from", found->from}, {"to", found->to}};
  return io::JsonValue{{"schema", "rope.extend/2"},
                       {"rotary", rotary_json(study.trained)},
                       {"trained_length", study.trained_length},
                       {"length", study.length},
                       {"pairs_without_a_turn", study.never_turned()},
                       {"ntk_factor", study.ntk_factor},
                       {"covering_factor", study.covering_factor},
                       {"critical_base", study.critical_base},
                       {"smallest_base", base},
                       {"no_base_below", none_below},
                       {"round_base", round},
                       {"rerope", {{"window", study.rerope.window}, {"leak", study.rerope.leak}}},
                       {"distance", study.distances},
                       {"rules", io::json_list(study.results, rule_json)}}
      .document();
}

}  // namespace rope
