#include "rope/words/policy_text.hpp"

#include <fmt/format.h>

#include <string_view>

#include "rope/language/said.hpp"

namespace rope {

std::string stages_text(const Policy& policy, Language language) {
  std::string text;
  const auto add = [&](std::string_view stage, rope::Format format) {
    text += fmt::format("{}{} {}", text.empty() ? "" : " → ", translated(stage, language),
                        limits(format).name);
  };
  add("θ", policy.frequency);
  text += said(language, ", position {}", limits(policy.position).name);
  add("angle", policy.angle);
  if (policy.angle_rule == AngleRule::recurrence) text += translated(" by i products", language);
  if (policy.angle_rule == AngleRule::scale_power) text += translated(" by s^i", language);
  if (policy.reduced) text += translated(" reduced", language);
  add("cos, sin", policy.table);
  add("rotate", policy.apply);
  add("store", policy.store);
  add(policy.sum == SumOrder::pairwise ? "sum pairwise" : "sum", policy.accumulate);
  return text;
}

std::string collision_text(const Policy& policy, std::int64_t furthest_position,
                           Language language) {
  const std::int64_t last = policy.last_own_position();
  if (policy.angle_rule == AngleRule::exact || furthest_position <= last) return {};
  return said(language, "positions beyond {} collide in {}. ", last, name(policy.position));
}

}  // namespace rope
