#include "rope/precision/policy.hpp"

#include <array>

namespace rope {
namespace {

constexpr Format f64 = Format::float64;
constexpr Format f32 = Format::float32;

constexpr auto kPolicies = std::to_array<Policy>({
    {"exact", "this library: exact angles, everything after them in float64", AngleRule::exact, f64,
     f64, f64, f64, f64},
    {"float64", "angle, cos, sin, rotation and score all in float64", AngleRule::product, f64, f64,
     f64, f64, f64},
    {"float32", "angle, cos, sin, rotation and score all in float32", AngleRule::product, f32, f32,
     f32, f32, f32},
});

}  // namespace

std::span<const Policy> policies() { return kPolicies; }

std::optional<Policy> find_policy(std::string_view name) {
  for (const Policy& policy : kPolicies)
    if (policy.name == name) return policy;
  return std::nullopt;
}

}  // namespace rope
