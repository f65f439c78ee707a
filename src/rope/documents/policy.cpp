#include "rope/documents/policy.hpp"

#include <string_view>

namespace rope {

io::JsonValue policy_json(const Policy& policy) {
  const bool exact = policy.angle_rule == AngleRule::exact;
  return {{"name", policy.name},
          {"frequency", exact ? std::string_view("exact") : limits(policy.frequency).name},
          {"position", exact ? std::string_view("exact") : limits(policy.position).name},
          {"angle", exact ? std::string_view("exact") : limits(policy.angle).name},
          {"reduced", policy.reduced},
          {"table", limits(policy.table).name},
          {"apply", limits(policy.apply).name},
          {"store", limits(policy.store).name},
          {"accumulate", limits(policy.accumulate).name},
          {"dot", policy.sum == SumOrder::pairwise ? "pairwise" : "sequential"}};
}

io::JsonValue policies_json() {
  return {{"schema", "rope.policies/1"},
          {"policies", io::json_list(policies(), [](const Policy& policy) {
             io::JsonValue json = policy_json(policy);
             json.add("summary", policy.summary);
             return json;
           })}};
}

}  // namespace rope
