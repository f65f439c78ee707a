#include "rope/model/class_defaults.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>

namespace rope {
namespace {

struct Row {
  std::string_view model_type;
  std::string_view parameters;
  std::string_view summary;
};

constexpr std::string_view kTwoBases = "local and global layers, each with its own base";
constexpr std::string_view kOfGemma4 = R"({"full_attention": {"rope_type": "proportional",
    "rope_theta": 1e6, "partial_rotary_factor": 0.25},
    "sliding_attention": {"rope_type": "default", "rope_theta": 1e4}})";
constexpr std::string_view kOfGptOss = R"({"rope_type": "yarn", "factor": 32.0, "beta_fast": 32.0,
    "beta_slow": 1.0, "truncate": false, "original_max_position_embeddings": 4096})";

// configuration_*.py of transformers 5.16.0.dev0 (decba1d2ea4e).
constexpr std::array<Row, 16> kRows = {{
    {"apertus", R"({"rope_type": "llama3", "rope_theta": 12e6, "factor": 8.0,
      "original_max_position_embeddings": 8192, "low_freq_factor": 1.0, "high_freq_factor": 4.0})",
     "Llama 3's rule from 8192 tokens, factor 8"},
    {"cwm", R"({"rope_type": "llama3", "rope_theta": 1e6, "factor": 16.0,
      "original_max_position_embeddings": 8192, "low_freq_factor": 1.0, "high_freq_factor": 4.0})",
     "Llama 3's rule from 8192 tokens, factor 16"},
    {"diffusion_gemma_text", kOfGemma4, kTwoBases},
    {"gemma4_text", kOfGemma4, kTwoBases},
    {"gemma4_unified_text", kOfGemma4, kTwoBases},
    {"gpt_oss", kOfGptOss, "YaRN from 4096 tokens, factor 32"},
    {"higgs_audio_v2", R"({"rope_type": "llama3", "rope_theta": 5e5, "factor": 32.0,
      "original_max_position_embeddings": 1024, "low_freq_factor": 0.125,
      "high_freq_factor": 0.5})",
     "Llama 3's rule from 1024 tokens, factor 32"},
    {"laguna", R"({"full_attention": {"rope_theta": 5e5, "partial_rotary_factor": 0.5},
      "sliding_attention": {"rope_theta": 1e4, "partial_rotary_factor": 1.0}})",
     kTwoBases},
    {"mellum", R"({"full_attention": {"rope_theta": 5e5},
      "sliding_attention": {"rope_theta": 1e4}})",
     kTwoBases},
    {"mimo_v2_flash", R"({"full_attention": {"rope_theta": 5e6, "partial_rotary_factor": 0.334},
      "sliding_attention": {"rope_theta": 1e4, "partial_rotary_factor": 0.334}})",
     kTwoBases},
    {"ministral3", R"({"rope_type": "yarn", "rope_theta": 1e6, "factor": 16.0, "beta_fast": 32.0,
      "beta_slow": 1.0, "mscale": 1.0, "mscale_all_dim": 1.0,
      "original_max_position_embeddings": 16384})",
     "YaRN from 16384 tokens, factor 16"},
    {"mistral4", R"({"rope_type": "yarn", "rope_theta": 1e4, "factor": 128.0, "beta_fast": 32.0,
      "beta_slow": 1.0, "mscale": 1.0, "mscale_all_dim": 1.0,
      "original_max_position_embeddings": 8192})",
     "YaRN from 8192 tokens, factor 128"},
    {"moonshine_streaming", R"({"rope_theta": 1e4, "partial_rotary_factor": 0.8})",
     "base 10000 for 0.8 of a head"},
    {"openai_privacy_filter", kOfGptOss, "YaRN from 4096 tokens, factor 32"},
    {"pe_audio_encoder", R"({"rope_theta": 2e4})", "base 20000"},
    {"zaya", R"({"hybrid": {"rope_theta": 5e6, "partial_rotary_factor": 0.5},
      "hybrid_sliding": {"rope_theta": 1e4, "partial_rotary_factor": 0.5}})",
     kTwoBases},
}};

struct Sections {
  std::string_view model_type;
  std::array<std::int64_t, 3> pairs;
};

// modeling_*.py of the same: what rope_parameters.get("mrope_section", …) falls back to.
constexpr std::array<Sections, 10> kSections = {{
    {"ernie4_5_vl_moe_text", {22, 22, 20}},
    {"glm4v_moe_text", {8, 12, 12}},
    {"glm4v_text", {8, 12, 12}},
    {"glm_image_text", {8, 12, 12}},
    {"glm_ocr_text", {8, 12, 12}},
    {"qwen3_5_moe_text", {11, 11, 10}},
    {"qwen3_5_text", {11, 11, 10}},
    {"qwen3_omni_moe_text", {24, 20, 20}},
    {"qwen3_vl_moe_text", {24, 20, 20}},
    {"qwen3_vl_text", {24, 20, 20}},
}};

}  // namespace

std::optional<ClassParameters> find_class_parameters(std::string_view model_type) {
  static const std::map<std::string_view, io::Json> parsed = [] {
    std::map<std::string_view, io::Json> all;
    for (const Row& row : kRows) all.emplace(row.model_type, io::Json::parse(row.parameters));
    return all;
  }();
  const auto found = parsed.find(model_type);
  if (found == parsed.end()) return std::nullopt;
  const auto* const row = std::ranges::find(kRows, model_type, &Row::model_type);
  return ClassParameters{&found->second, row->summary};
}

bool is_by_layer_type(const ClassParameters& parameters) {
  return std::ranges::all_of(*parameters.parameters, &io::Json::is_object);
}

bool makes_layer_types(std::string_view model_type) {
  constexpr auto kTypes = std::to_array<std::string_view>({
      // clang-format off
      "cohere_compass_text", "diffusion_gemma_text", "gemma3_text", "gemma3n_text", "gemma4_text",
      "gemma4_unified_text", "laguna", "mellum", "mimo_v2_flash", "modernbert",
      "modernbert-decoder", "olmo3", "t5gemma2_decoder", "t5gemma2_text", "zaya"
      // clang-format on
  });
  return std::ranges::binary_search(kTypes, model_type);
}

bool lays_scaling_over(std::string_view model_type) {
  constexpr auto kTypes = std::to_array<std::string_view>(
      {"gemma3_text", "gemma3n_text", "modernbert", "modernbert-decoder", "olmo3",
       "t5gemma2_decoder", "t5gemma2_text"});
  return std::ranges::binary_search(kTypes, model_type);
}

bool scales_every_layer_type(std::string_view model_type) {
  return model_type == "modernbert" || model_type == "modernbert-decoder";
}

std::span<const std::string_view> layer_types_of_class(std::string_view model_type) {
  static constexpr std::array<std::string_view, 2> kBoth = {"full_attention", "sliding_attention"};
  static constexpr std::array<std::string_view, 1> kHybrid = {"hybrid"};
  if (model_type == "cohere_compass_text" || model_type == "laguna" || model_type == "mellum")
    return std::span(kBoth).first(1);
  if (model_type == "zaya") return kHybrid;
  const auto parameters = find_class_parameters(model_type);
  const bool both = lays_scaling_over(model_type) || (parameters && is_by_layer_type(*parameters));
  return both ? std::span<const std::string_view>(kBoth) : std::span<const std::string_view>();
}

std::optional<std::array<std::int64_t, 3>> class_sections(std::string_view model_type) {
  const auto* const found = std::ranges::find(kSections, model_type, &Sections::model_type);
  return found == kSections.end() ? std::nullopt : std::optional(found->pairs);
}

}  // namespace rope
