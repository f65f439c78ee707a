#include "rope/model/version_4.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "rope/model/typed_root.hpp"

namespace rope {
namespace {

// Types whose class came with version 5: those of known_models.cpp and the larger models of
// model_kinds.cpp that are not among the configuration_*.py of 4.57.
constexpr auto kSinceVersion5 = std::to_array<std::string_view>({
    // clang-format off
    "afmoe", "audioflamingo3", "axk1", "axk2", "cohere2_moe", "cohere_compass_text",
    "cosmos3_edge_text", "cosmos3_omni", "cwm", "deepseek_ocr2_encoder", "deepseek_ocr2_text",
    "deepseek_v32", "deepseek_v4", "diffusion_gemma_text", "ernie4_5_vl_moe_text", "eurobert",
    "exaone4_5", "exaone_moe", "fast_vlm", "gemma4_text", "gemma4_unified_text", "glm46v",
    "glm4_moe_lite", "glm_image_text", "glm_moe_dsa", "glm_ocr_text", "glmasr", "glmasr_encoder",
    "glmga", "granite4_vision", "granite4_vision_text", "granite_speech_plus", "granite_swa",
    "granitemoe_swa", "higgs_audio_v2", "hrm_text", "hunyuan_vl_text", "hy_v3", "hyperclovax",
    "jais2", "jina_embeddings_v3", "kimi_k25", "kimi_vl", "laguna", "lasr_encoder", "lfm2_moe",
    "lighton_ocr", "mellum", "mimo_v2_flash", "minicpm3", "minimax_m2", "minimax_m3_vl_text",
    "ministral", "ministral3", "mistral4", "modernvbert", "moonshine_streaming",
    "muse_glimmer_assistant", "muse_glimmer_text", "musicflamingo", "nanochat", "nomic_bert",
    "olmo_hybrid", "openai_privacy_filter", "paddleocr_vl_text", "pe_audio", "pe_audio_encoder",
    "pe_audio_video_encoder", "pe_video_encoder", "pp_chart2table", "qianfan_ocr",
    "qwen3_5_moe_text", "qwen3_5_text", "qwen3_asr", "solar_open", "step3p5", "t5gemma2_decoder",
    "t5gemma2_text", "timesfm2_5", "vibevoice_asr", "voxtral_realtime_encoder",
    "voxtral_realtime_text", "xcodec2", "youtu", "zaya"
    // clang-format on
});
static_assert(std::ranges::is_sorted(kSinceVersion5));

struct OtherBase {
  std::string_view model_type;
  double theta;
};

// configuration_cohere.py, configuration_persimmon.py, configuration_qwen3_vl.py and
// configuration_qwen3_vl_moe.py of 4.57.
constexpr std::array<OtherBase, 4> kOtherBases = {{{"cohere", 10000},
                                                   {"persimmon", 25000},
                                                   {"qwen3_vl_moe_text", 5000000},
                                                   {"qwen3_vl_text", 5000000}}};

bool differ(double a, double b) {
  constexpr double kSame = 1e-12;  // far above rounding, far below any difference of formulas
  return a != b && !(std::abs(a / b - 1) <= kSame);
}

bool differ(const std::vector<double>& a, const std::vector<double>& b) {
  return !std::ranges::equal(a, b, [](double x, double y) { return !differ(x, y); });
}

std::string rule_text(const LayerRope& layer) {
  return layer.spec.rule == "default" ? "no scaling" : layer.spec.rule;
}

/// Of the same rule, which alone does not tell of the base. That of longrope is read with a word.
bool has_other_parameters(const ScalingSpec& a, const ScalingSpec& b) {
  return a.rule == b.rule && a.rule != "longrope" && (a.numbers != b.numbers || a.lists != b.lists);
}

/// What is otherwise, and the keys that tell both versions the same, if they are not there yet.
class Differences {
 public:
  Differences(const Fields& root, std::string text_type)
      : root_(root), model_type_(std::move(text_type)) {}

