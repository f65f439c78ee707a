#include "rope/words/policy_text.hpp"

#include <fmt/format.h>

#include <string_view>

namespace rope {

std::string stages_text(const Policy& policy) {
  std::string text;
  const auto add = [&](std::string_view stage, rope::Format format) {
    text += fmt::format("{}{} {}", text.empty() ? "" : " → ", stage, limits(format).name);
  };
  add("θ", policy.frequency);
  text += fmt::format(", position {}", limits(policy.position).name);
  add("angle", policy.angle);
  if (policy.angle_rule == AngleRule::recurrence) text += " by i products";
  if (policy.angle_rule == AngleRule::scale_power) text += " by s^i";
  if (policy.reduced) text += " reduced";
  add("cos, sin", policy.table);
  add("rotate", policy.apply);
  add("store", policy.store);
  add(policy.sum == SumOrder::pairwise ? "sum pairwise" : "sum", policy.accumulate);
  return text;
}

std::string collision_text(const Policy& policy, std::int64_t furthest_position) {
  const std::int64_t last = policy.last_own_position();
  if (policy.angle_rule == AngleRule::exact || furthest_position <= last) return {};
  return fmt::format("positions beyond {} collide in {}. ", last, name(policy.position));
}

}  // namespace rope
