#include <algorithm>
#include <array>
#include <string>

#include "rope/model/known_models.hpp"

namespace rope {
namespace {

struct Whole {
  std::string_view model_type;
  std::string_view text_type;
};

// Models of text and something else, by the text model that their class makes.
constexpr std::array<Whole, 88> kWholes = {{
    {"aria", "aria_text"},
    {"audioflamingo3", "qwen2"},
    {"aya_vision", "cohere2"},
    {"clvp", "clvp_encoder"},
    {"cohere2_vision", "cohere2"},
    {"cohere_compass", "cohere_compass_text"},
    {"colpali", "gemma"},
    {"cosmos3_edge", "cosmos3_edge_text"},
    {"cosmos3_omni", "qwen3_vl_text"},
    {"deepseek_ocr2", "deepseek_ocr2_text"},
    {"deepseek_vl", "llama"},
    {"deepseek_vl_hybrid", "llama"},
    {"dia", "dia_decoder"},
    {"diffusion_gemma", "diffusion_gemma_text"},
    {"emu3", "emu3_text_model"},
    {"ernie4_5_vl_moe", "ernie4_5_vl_moe_text"},
    {"exaone4_5", "exaone4"},
    {"fast_vlm", "qwen2"},
    {"fuyu", "persimmon"},
    {"gemma3", "gemma3_text"},
    {"gemma3n", "gemma3n_text"},
    {"gemma4", "gemma4_text"},
    {"gemma4_assistant", "gemma4_text"},
    {"gemma4_unified", "gemma4_unified_text"},
    {"glm46v", "glm4v_text"},
    {"glm4v", "glm4v_text"},
    {"glm4v_moe", "glm4v_moe_text"},
    {"glm_image", "glm_image_text"},
    {"glm_ocr", "glm_ocr_text"},
    {"glmasr", "llama"},
    {"glmga", "glm4v_text"},
    {"got_ocr2", "qwen2"},
    {"granite4_vision", "llama"},
    {"granite_speech", "granite"},
    {"granite_speech_plus", "granite"},
    {"hunyuan_vl", "hunyuan_vl_text"},
    {"idefics2", "mistral"},
    {"idefics3", "llama"},
    {"internvl", "qwen2"},
    {"janus", "llama"},
    {"kimi_k25", "deepseek_v3"},
    {"kimi_vl", "deepseek_v3"},
    {"lfm2_vl", "lfm2"},
    {"lighton_ocr", "qwen3"},
    {"llama4", "llama4_text"},
    {"llava", "llama"},
    {"llava_next", "llama"},
    {"llava_next_video", "llama"},
    {"llava_onevision", "qwen2"},
    {"minicpmv4_6", "qwen3_5_text"},
    {"minimax_m3_vl", "minimax_m3_vl_text"},
    {"mistral3", "mistral"},
    {"mllama", "mllama_text_model"},
    {"modernvbert", "modernbert"},
    {"muse_glimmer", "muse_glimmer_text"},
    {"musicflamingo", "qwen2"},
    {"ovis2", "qwen2"},
    {"paddleocr_vl", "paddleocr_vl_text"},
    {"paligemma", "gemma"},
    {"pe_audio", "modernbert"},
    {"perception_lm", "llama"},
    {"pp_chart2table", "qwen2"},
    {"qianfan_ocr", "qwen3"},
    {"qwen2_5_omni", "qwen2_5_omni_text"},
    {"qwen2_5_omni_thinker", "qwen2_5_omni_text"},
    {"qwen2_5_omni_token2wav", "qwen2_5_omni_dit"},
    {"qwen2_5_vl", "qwen2_5_vl_text"},
    {"qwen2_audio", "qwen2"},
    {"qwen2_vl", "qwen2_vl_text"},
    {"qwen3_5", "qwen3_5_text"},
    {"qwen3_5_moe", "qwen3_5_moe_text"},
    {"qwen3_asr", "qwen3"},
    {"qwen3_omni_moe", "qwen3_omni_moe_text"},
    {"qwen3_omni_moe_thinker", "qwen3_omni_moe_text"},
    {"qwen3_vl", "qwen3_vl_text"},
    {"qwen3_vl_moe", "qwen3_vl_moe_text"},
    {"shieldgemma2", "gemma3_text"},
    {"smolvlm", "llama"},
    {"step3p7", "step3p5"},
    {"t5gemma", "t5_gemma_module"},
    {"t5gemma2", "t5gemma2_decoder"},
    {"t5gemma2_encoder", "t5gemma2_text"},
    {"vibevoice_asr", "qwen2"},
    {"video_llama_3", "qwen2"},
    {"video_llava", "llama"},
    {"vipllava", "llama"},
    {"voxtral", "llama"},
    {"voxtral_realtime", "voxtral_realtime_text"},
}};
static_assert(std::ranges::is_sorted(kWholes, {}, &Whole::model_type));

// Types in whose modeling_*.py nothing rotates (transformers 4.57 and 5.16.0.dev0), and the linear
// attention of flash-linear-attention.
// clang-format off
constexpr auto kWithout = std::to_array<std::string_view>({
    "aimv2", "aimv2_text_model", "aimv2_vision_model", "albert", "align", "align_text_model",
    "align_vision_model", "altclip", "altclip_text_model", "altclip_vision_model",
    "audio-spectrogram-transformer", "audioflamingo3_encoder", "autoformer", "bark", "bart",
    "beit", "bert", "bert-generation", "big_bird", "bigbird_pegasus", "biogpt", "bit",
    "blenderbot", "blenderbot-small", "blip", "blip_2_qformer", "blip_2_vision_model",
    "blip_text_model", "blip_vision_model", "bloom", "bort", "bridgetower",
    "bridgetower_text_model", "bridgetower_vision_model", "bros", "caduceus", "camembert",
    "canine", "chameleon_vqgan", "chinese_clip", "chinese_clip_text_model",
    "chinese_clip_vision_model", "clap", "clap_audio_model", "clap_text_model", "clip",
    "clip_text_model", "clip_vision_model", "clipseg", "clipseg_text_model",
    "clipseg_vision_model", "clvp_decoder", "coarse_acoustics", "cohere_asr", "comba",
    "conditional_detr", "convbert", "convnext", "convnextv2", "cpmant", "ctrl", "cvt", "d_fine",
    "dab-detr", "dac", "data2vec-audio", "data2vec-text", "data2vec-vision", "deberta",
    "deberta-v2", "decision_transformer", "deepseek_ocr2_sam_vision_model", "deformable_detr",
    "deimv2", "deit", "delta_net", "depth_anything", "depth_pro", "deta", "detr", "dinat",
    "dinov2", "dinov2_with_registers", "dinov3_convnext", "distilbert", "donut-swin", "dpr", "dpt",
    "edgetam_vision_model", "efficientformer", "efficientnet", "electra", "emu3_vqgan", "encodec",
    "eomt", "ernie", "ernie_m", "falcon_mamba", "fastspeech2_conformer",
    "fastspeech2_conformer_hifigan", "fastspeech2_conformer_with_hifigan", "fine_acoustics",
    "flaubert", "flava", "flava_image_codebook", "flava_image_model", "flava_multimodal_model",
    "flava_text_model", "florence2", "florence2_language", "florence_vision", "fnet", "focalnet",
    "fsmt", "fsmt_decoder", "funnel", "gated_deltanet", "gated_deltaproduct", "gemma3n_audio",
    "gemma4_audio", "gemma4_unified_audio", "git", "git_vision_model", "gla", "glm_image_vision",
    "glm_image_vqmodel", "glpn", "gpt2", "gpt_bigcode", "gpt_neo", "gptsan-japanese",
    "granite_speech_encoder", "granite_speech_plus_encoder", "graphormer", "grounding-dino",
    "groupvit", "groupvit_text_model", "groupvit_vision_model", "gsa", "hgnet_v2", "hgrn", "hgrn2",
    "hiera", "hifigan", "higgs_audio_v2_tokenizer", "hubert", "ibert", "idefics2_perceiver",
    "idefics2_vision", "idefics3_vision", "idefics_perciever", "idefics_vision", "ijepa",
    "imagegpt", "informer", "inkling_audio", "inkling_mm_model", "inkling_text", "inkling_vision",
    "instructblip_qformer", "instructblip_vision_model", "instructblipvideo_qformer",
    "instructblipvideo_vision_model", "internvl_vision", "jamba", "janus_vision_model",
    "janus_vqgan", "jukebox", "kimi_linear", "kosmos-2", "kosmos-2.5", "kosmos_2_5_text_model",
    "kosmos_2_5_vision_model", "kosmos_2_text_model", "kosmos_2_vision_model", "layoutlm",
    "layoutlmv2", "layoutlmv3", "layoutxlm", "led", "levit", "lightnet", "lilt", "linear_attn",
    "longformer", "longt5", "luke", "lw_detr", "lw_detr_vit", "lxmert", "m2m_100", "mamba",
    "mamba2", "marian", "markuplm", "mask2former", "maskformer", "maskformer-swin", "mbart",
    "mctct", "mega", "megatron-bert", "mesa_net", "metaclip_2", "metaclip_2_text_model",
    "metaclip_2_vision_model", "mgp-str", "mllama_vision_model", "mm-grounding-dino", "mobilebert",
    "mobilenet_v1", "mobilenet_v2", "mobilevit", "mobilevitv2", "moonshine_streaming_encoder",
    "moshi_depth", "mpnet", "mpt", "mra", "mt5", "musicgen_decoder", "musicgen_melody_decoder",
    "mvp", "nat", "nemotron3_5_asr", "nemotron_asr_streaming", "nemotron_asr_streaming_encoder",
    "nemotron_h", "nezha", "nllb-moe", "nougat", "nystromformer", "oneformer", "openai-gpt", "opt",
    "owlv2", "owlv2_text_model", "owlv2_vision_model", "owlvit", "owlvit_text_model",
    "owlvit_vision_model", "parakeet_ctc", "parakeet_encoder", "parakeet_rnnt", "parakeet_tdt",
    "patchtsmixer", "patchtst", "pegasus", "pegasus_x", "perceiver", "phi4_multimodal_audio",
    "phi4_multimodal_vision", "pix2struct", "pix2struct_text_model", "pix2struct_vision_model",
    "pixio", "plbart", "poolformer", "pop2piano", "pp_doclayout_v2", "pp_doclayout_v3",
    "pp_formulanet", "pp_lcnet", "pp_lcnet_v3", "pp_lcnet_v4", "pp_ocrv5_mobile_det",
    "pp_ocrv5_mobile_rec", "pp_ocrv5_server_det", "pp_ocrv5_server_rec", "pp_ocrv6_medium_det",
    "pp_ocrv6_small_det", "pp_ocrv6_small_rec", "pp_ocrv6_tiny_rec", "prompt_depth_anything",
    "prophetnet", "pvt", "pvt_v2", "qwen2_5_omni_audio_encoder", "qwen2_5_omni_bigvgan",
    "qwen2_audio_encoder", "qwen3_asr_encoder", "qwen3_omni_moe_audio_encoder", "realm",
    "reformer", "regnet", "rembert", "resnet", "retribert", "rf_detr", "rf_detr_dinov2", "roberta",
    "roberta-prelayernorm", "roc_bert", "rt_detr", "rt_detr_resnet", "rt_detr_v2", "rwkv", "rwkv5",
    "rwkv6", "rwkv7", "sam", "sam2", "sam2_hiera_det_model", "sam2_vision_model",
    "sam3_detr_decoder", "sam3_detr_encoder", "sam3_geometry_encoder",
    "sam3_lite_text_detr_decoder", "sam3_lite_text_detr_encoder",
    "sam3_lite_text_geometry_encoder", "sam3_lite_text_mask_decoder", "sam3_lite_text_text_model",
    "sam3_mask_decoder", "sam_hq", "sam_hq_vision_model", "sam_vision_model", "seamless_m4t",
    "seamless_m4t_v2", "segformer", "seggpt", "semantic", "sew", "sew-d", "siglip", "siglip2",
    "siglip2_text_model", "siglip2_vision_model", "siglip_text_model", "siglip_vision_model",
    "slanet", "slanext", "smolvlm_vision", "speech_to_text", "speech_to_text_2", "speecht5",
    "speecht5_hifigan", "splinter", "squeezebert", "superglue", "superpoint", "swiftformer",
    "swin", "swin2sr", "swinv2", "switch_transformers", "t5", "table-transformer", "tapas",
    "tapex", "textnet", "time_series_transformer", "timesfm", "timesformer", "tipsv2",
    "tipsv2_dpt", "tipsv2_text_model", "tipsv2_vision_model", "trajectory_transformer",
    "transfo-xl", "trocr", "tvlt", "tvp", "udop", "umt5", "unispeech", "unispeech-sat", "univnet",
    "uvdoc", "uvdoc_backbone", "van", "vibevoice_acoustic_tokenizer",
    "vibevoice_acoustic_tokenizer_decoder", "vibevoice_acoustic_tokenizer_encoder", "videomae",
    "videomt", "videoprism", "videoprism_text_model", "videoprism_vision_model", "vilt",
    "vision-text-dual-encoder", "visual_bert", "vit", "vit_hybrid", "vit_mae", "vit_msn", "vitdet",
    "vitmatte", "vitpose", "vitpose_backbone", "vits", "vivit", "voxtral_encoder", "wav2vec2",
    "wavlm", "whisper", "xclip", "xclip_text_model", "xclip_vision_model", "xcodec", "xglm", "xlm",
    "xlm-prophetnet", "xlm-roberta", "xlm-roberta-xl", "xlnet", "xlstm", "xmod", "yolos", "yoso",
    "zamba", "zoedepth"});
// clang-format on
static_assert(std::ranges::is_sorted(kWithout));

// Parts that rotate over the rows and columns of an image, and over time where it moves.
// clang-format off
constexpr auto kOfImages = std::to_array<std::string_view>({
    "chmv2", "cohere_compass_vision", "cosmos3_edge_vision", "dinov3_vit", "edgetam_video",
    "efficientloftr", "eomt_dinov3", "ernie4_5_vl_moe_vision", "exaone4_5_vision",
    "falcon_perception", "gemma4_vision", "glm4v_moe_vision", "glm4v_vision", "glm_ocr_vision",
    "hunyuan_vl_vision", "kimi_k25_vision", "kimi_k3_vision", "lightglue", "llama4_vision_model",
    "minimax_m3_vl_vision", "mlcd_vision_model", "moonvit", "muse_glimmer_vision", "paddleocr_vl_vision",
    "perception_encoder", "pixtral", "qwen2_5_omni_vision_encoder", "qwen2_5_vit", "qwen2_5_vl_vision", "qwen2_vl_vision",
    "qwen3_5_moe_vision", "qwen3_5_vision", "qwen3_omni_moe_vision_encoder", "qwen3_vl_moe_vision",
    "qwen3_vl_vision", "sam2_video", "sam3", "sam3_lite_text", "sam3_tracker",
    "sam3_tracker_video", "sam3_video", "sam3_vision_model", "sam3_vit_model", "sapiens2",
    "step3p5_vision", "video_llama_3_vision", "vjepa2"});
// clang-format on
static_assert(std::ranges::is_sorted(kOfImages));

// Types whose modeling_*.py of transformers 5.16.0.dev0 (decba1d2ea4e) reads the rotated fraction
// of a head, or whose own code does (step3p5).
constexpr auto kWithFraction = std::to_array<std::string_view>({
    // clang-format off
    "bamba", "codegen", "deepseek_v4", "diffusion_gemma_text", "glm", "glm4", "glm4_moe",
    "glm4_moe_lite", "glm4v_moe_text", "glm4v_text", "glm_image_text", "glm_ocr_text",
    "glmasr_encoder", "gpt_neox", "gpt_neox_japanese", "gptj", "laguna", "mellum",
    "mimo_v2_flash", "minimax_m2", "minimax_m3_vl_text", "mistral4", "moonshine",
    "moonshine_streaming", "nemotron", "persimmon", "phi", "phi3", "phi4_multimodal",
    "qwen3_5_moe_text", "qwen3_5_text", "qwen3_next", "recurrent_gemma", "solar_open", "stablelm",
    "step3p5", "zaya"
    // clang-format on
});
static_assert(std::ranges::is_sorted(kWithFraction));

/// "GPTNeoX" and "gpt_neox" alike: "gptneox".
std::string letters_of(std::string_view name) {
  std::string text;
  for (const char c : name)
    if (c != '_' && c != '-') text += (c >= 'A' && c <= 'Z') ? static_cast<char>(c + 32) : c;
  return text;
}

}  // namespace

std::string_view text_type(std::string_view model_type) {
  const auto* const found = std::ranges::lower_bound(kWholes, model_type, {}, &Whole::model_type);
  return found != kWholes.end() && found->model_type == model_type ? found->text_type
                                                                   : std::string_view();
}

std::optional<PairLayout> own_layout(std::string_view model_type) {
  // seal-rg/recurrent-pretraining 59e0b69b, recpre/raven_modeling_minimal.py; chandar-lab/NeoBERT
  // ed75b68d, src/neobert/model/rotary.py; test-time-training/ttt-lm-pytorch cd831db1, ttt.py.
  constexpr std::array<std::string_view, 3> kInterleaved = {"huginn_raven", "neobert", "ttt"};
  // huggingface/optimum-habana 1d8504c6, modeling_arctic.py; QuentinFitteRey/LLada-Reasoning
  // 7574a28b, modeling_llada.py; Alibaba-NLP/new-impl, modeling.py; classes made from Qwen2's in
  // Ucas-HaoranWei/GOT-OCR2.0 179ed086 and OpenGVLab/VideoChat-Flash 2f8e2f57.
  constexpr std::array<std::string_view, 6> kHalves = {
      "GOT", "arctic", "llada", "llava_qwen", "new", "videochat_flash_qwen"};
  if (std::ranges::binary_search(kInterleaved, model_type)) return PairLayout::interleaved;
  if (std::ranges::binary_search(kHalves, model_type)) return PairLayout::half;
  return std::nullopt;
}

bool has_no_rotation(std::string_view model_type) {
  return std::ranges::binary_search(kWithout, model_type);
}

bool never_rotates(std::string_view model_type) {
  return model_type == "nemotron_h" || model_type == "jamba" || model_type == "kimi_linear";
}

std::string_view type_of_shared_name(std::string_view model_type, std::string_view architecture) {
  // sgl-project/sglang-jax cddbf6f1: python/sgl_jax/srt/models/grok.py.
  return model_type == "git" && architecture == "Grok1ForCausalLM" ? "grok-2" : "";
}

bool holds_its_base(std::string_view model_type) {
  constexpr std::array<std::string_view, 11> kTypes = {
      "AMPLIFY", "clvp_encoder", "codegen", "cogagent", "cogvlm",  "esm",
      "gptj",    "idefics",      "openmoe", "progen",   "roformer"};
  return std::ranges::binary_search(kTypes, model_type);
}

bool rotates_over_an_image(std::string_view model_type) {
  return std::ranges::binary_search(kOfImages, model_type);
}

std::string_view type_of_architecture(std::string_view architecture) {
  constexpr std::array<std::string_view, 4> kEndings = {"For", "LMHead", "Model", "PreTrained"};
  std::size_t end = architecture.size();
  for (const std::string_view ending : kEndings) end = std::min(end, architecture.find(ending));
  const std::string name = letters_of(architecture.substr(0, end));
  if (end == 0) return {};
  for (const KnownModel& model : known_models())
    if (letters_of(model.model_type) == name) return model.model_type;
  for (const Whole& whole : kWholes)
    if (letters_of(whole.model_type) == name) return whole.model_type;
  for (const std::string_view type : kWithout)
    if (letters_of(type) == name) return type;
  return {};
}

bool turns_whole_heads(std::string_view model_type) {
  const KnownModel* const model = find_known_model(model_type);
  return model != nullptr && model->hidden_size > 0 &&
         !std::ranges::binary_search(kWithFraction, model->model_type);
}

}  // namespace rope
