#include "rope/model/gguf_architectures.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "rope/io/quote.hpp"
#include "rope/model/layers_without.hpp"
#include "rope/model/window.hpp"

namespace rope {
namespace {

// llama.cpp's architectures by the rotation they ask of ggml (llama_model_rope_type, 00395eb2).
constexpr auto kInterleavedByName = std::to_array<std::string_view>({
    // clang-format off
    "arcee", "arctic", "baichuan", "bailingmoe", "chameleon", "chatglm", "cohere2", "cohere2moe",
    "command-r", "deci", "deepseek", "deepseek2", "deepseek2-ocr", "deepseek32", "deepseek4",
    "eagle3", "ernie4_5", "ernie4_5-moe", "glm-dsa", "glm4", "granite", "granitehybrid",
    "granitemoe", "internlm2", "llada", "llama", "llama-embed", "llama4", "maincoder", "minicpm",
    "mistral3", "mistral4", "neo-bert", "olmo", "plm", "smollm3", "xverse"
    // clang-format on
});
constexpr auto kHalfByName = std::to_array<std::string_view>({
    // clang-format off
    "afmoe", "apertus", "bailingmoe2", "bitnet", "codeshell", "cogvlm", "dbrx", "dflash", "dots1",
    "dream", "eurobert", "exaone", "exaone-moe", "exaone4", "falcon", "falcon-h1", "gemma",
    "gemma-embedding", "gemma2", "gemma3", "gemma3n", "gemma4", "gemma4-assistant", "glm4moe",
    "gpt-oss", "gptneox", "grok", "grovemoe", "hunyuan-dense", "hunyuan-moe", "hunyuan_vl",
    "hy_v3", "jais2", "jina-bert-v3", "laguna", "lfm2", "lfm2moe", "llada-moe", "mellum", "mimo2",
    "minicpm3", "minimax-m2", "modern-bert", "nemotron", "nomic-bert", "nomic-bert-moe", "olmo2",
    "olmoe", "openelm", "orion", "paddleocr", "pangu-embedded", "phi2", "phi3", "phimoe", "plamo",
    "plamo2", "plamo3", "qwen", "qwen2", "qwen2moe", "qwen2vl", "qwen3", "qwen35", "qwen35moe",
    "qwen3moe", "qwen3next", "qwen3vl", "qwen3vlmoe", "rnd1", "seed_oss", "smallthinker",
    "stablelm", "starcoder2", "step35", "talkie"
    // clang-format on
});

// Those that ask for none. GPT-J's name is among them too, and llama.cpp reads no such file.
constexpr auto kUnrotated = std::to_array<std::string_view>({
    // clang-format off
    "arwkv7", "bert", "bloom", "clip", "gpt2", "jais", "jamba", "jina-bert-v2", "kimi-linear",
    "mamba", "mamba2", "mpt", "nemotron_h", "nemotron_h_moe", "refact", "rwkv6", "rwkv6qwen2",
    "rwkv7", "starcoder", "t5", "t5encoder"
    // clang-format on
});
static_assert(std::ranges::is_sorted(kInterleavedByName) && std::ranges::is_sorted(kHalfByName) &&
              std::ranges::is_sorted(kUnrotated));

/// Which layers rotate nothing stands in llama.cpp's code (src/models/*.cpp) and in no key.
enum class Unrotated {
  every_4th,             ///< counted from 1, the last of each four
  every_4th_from_first,  ///< the first of each four
  without_window,        ///< those of full attention
};
struct UnrotatedLayers {
  std::string_view architecture;
  Unrotated which;
};
constexpr std::array<UnrotatedLayers, 8> kUnrotatedLayers = {{
    {"afmoe", Unrotated::without_window},
    {"cohere2", Unrotated::without_window},
    {"cohere2moe", Unrotated::without_window},
    {"exaone-moe", Unrotated::without_window},
    {"exaone4", Unrotated::without_window},
    {"llama4", Unrotated::every_4th},
    {"smallthinker", Unrotated::every_4th_from_first},
    {"smollm3", Unrotated::every_4th},
}};

/// Whether all layers of such a file rotate: EXAONE 4 without windows (all but the 64 layers of
/// 32B), Llama 4 with a window of 0, SmallThinker without one.
bool rotates_throughout(const Fields& keys, const std::string& arch) {
  const std::string window = arch + ".attention.sliding_window";
  const io::Json* const size = keys.find(window);
  if (arch == "llama4") return size != nullptr && *size == 0;
  if (arch == "smallthinker") return !window_under(keys, window);
  constexpr std::int64_t kOf32B = 64;
  if (arch == "exaone4") return keys.positive_integer(arch + ".block_count") != kOf32B;
  return false;
}

/// ", every 4th,", by a period; empty where a list says which, or the file is silent on the layers.
std::string period_of(const Fields& keys, const std::string& arch) {
  constexpr std::int64_t kUsual = 4;  // in llama.cpp's code
  const io::Json* const pattern = keys.find(arch + ".attention.sliding_window_pattern");
  if (pattern != nullptr && !pattern->is_number()) return {};
  const auto given = window_under(keys, arch + ".attention.sliding_window_pattern");
  return ", every " + ordinal(given.value_or(kUsual)) + ",";
}

}  // namespace

std::optional<PairLayout> gguf_layout(std::string_view architecture, bool sections) {
  // ggml's M-RoPE pairs halves, so the conversion of GLM-4.1V permutes the weights.
  if (architecture == "glm4" && sections) return PairLayout::half;
  if (std::ranges::binary_search(kInterleavedByName, architecture)) return PairLayout::interleaved;
  if (std::ranges::binary_search(kHalfByName, architecture)) return PairLayout::half;
  return std::nullopt;
}

std::optional<std::string> gguf_reason_without_rotation(const Fields& keys,
                                                        const std::string& architecture) {
  if (std::ranges::binary_search(kUnrotated, architecture))
    return "llama.cpp's code for general.architecture " + io::in_quotes(architecture, 60) +
           " rotates nothing";
  // Granite's code takes for a switch what others do not read.
  const std::string finetuned = architecture + ".rope.scaling.finetuned";
  if (const io::Json* const on = keys.find(finetuned);
      on != nullptr && *on == false && architecture.starts_with("granite"))
    return finetuned + " is false, which turns the rotation off in llama.cpp's code for Granite";
  constexpr std::int64_t kOf7B = 32;
  const auto layers = keys.positive_integer(architecture + ".block_count");
  if (architecture == "baichuan" && layers && *layers != kOf7B)
    return "baichuan.block_count is " + std::to_string(*layers) +
           ", and llama.cpp rotates only in the 7B model, which has 32 layers: 13B uses ALiBi";
  return std::nullopt;
}

bool gguf_latent_attention(std::string_view architecture) {
  return architecture.starts_with("deepseek2") || architecture == "deepseek32";
}

std::optional<GgufUnrotated> gguf_unrotated_layers(const Fields& keys,
                                                   const std::string& architecture) {
  const auto* const row =
      std::ranges::find(kUnrotatedLayers, architecture, &UnrotatedLayers::architecture);
  if (row == kUnrotatedLayers.end() || rotates_throughout(keys, architecture)) return std::nullopt;
  if (row->which == Unrotated::every_4th)
    return GgufUnrotated{false, "every 4th layer rotates nothing (NoPE), as in llama.cpp's code"};
  if (row->which == Unrotated::every_4th_from_first)
    return GgufUnrotated{
        false, "the first of every 4 layers rotates nothing (NoPE), as in llama.cpp's code"};
  std::string note = "the layers of type full_attention" + period_of(keys, architecture) +
                     " rotate nothing (NoPE), as in llama.cpp's code";
  if (architecture == "cohere2moe") note += ", except for the dense layers at the start";
  return GgufUnrotated{true, std::move(note)};
}

}  // namespace rope
