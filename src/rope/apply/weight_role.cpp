#include "rope/apply/weight_role.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace rope {
namespace {

struct KnownPart {
  std::string_view part;
  WeightRole role;
};

constexpr std::array kParts = {
    KnownPart{"q_proj", WeightRole::query},     KnownPart{"wq", WeightRole::query},
    KnownPart{"k_proj", WeightRole::key},       KnownPart{"wk", WeightRole::key},
    KnownPart{"q_norm", WeightRole::norm},      KnownPart{"k_norm", WeightRole::norm},
    KnownPart{"q_layernorm", WeightRole::norm}, KnownPart{"k_layernorm", WeightRole::norm},
    KnownPart{"qkv_proj", WeightRole::fused},   KnownPart{"query_key_value", WeightRole::fused},
    KnownPart{"Wqkv", WeightRole::fused},       KnownPart{"wqkv", WeightRole::fused},
    KnownPart{"qkv", WeightRole::fused},        KnownPart{"c_attn", WeightRole::fused},
    KnownPart{"q_b_proj", WeightRole::fused},   KnownPart{"kv_a_proj_with_mqa", WeightRole::fused},
};

std::vector<std::string_view> parts_of(std::string_view name) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t dot = std::min(name.find('.'), name.size());
    parts.push_back(name.substr(0, dot));
    if (dot == name.size()) return parts;
    name.remove_prefix(dot + 1);
  }
}

}  // namespace

std::string_view name(WeightRole role) {
  return role == WeightRole::query ? "query" : role == WeightRole::key ? "key" : "norm";
}

WeightRole weight_role(std::string_view name) {
  const std::vector<std::string_view> parts = parts_of(name);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto* const known = std::ranges::find(kParts, parts[i], &KnownPart::part);
    if (known == kParts.end()) continue;
    const std::string_view next = i + 1 < parts.size() ? parts[i + 1] : "weight";
    if (next == "weight" || next == "bias") return known->role;
    // Of an adapter's product B·A only B has a row for each dimension of a head.
    if (next == "lora_A") return WeightRole::other;
    return next == "lora_B" ? known->role : WeightRole::packed;
  }
  return WeightRole::other;
}

}  // namespace rope
