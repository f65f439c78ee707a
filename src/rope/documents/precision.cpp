#include "rope/documents/precision.hpp"

#include <vector>

#include "rope/documents/columns.hpp"
#include "rope/documents/embedding.hpp"
#include "rope/documents/policy.hpp"

namespace rope {
namespace {

double worst_of(const PositionError& error) { return error.worst.error; }
double random_of(const PositionError& error) { return error.random_rms; }

/// At every position of the study that the policy has.
Columns error_columns(const PolicyErrors& errors) {
  const auto of = [&](auto cell) { return cells_of(errors.errors, cell); };
  return {file_column("position", of(&PositionError::position)), file_column("worst", of(worst_of)),
          file_column("bound", of(&PositionError::bound)),
          file_column("random_rms", of(random_of))};
}

io::JsonValue known_json(std::optional<Known> known) {
  if (!known) return nullptr;
  return *known == Known::found ? "found" : *known == Known::certified ? "certified" : "bracketed";
}

io::JsonValue first_json(const FirstPosition& first) {
  io::JsonValue json = {{"tolerance", first.tolerance},
                        {"exact", first.exact()},
                        {"known", known_json(first.known())},
                        {"not_up_to", first.not_up_to}};
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
  json.add(json_lists(error_columns(errors)));
  json.add({{"largest", io::json_list(errors.errors, &PositionError::largest)},
            {"m", worst(&FoundError::m)},
            {"n", worst(&FoundError::n)},
            {"pair", worst(&FoundError::pair)}});
  return json;
}

}  // namespace

std::string precision_csv(const PrecisionStudy& study, CsvForm form) {
  std::vector<ColumnsOfOne> all;
  for (const PolicyResult& result : study.results)
    for (std::size_t side = 0; side < study.against.size(); ++side)
      all.push_back({result.policy.name, error_columns(result.against[side]),
                     side == 0 ? "" : "_" + std::string(name(study.against[side]))});
  return csv_text(file_column("position", study.positions), all, form);
}

std::string precision_json(const PrecisionStudy& study) {
  const auto policy_errors = [&](const PolicyResult& result) {
    io::JsonValue policy = {{"policy", policy_json(result.policy)},
                            {"distinct_positions", result.distinct},
                            {"last_finite_position", result.last},
                            {"evaluation", result.evaluation}};
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

}  // namespace rope
