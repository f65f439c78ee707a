#include "rope/model/layers_without.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>

namespace rope {
namespace {

/// By a flag for each layer, 1 where it rotates; or empty.
std::string note_of_flags(const Fields& root) {
  const auto flags = root.numbers("no_rope_layers");
  if (!flags || flags->empty()) return {};
  const auto layers = root.first_integer({"num_hidden_layers"});
  std::vector<std::size_t> without;
  for (std::size_t i = 0; i < flags->size(); ++i)
    if ((*flags)[i] == 0) without.push_back(i);
  if (layers && static_cast<std::size_t>(*layers) != flags->size())
    root.warn(root.path() + "no_rope_layers has " + std::to_string(flags->size()) +
              " numbers, but num_hidden_layers is " + std::to_string(*layers) +
              ": write one for each layer, 1 where it rotates");
  if (without.empty()) return {};
  return std::to_string(without.size()) + " of " + std::to_string(flags->size()) +
         " layers rotate nothing (NoPE): " + short_list(without);
}

/// MiniCPM-SALA switches the rotation for each of its two kinds of layers.
std::string note_of_mixers(const Fields& root) {
  const io::Json* const mixers = root.find("mixer_types");
  const io::Json* const rotates = root.find("attn_use_rope");
  if (mixers == nullptr || !mixers->is_array() || rotates == nullptr || *rotates != false)
    return {};
  const auto softmax = std::ranges::count_if(
      *mixers, [](const io::Json& mixer) { return mixer != "lightning-attn"; });
  return std::to_string(softmax) + " of " + std::to_string(mixers->size()) +
         " layers rotate nothing (NoPE): attn_use_rope is false, and mixer_types names them";
}

std::string note_of_nope(const Fields& root, std::string_view text_type) {
  if (text_type == "ttt")
    return "positions start anew after each mini_batch_size tokens, as its own code has it";
  if (text_type == "qwen2_5_omni_dit")
    return "the first head of each layer rotates alone, as its class has it";
  if (text_type == "muse_glimmer_text" && root.find("layer_rope_theta") == nullptr)
    return "every 4th layer, counted from the last, rotates nothing (NoPE), as its class has it";
  const io::Json* const flags = root.find("no_rope_layers");
  if (flags != nullptr && !flags->empty()) return note_of_flags(root);
  const auto interval = root.positive_integer("no_rope_layer_interval");
  if (!interval && text_type != "llama4_text" && text_type != "smollm3") return {};
  return "every " + ordinal(interval.value_or(4)) + " layer rotates nothing (NoPE)";
}

/// Classes that make every 4th layer one of full attention where their file names none.
bool attends_in_every_4th(std::string_view text_type) {
  constexpr std::array<std::string_view, 4> kTypes = {"olmo_hybrid", "qwen3_5_moe_text",
                                                      "qwen3_5_text", "qwen3_next"};
  return std::ranges::find(kTypes, text_type) != kTypes.end();
}

std::string note_of_kinds(const Fields& root, std::string_view text_type) {
  const io::Json* types = root.find("layer_types");
  for (const char* key : {"layers_block_type", "block_types"})
    if (types == nullptr) types = root.find(key);
  if (types == nullptr || !types->is_array()) {
    if (!attends_in_every_4th(text_type)) return {};
    const auto interval = root.positive_integer("full_attention_interval").value_or(4);
    return "only every " + ordinal(interval) +
           " layer rotates; the others are of linear attention, which has no positions";
  }
  std::string kinds;
  std::size_t count = 0;
  for (const io::Json& type : *types) {
    const auto* const kind = type.get_ptr<const std::string*>();
    if (kind == nullptr || !has_no_queries(*kind)) continue;
    ++count;
    if (kinds.find(*kind) == std::string::npos) kinds += (kinds.empty() ? "" : ", ") + *kind;
  }
  if (count == 0) return {};
  return std::to_string(count) + " of " + std::to_string(types->size()) +
         " layers rotate nothing: their type is " + kinds;
}

}  // namespace

bool has_no_queries(std::string_view kind) {
  constexpr std::array<std::string_view, 8> kKinds = {
      "conv", "linear_attention", "mamba", "mamba2", "mlp", "moe", "recurrent", "rwkv"};
  return std::ranges::find(kKinds, kind) != kKinds.end();
}

std::string ordinal(std::int64_t n) {
  const bool teen = n % 100 >= 11 && n % 100 <= 13;
  const char* ending = "th";
  if (!teen && n % 10 == 1) ending = "st";
  if (!teen && n % 10 == 2) ending = "nd";
  if (!teen && n % 10 == 3) ending = "rd";
  return std::to_string(n) + ending;
}

std::string short_list(const std::vector<std::size_t>& numbers) {
  constexpr std::size_t kMost = 6;
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers.size() > kMost && i == kMost - 2) {
      text += " … " + std::to_string(numbers.back());
      break;
    }
    text += (text.empty() ? "" : ", ") + std::to_string(numbers[i]);
  }
  return text;
}

std::vector<std::string> layers_without(const Fields& root, std::string_view text_type) {
  std::vector<std::string> notes;
  for (std::string& note : std::array{note_of_nope(root, text_type), note_of_mixers(root),
                                      note_of_kinds(root, text_type)})
    if (!note.empty()) notes.push_back(std::move(note));
  return notes;
}

}  // namespace rope
