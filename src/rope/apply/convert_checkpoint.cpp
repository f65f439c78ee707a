#include "rope/apply/convert_checkpoint.hpp"

#include <algorithm>
#include <array>

#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "rope/io/tensor.hpp"
#include "rope/rotary/layout_permutation.hpp"

namespace rope {
namespace {

struct KnownPart {
  std::string_view part;
  WeightRole role;
};

constexpr std::array kParts = {
    KnownPart{"q_proj", WeightRole::query},
    KnownPart{"wq", WeightRole::query},
    KnownPart{"k_proj", WeightRole::key},
    KnownPart{"wk", WeightRole::key},
    KnownPart{"q_norm", WeightRole::norm},
    KnownPart{"k_norm", WeightRole::norm},
    KnownPart{"q_layernorm", WeightRole::norm},
    KnownPart{"k_layernorm", WeightRole::norm},
    KnownPart{"query_layernorm", WeightRole::norm},
    KnownPart{"key_layernorm", WeightRole::norm},
    KnownPart{"qkv_proj", WeightRole::fused},
    KnownPart{"query_key_value", WeightRole::fused},
    KnownPart{"Wqkv", WeightRole::fused},
    KnownPart{"wqkv", WeightRole::fused},
    KnownPart{"qkv", WeightRole::fused},
    KnownPart{"c_attn", WeightRole::fused},
    KnownPart{"W_pack", WeightRole::fused},
    KnownPart{"q_b_proj", WeightRole::fused},
    KnownPart{"wq_b", WeightRole::fused},
    KnownPart{"wkv_a", WeightRole::fused},
    KnownPart{"kv_a_proj_with_mqa", WeightRole::fused},
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

[[noreturn]] void fail(const io::InputFile& file, const std::string& expected,
                       const std::string& found, std::string remedy) {
  throw Error(ErrorKind::invalid_input, file.name() + ": expected " + expected + ", found " + found,
              std::move(remedy));
}

std::size_t rows_of(const io::SafetensorsEntry& entry) {
  return entry.shape.empty() ? 0 : entry.shape.front();
}

/// Throws for tensors that cannot be converted, or not knowing more than their names.
void check_role(const io::InputFile& file, const io::SafetensorsEntry& entry, WeightRole role) {
  if (role == WeightRole::fused)
    fail(file, "queries and keys in separate tensors", io::in_quotes(entry.name, 200),
         "If the first rows of this tensor are heads, convert it by itself: FILE:NAME with --heads "
         "and --head-dim.");
  if (role == WeightRole::packed)
    fail(file, "weights whose rows can be moved", io::in_quotes(entry.name, 200),
         "Convert the model before it is quantised.");
}

/// The head size: as given, or by the first query or key projection.
std::size_t find_head_dim(const io::InputFile& file, const io::SafetensorsHeader& header,
                          const HeadCounts& counts) {
  if (counts.head_dim != 0) return counts.head_dim;
  for (const io::SafetensorsEntry& entry : header.tensors) {
    const WeightRole role = weight_role(entry.name);
    if (role != WeightRole::query && role != WeightRole::key) continue;
    const std::size_t heads = role == WeightRole::query ? counts.query : counts.key;
    const std::size_t rows = rows_of(entry);
    if (rows == 0 || rows % heads != 0)
      fail(file,
           "a multiple of " + std::to_string(heads) + " rows in " + io::in_quotes(entry.name, 200),
           "shape " + io::shape_text(entry.shape), "Check --heads and --kv-heads.");
    return rows / heads;
  }
  fail(file, "query and key projections (q_proj, k_proj, wq, wk)",
       "none among " + std::to_string(header.tensors.size()) + " tensors",
       "To convert a tensor whatever its name, give it as FILE:NAME.");
}

ConvertedWeight plan_weight(const io::InputFile& file, const io::SafetensorsEntry& entry,
                            WeightRole role, const HeadCounts& counts, std::size_t head_dim) {
  ConvertedWeight weight;
  weight.role = role;
  const std::size_t rows = rows_of(entry);
  std::size_t heads = role == WeightRole::query ? counts.query : counts.key;
  if (role == WeightRole::norm) heads = rows / head_dim;  // one for all heads, or one for each
  if (heads == 0 || rows != heads * head_dim)
    fail(file,
         std::to_string(heads == 0 ? head_dim : heads * head_dim) + " rows in " +
             io::in_quotes(entry.name, 200) + ", " + std::to_string(heads) + " heads of " +
             std::to_string(head_dim),
         "shape " + io::shape_text(entry.shape), "Check --heads, --kv-heads and --head-dim.");
  weight.heads = {0, heads, head_dim};
  return weight;
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

CheckpointPlan plan_checkpoint(std::shared_ptr<const io::InputFile> file, PairLayout from,
                               PairLayout to, const HeadCounts& counts) {
  CheckpointPlan plan;
  plan.file = std::move(file);
  plan.header = io::read_safetensors_header(*plan.file);
  const auto& tensors = plan.header.tensors;
  for (const io::SafetensorsEntry& entry : tensors)
    check_role(*plan.file, entry, weight_role(entry.name));
  const std::size_t head_dim = find_head_dim(*plan.file, plan.header, counts);
  if (counts.rotary_dim == 0 && head_dim % 2 != 0)
    fail(*plan.file, "heads of an even size", std::to_string(head_dim),
         "Dimensions are rotated in pairs: check --heads and --head-dim, or give --rotary-dim.");
  plan.change = {from, to, counts.rotary_dim == 0 ? head_dim : counts.rotary_dim};
  static_cast<void>(layout_permutation(from, to, head_dim, plan.change.rotary_dim));  // or refuses
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const WeightRole role = weight_role(tensors[i].name);
    if (role == WeightRole::other) continue;
    ConvertedWeight weight = plan_weight(*plan.file, tensors[i], role, counts, head_dim);
    weight.entry = i;
    static_cast<void>(io::place_of(tensors[i], plan.file->name()));  // must be of a known type
    plan.converted.push_back(weight);
  }
  if (plan.converted.empty())
    fail(*plan.file, "query and key projections (q_proj, k_proj, wq, wk)",
         "none among " + std::to_string(tensors.size()) + " tensors",
         "To convert a tensor whatever its name, give it as FILE:NAME.");
  return plan;
}

void convert_checkpoint(const CheckpointPlan& plan,
                        const std::function<void(std::span<const char>)>& take) {
  const std::string start = io::safetensors_header(plan.header);
  take(start);
  auto next = plan.converted.begin();
  std::vector<char> bytes;
  for (std::size_t i = 0; i < plan.header.tensors.size(); ++i) {
    const io::SafetensorsEntry& entry = plan.header.tensors[i];
    if (next != plan.converted.end() && next->entry == i) {
      const io::Tensor tensor(entry.name, io::place_of(entry, plan.file->name()), plan.file);
      convert_tensor(tensor, next->heads, plan.change, take);
      ++next;
      continue;
    }
    constexpr std::uint64_t kStep = std::uint64_t{1} << 20;
    for (std::uint64_t at = entry.begin; at < entry.end; at += kStep) {
      bytes.resize(std::min(kStep, entry.end - at));
      plan.file->read(at, bytes);
      take(bytes);
    }
  }
}

}  // namespace rope
