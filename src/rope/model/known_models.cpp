#include "rope/model/known_models.hpp"

#include <algorithm>
#include <array>

namespace rope {
namespace {

constexpr PairLayout kHalf = PairLayout::half;
constexpr PairLayout kPairs = PairLayout::interleaved;
constexpr std::optional<double> kAll;
constexpr std::optional<double> kUsual;

// transformers' models; the second layout is that of llama.cpp's conversion, which permutes the
// weights of the Llama family.
constexpr std::array<KnownModel, 85> kModels = {{
    {"apertus", kHalf, kHalf, kAll, kUsual},
    {"arcee", kHalf, kPairs, kAll, kUsual},
    {"baichuan", kHalf, kPairs, kAll, kUsual},
    {"bailing_moe", kHalf, kPairs, kAll, kUsual},
    {"bitnet", kHalf, kHalf, kAll, kUsual},
    {"chatglm", kPairs, kPairs, kAll, kUsual},
    {"codegen", kPairs, kPairs, kAll, kUsual},
    {"cohere", kPairs, kPairs, kAll, kUsual},
    {"cohere2", kPairs, kPairs, kAll, kUsual},
    {"dbrx", kHalf, kHalf, kAll, kUsual},
    {"deepseek_v2", kPairs, kPairs, kAll, kUsual},
    {"deepseek_v3", kPairs, kPairs, kAll, kUsual},
    {"deepseek_v32", kPairs, kPairs, kAll, kUsual},
    {"deepseek_v4", kPairs, kPairs, 0.125, kUsual},
    {"ernie4_5", kPairs, kPairs, kAll, kUsual},
    {"exaone4", kHalf, kHalf, kAll, 1e6},
    {"falcon", kHalf, kHalf, kAll, kUsual},
    {"gemma", kHalf, kHalf, kAll, kUsual},
    {"gemma2", kHalf, kHalf, kAll, kUsual},
    {"gemma3", kHalf, kHalf, kAll, 1e6},
    {"gemma3_text", kHalf, kHalf, kAll, 1e6},
    {"gemma3n_text", kHalf, kHalf, kAll, 1e6},
    {"gemma4", kHalf, kHalf, kAll, 1e6},
    {"gemma4_text", kHalf, kHalf, kAll, 1e6},
    {"glm", kPairs, kPairs, 0.5, kUsual},
    {"glm4", kPairs, kPairs, 0.5, kUsual},
    {"glm4_moe", kHalf, kHalf, 0.5, kUsual},
    {"gpt_neox", kHalf, kHalf, 0.25, kUsual},
    {"gpt_neox_japanese", kHalf, kHalf, kAll, kUsual},
    {"gpt_oss", kHalf, kHalf, kAll, 150000},
    {"gptj", kPairs, kPairs, kAll, kUsual},
    {"granite", kHalf, kPairs, kAll, kUsual},
    {"granitemoe", kHalf, kPairs, kAll, kUsual},
    {"internlm", kHalf, kPairs, kAll, kUsual},
    {"internlm2", kHalf, kPairs, kAll, kUsual},
    {"internlm3", kHalf, kPairs, kAll, kUsual},
    {"kimi_k2", kPairs, kPairs, kAll, kUsual},
    {"llama", kHalf, kPairs, kAll, kUsual},
    {"llama4", kPairs, kPairs, kAll, 500000},
    {"llama4_text", kPairs, kPairs, kAll, 500000},
    {"minicpm", kHalf, kPairs, kAll, kUsual},
    {"minicpm3", kHalf, kHalf, kAll, kUsual},
    {"ministral", kHalf, kPairs, kAll, kUsual},
    {"mistral", kHalf, kPairs, kAll, kUsual},
    {"mistral4", kPairs, kPairs, kAll, kUsual},
    {"mixtral", kHalf, kPairs, kAll, 1e6},
    {"mllama_text_model", kHalf, kPairs, kAll, 500000},
    {"modernbert", kHalf, kHalf, kAll, 160000},
    {"nemotron", kHalf, kHalf, 0.5, kUsual},
    {"nomic_bert", kHalf, kHalf, kAll, kUsual},
    {"olmo", kHalf, kPairs, kAll, kUsual},
    {"olmo2", kHalf, kHalf, kAll, kUsual},
    {"olmo3", kHalf, kHalf, kAll, kUsual},
    {"olmoe", kHalf, kHalf, kAll, kUsual},
    {"persimmon", kHalf, kHalf, 0.5, 25000},
    {"phi", kHalf, kHalf, 0.5, kUsual},
    {"phi-msft", kHalf, kHalf, kAll, kUsual},
    {"phi3", kHalf, kHalf, kAll, kUsual},
    {"phi3_v", kHalf, kHalf, kAll, kUsual},
    {"phi4_multimodal", kHalf, kHalf, kAll, kUsual},
    {"phimoe", kHalf, kHalf, kAll, kUsual},
    {"qwen", kHalf, kHalf, kAll, kUsual},
    {"qwen2", kHalf, kHalf, kAll, kUsual},
    {"qwen2_5_vl", kHalf, kHalf, kAll, 1e6},
    {"qwen2_5_vl_text", kHalf, kHalf, kAll, 1e6},
    {"qwen2_moe", kHalf, kHalf, kAll, kUsual},
    {"qwen2_vl", kHalf, kHalf, kAll, 1e6},
    {"qwen2_vl_text", kHalf, kHalf, kAll, 1e6},
    {"qwen3", kHalf, kHalf, kAll, kUsual},
    {"qwen3_5", kHalf, kHalf, 0.25, kUsual},
    {"qwen3_5_text", kHalf, kHalf, 0.25, kUsual},
    {"qwen3_moe", kHalf, kHalf, kAll, kUsual},
    {"qwen3_next", kHalf, kHalf, 0.25, kUsual},
    {"qwen3_vl", kHalf, kHalf, kAll, 5e6},
    {"qwen3_vl_text", kHalf, kHalf, kAll, 5e6},
    {"recurrent_gemma", kHalf, kHalf, 0.5, kUsual},
    {"roformer", kPairs, kPairs, kAll, kUsual},
    {"seed_oss", kHalf, kHalf, kAll, kUsual},
    {"smollm3", kHalf, kPairs, kAll, 2e6},
    {"stablelm", kHalf, kHalf, 0.25, kUsual},
    {"stablelm_epoch", kHalf, kHalf, 0.25, kUsual},
    {"starcoder2", kHalf, kHalf, kAll, kUsual},
    {"step3p7", kHalf, kHalf, kAll, kUsual},
    {"xverse", kHalf, kPairs, kAll, kUsual},
    {"yi", kHalf, kPairs, kAll, kUsual},
}};
static_assert(std::ranges::is_sorted(kModels, {}, &KnownModel::model_type));

// llama.cpp's architectures by the rotation they ask of ggml.
constexpr std::array<std::string_view, 25> kGgufInterleaved = {
    "arcee",      "arctic",    "baichuan", "bailingmoe", "chameleon", "chatglm",  "cohere2",
    "command-r",  "deci",      "deepseek", "deepseek2",  "ernie4_5",  "glm4",     "granite",
    "granitemoe", "internlm2", "llama",    "llama4",     "minicpm",   "mistral3", "neo-bert",
    "olmo",       "plm",       "smollm3",  "xverse"};
constexpr std::array<std::string_view, 40> kGgufHalf = {
    "bitnet",   "codeshell",     "dbrx",         "dots1",    "exaone",    "exaone4",  "falcon",
    "gemma",    "gemma2",        "gemma3",       "gemma3n",  "glm4moe",   "gpt-oss",  "gptneox",
    "grok",     "hunyuan-dense", "hunyuan-moe",  "lfm2",     "minicpm3",  "nemotron", "nomic-bert",
    "olmo2",    "olmoe",         "openelm",      "orion",    "phi2",      "phi3",     "phimoe",
    "plamo",    "plamo2",        "qwen",         "qwen2",    "qwen2moe",  "qwen2vl",  "qwen3",
    "qwen3moe", "seed_oss",      "smallthinker", "stablelm", "starcoder2"};

}  // namespace

const KnownModel* find_known_model(std::string_view model_type) {
  const auto* const found =
      std::ranges::lower_bound(kModels, model_type, {}, &KnownModel::model_type);
  return found != kModels.end() && found->model_type == model_type ? &*found : nullptr;
}

std::optional<std::size_t> default_head_dim(std::string_view model_type) {
  if (model_type.starts_with("gemma") || model_type == "qwen3_next") return 256;
  if (model_type == "qwen3" || model_type == "glm" || model_type == "glm4") return 128;
  if (model_type == "gpt_oss") return 64;
  return std::nullopt;
}

bool has_no_rotation(std::string_view model_type) {
  constexpr std::array<std::string_view, 20> kTypes = {
      "albert",       "bart", "bert",        "bloom",   "deberta", "distilbert", "electra",
      "falcon_mamba", "gpt2", "gpt_bigcode", "gpt_neo", "mamba",   "mamba2",     "mpt",
      "mt5",          "opt",  "roberta",     "t5",      "whisper", "xlm-roberta"};
  return std::ranges::find(kTypes, model_type) != kTypes.end();
}

bool never_rotates(std::string_view model_type) {
  return model_type == "nemotron_h" || model_type == "jamba";
}

bool rotates_over_two_axes(std::string_view model_type) {
  return model_type == "pixtral" || model_type == "dinov3_vit" ||
         model_type == "llama4_vision_model";
}

std::optional<PairLayout> gguf_layout(std::string_view architecture) {
  if (std::ranges::find(kGgufInterleaved, architecture) != kGgufInterleaved.end()) return kPairs;
  if (std::ranges::find(kGgufHalf, architecture) != kGgufHalf.end()) return kHalf;
  return std::nullopt;
}

}  // namespace rope
