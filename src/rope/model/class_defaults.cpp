#include "rope/model/class_defaults.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace rope {
namespace {

// configuration_*.py of transformers 5; version 4 has the same.
constexpr std::array<ClassSizes, 7> kSizes = {{
    {"llama", 4096, 32, 2048},
    {"mistral", 4096, 32, 131072},
    {"mixtral", 4096, 32, 131072},
    {"phi", 2048, 32, 2048},
    {"phi3", 3072, 32, 4096},
    {"qwen2", 4096, 32, 32768},
    {"qwen3_moe", 2048, 32, 32768},
}};

}  // namespace

const ClassSizes* find_class_sizes(std::string_view model_type) {
  const auto* const found = std::ranges::find(kSizes, model_type, &ClassSizes::model_type);
  return found != kSizes.end() ? &*found : nullptr;
}

std::optional<ClassParameters> find_class_parameters(std::string_view model_type) {
  static const io::Json gemma4 = {
      {"full_attention",
       {{"rope_type", "proportional"}, {"rope_theta", 1e6}, {"partial_rotary_factor", 0.25}}},
      {"sliding_attention", {{"rope_type", "default"}, {"rope_theta", 1e4}}}};
  static const io::Json gpt_oss = {
      {"rope_type", "yarn"}, {"factor", 32.0},    {"beta_fast", 32.0},
      {"beta_slow", 1.0},    {"truncate", false}, {"original_max_position_embeddings", 4096}};
  if (model_type == "gemma4" || model_type == "gemma4_text")
    return ClassParameters{&gemma4, "local and global layers with a base each"};
  if (model_type == "gpt_oss") return ClassParameters{&gpt_oss, "YaRN from 4096 tokens by 32"};
  return std::nullopt;
}

}  // namespace rope