  void compare(const LayerRope& layer, const LayerRope& older, bool named) {
    layer_ = named ? layer.name + ": " : "";
    named_ = named;
    const std::size_t before = count_;
    const std::string key(base_key_of_class(model_type_, layer.name == "sliding_attention"));
    // Two bases in one file are told of as such.
    const bool told = key == "rope_theta" && root_.find(key) != nullptr;
    if (layer.base != older.base && !told)
      add("base " + shown(older.base) + " instead of " + shown(layer.base), key);
    if (layer.spec.rule != older.spec.rule)
      add(rule_text(older) + " instead of " + rule_text(layer),
          older.spec.rule == "default" ? "rope_scaling" : "rope_type in rope_scaling");
    if (layer.rotary_dim != older.rotary_dim)
      add(std::to_string(older.rotary_dim) + " rotated dimensions instead of " +
              std::to_string(layer.rotary_dim),
          class_reads("rotary_pct", model_type_) ? "rotary_pct" : "partial_rotary_factor");
    if (layer.sections.empty() != older.sections.empty())
      add(older.sections.empty() ? "no sections of M-RoPE" : "sections of M-RoPE", "rope_scaling");
    if (layer.base != older.base && has_other_parameters(layer.spec, older.spec))
      add("other parameters for " + layer.spec.rule, "rope_scaling");
    if (count_ > before || (told && layer.base != older.base)) return;
    if (differ(layer.scaled.frequencies.theta, older.scaled.frequencies.theta))
      add("other frequencies with rope_type " + older.spec.rule, "rope_scaling");
    else if (layer.spec.rule != "longrope" &&  // whose reading tells of its factor
             differ(layer.scaled.attention_factor, older.scaled.attention_factor))
      add("attention factor " + shown(older.scaled.attention_factor) + " instead of " +
              shown(layer.scaled.attention_factor),
          "rope_scaling");
  }

  std::string warning() const {
    if (text_.empty()) return {};
    std::string keys;
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      const char* const before = i + 1 == keys_.size() ? " and " : ", ";
      keys += (i == 0 ? "" : before) + keys_[i];
    }
    std::string found = root_.subject() + "transformers 4 uses " + text_;
    if (keys_.empty()) return found;
    return found + ": to suit both versions, write " + keys + (keys_.size() > 1 ? ", each" : "") +
           " at the root" + (part() ? " of that object" : "") + ", too";
  }

 private:
  bool part() const { return root_.path().ends_with('.'); }

  void add(const std::string& text, const std::string& key) {
    ++count_;
    text_ += (text_.empty() ? "" : ", ") + layer_ + text;
    layer_.clear();
    // Of several layer types, a key of all of them at the root says it of none.
    const bool of_all = !is_of_single_types(key) && !key.starts_with("rope_type in");
    if (named_ && of_all) return;
    if (root_.find(key) == nullptr && std::ranges::find(keys_, key) == keys_.end())
      keys_.push_back(key);
  }

  const Fields& root_;
  const std::string model_type_;
  std::string layer_, text_;
  bool named_ = false;
  std::size_t count_ = 0;
  std::vector<std::string> keys_;
};

/// The layers of the same name, or the only ones.
const LayerRope* partner(const LayerRope& layer, const ModelRope& other) {
  const auto found = std::ranges::find(other.layers, layer.name, &LayerRope::name);
  if (found != other.layers.end()) return &*found;
  return other.layers.size() == 1 ? &other.layers.front() : nullptr;
}

}  // namespace

bool is_of_version_4(const KnownModel& model, std::string_view whole) {
  return model.max_position_embeddings + model.hidden_size > 0 &&
         !std::ranges::binary_search(kSinceVersion5, model.model_type) &&
         !std::ranges::binary_search(kSinceVersion5, whole);
}

KnownModel in_version_4(const KnownModel& model) {
  KnownModel older = model;
  const auto* const other =
      std::ranges::find(kOtherBases, model.model_type, &OtherBase::model_type);
  if (other != kOtherBases.end()) older.theta = other->theta;
  return older;
}

std::string difference_of_version_4(const Fields& root, const std::string& text_type,
                                    const ModelRope& model, const ModelRope& older) {
  Differences differences(root, text_type);
  for (const LayerRope& layer : model.layers)
    if (const LayerRope* const other = partner(layer, older);
        layer.rotates() && other != nullptr && other->rotates())
      differences.compare(layer, *other, model.layers.size() > 1);
  return differences.warning();
}

}  // namespace rope
