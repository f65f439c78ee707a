#include "rope/model/layers_without.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

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
              ": write one for each layer, 1 if it rotates");
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
    return "positions restart after every mini_batch_size tokens, as in the model's own code";
  if (text_type == "wav2vec2-bert" || text_type == "wav2vec2-conformer")
    return "the input to the q and k projections is rotated, not q and k themselves, so a score "
           "depends on both positions, not only on their distance";
  if (text_type == "qwen2_5_omni_dit")
    return "only the first head of each layer rotates, as in the model's class";
  if (text_type == "muse_glimmer_text" && root.find("layer_rope_theta") == nullptr)
    return "every 4th layer, counted from the last, rotates nothing (NoPE), as in the model's "
           "class";
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

// --- which layers attend with positions ---------------------------------------------------------

/// How a key says it.
enum class Says {
  attending,  ///< the numbers of those that do
  others,     ///< the numbers of those that do not
  flags,      ///< of each layer, 0 for one that does not
  period,     ///< every so many layers one does
};

struct Spelling {
  std::string_view key;
  Says says;
  std::string_view others;  ///< what the others are; empty: any of several things
};

// Bamba: configuration_bamba.py; StripedHyena and Evo: attn_layer_idxs; mamba_ssm: attn_layer_idx;
// LFM 2: full_attn_idxs; Zamba 2: hybrid_layer_ids; Llama 3.2 Vision: cross_attention_layers;
// MiniMax-Text-01 and M1: attn_type_list; Qwen3-Next and 3.5: full_attention_interval;
// Jamba's way: attn_layer_period with attn_layer_offset.
constexpr auto kSpellings = std::to_array<Spelling>({
    {"attn_layer_indices", Says::attending, ""},
    {"attn_layer_idxs", Says::attending, ""},
    {"attn_layer_idx", Says::attending, ""},
    {"attn_layer_ids", Says::attending, ""},
    {"attention_layer_indices", Says::attending, ""},
    {"attention_layer_idxs", Says::attending, ""},
    {"attention_layer_idx", Says::attending, ""},
    {"attention_layers_idx", Says::attending, ""},
    {"full_attn_idxs", Says::attending, "convolution"},
    {"hybrid_layer_ids", Says::attending, ""},
    {"cross_attention_layers", Says::others, "cross-attention"},
    {"linear_attention_layers", Says::others, "linear attention"},
    {"linear_attn_layers", Says::others, "linear attention"},
    {"attn_type_list", Says::flags, "lightning attention"},
    {"full_attention_interval", Says::period, "linear attention"},
    {"attn_layer_period", Says::period, ""},
});

/// A whole number from `least` on; nothing where there is none, as these are keys of others, too.
std::optional<std::size_t> whole_number(const Fields& root, std::string_view key,
                                        std::size_t least = 1) {
  constexpr std::size_t kMost = 100000;  // no model has more layers
  const io::Json* const value = root.find(key);
  if (value == nullptr || !value->is_number_integer() || *value < 0 || *value > kMost)
    return std::nullopt;
  const auto number = value->get<std::size_t>();
  return number >= least ? std::optional(number) : std::nullopt;
}

std::size_t count_of_layers(const Fields& root) {
  for (const char* key : {"num_hidden_layers", "num_layers", "n_layer", "n_layers"})
    if (const auto count = whole_number(root, key)) return *count;
  return 0;
}

/// The numbers of a list, from 0; nothing where the value is none.
std::optional<std::vector<std::size_t>> numbers_of(const io::Json* value) {
  if (value == nullptr || !value->is_array()) return std::nullopt;
  std::vector<std::size_t> numbers;
  numbers.reserve(value->size());
  for (const io::Json& number : *value) {
    if (!number.is_number_integer() || number < 0 || number > 100000) return std::nullopt;
    numbers.push_back(number.get<std::size_t>());
  }
  return numbers;
}

std::vector<bool> marked(const std::vector<std::size_t>& numbers, std::size_t count, bool mark) {
  std::vector<bool> layers(count, !mark);
  for (const std::size_t number : numbers)
    if (number < count) layers[number] = mark;
  return layers;
}

/// For every layer whether it attends with positions; empty where the file does not say it so.
std::vector<bool> attending(const Fields& root, const Spelling& spelling) {
  const io::Json* const value = root.find(spelling.key);
  const std::size_t count = count_of_layers(root);
  if (value == nullptr) return {};
  if (spelling.says == Says::period) {
    const auto period = whole_number(root, spelling.key);
    if (!period || count == 0) return {};
    const std::size_t first = whole_number(root, "attn_layer_offset", 0).value_or(*period - 1);
    std::vector<bool> layers(count);
    for (std::size_t i = 0; i < count; ++i) layers[i] = i % *period == first % *period;
    return layers;
  }
  const auto numbers = numbers_of(value);
  if (!numbers || numbers->empty()) return {};
  if (spelling.says != Says::flags)
    return count == 0 ? std::vector<bool>()
                      : marked(*numbers, count, spelling.says == Says::attending);
  std::vector<bool> layers;
  layers.reserve(numbers->size());
  for (const std::size_t flag : *numbers) layers.push_back(flag != 0);
  return layers;
}

std::vector<std::size_t> numbers_where(const std::vector<bool>& layers, bool mark) {
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < layers.size(); ++i)
    if (layers[i] == mark) numbers.push_back(i);
  return numbers;
}

/// The kinds of layers by name, one for each layer: a pattern that is shorter than the model
/// repeats itself, as Griffin's does.
const io::Json* kinds_of(const Fields& root, std::string_view* key = nullptr) {
  for (const std::string_view name : {"layer_types", "layers_block_type", "block_types"})
    if (const io::Json* const kinds = root.find(name); kinds != nullptr && kinds->is_array()) {
      if (key != nullptr) *key = name;
      return kinds;
    }
  return nullptr;
}

std::size_t size_of(const io::Json& kinds, std::string_view key, const Fields& root) {
  return key == "block_types" ? std::max(count_of_layers(root), kinds.size()) : kinds.size();
}

/// Of DeciLM and Nemotron-NAS: a block without attention, or with a linear layer in its place.
bool attends(const io::Json& block) {
  const auto attention = block.find("attention");
  if (attention == block.end() || !attention->is_object()) return true;
  return std::ranges::none_of(std::array{"no_op", "replace_with_linear"}, [&](const char* key) {
    const auto found = attention->find(key);
    return found != attention->end() && *found == true;
  });
}

std::string note_of_blocks(const Fields& root) {
  const io::Json* const blocks = root.find("block_configs");
  if (blocks == nullptr || !blocks->is_array()) return {};
  std::vector<std::size_t> without;
  for (std::size_t i = 0; i < blocks->size(); ++i)
    if ((*blocks)[i].is_object() && !attends((*blocks)[i])) without.push_back(i);
  if (without.empty()) return {};
  return std::to_string(without.size()) + " of " + std::to_string(blocks->size()) +
         " layers rotate nothing because they have no attention (block_configs): " +
         short_list(without);
}

std::string note_of_kinds(const Fields& root, const io::Json& kinds, std::string_view key) {
  std::string names;
  std::size_t without = 0;
  const std::size_t count = size_of(kinds, key, root);
  for (std::size_t i = 0; i < count; ++i) {
    const auto* const kind = kinds[i % kinds.size()].get_ptr<const std::string*>();
    if (kind == nullptr || !has_no_queries(*kind)) continue;
    ++without;
    if (names.find(*kind) == std::string::npos) names += (names.empty() ? "" : ", ") + *kind;
  }
  if (without == 0) return {};
  return std::to_string(without) + " of " + std::to_string(count) +
         " layers rotate nothing: those of type " + names;
}

/// Which layers attend at all, by whichever key says it.
std::string note_of_schedule(const Fields& root, std::string_view text_type) {
  std::string_view key;
  if (const io::Json* const kinds = kinds_of(root, &key); kinds != nullptr && !kinds->empty())
    return note_of_kinds(root, *kinds, key);
  for (const Spelling& spelling : kSpellings) {
    const std::vector<bool> layers = attending(root, spelling);
    const std::vector<std::size_t> without = numbers_where(layers, false);
    if (without.empty() || (spelling.says == Says::period && attends_in_every_4th(text_type)))
      continue;
    std::string text = std::to_string(without.size()) + " of " + std::to_string(layers.size()) +
                       " layers rotate nothing";
    if (!spelling.others.empty()) text += ", those with " + std::string(spelling.others);
    text += ", according to " + std::string(spelling.key) + ": ";
    if (spelling.says == Says::attending)
      return text + "it lists the layers with attention, " +
             short_list(numbers_where(layers, true));
    return text + short_list(without);
  }
  if (!attends_in_every_4th(text_type)) return {};
  const auto interval = root.positive_integer("full_attention_interval").value_or(4);
  return "only every " + ordinal(interval) +
         " layer rotates; the others use linear attention, which has no positions";
}

// --- which layers are of a kind -----------------------------------------------------------------

/// Every which layer is of full attention where the file names no kinds; 0: not known.
std::size_t usual_pattern(std::string_view text_type) {
  if (text_type == "gemma3n_text") return 5;
  for (const std::string_view type : {"cohere2", "exaone4", "olmo3"})
    if (text_type == type) return 4;
  for (const std::string_view type :
       {"gemma3_text", "gemma4_text", "gemma4_unified_text", "t5gemma2_decoder", "t5gemma2_text"})
    if (text_type == type) return 6;
  return 0;
}

/// For every layer whether it has a window: by a pattern, "LLLG" or every how many one has none.
std::vector<bool> windowed(const Fields& root, std::string_view text_type) {
  if (const auto flags = numbers_of(root.find("hybrid_layer_pattern"))) {  // MiMo
    std::vector<bool> layers;
    layers.reserve(flags->size());
    for (const std::size_t flag : *flags) layers.push_back(flag != 0);
    return layers;
  }
  std::vector<bool> layers(count_of_layers(root));
  const io::Json* pattern = root.find("sliding_window_pattern");
  if (pattern == nullptr) pattern = root.find("_sliding_window_pattern");
  const bool modern = text_type.starts_with("modernbert");
  std::size_t every = usual_pattern(text_type);
  if (modern) every = whole_number(root, "global_attn_every_n_layers").value_or(3);
  if (const auto* const letters =
          pattern != nullptr ? pattern->get_ptr<const std::string*>() : nullptr;
      letters != nullptr && !letters->empty()) {
    for (std::size_t i = 0; i < layers.size(); ++i)
      layers[i] = (*letters)[i % letters->size()] == 'L';
    return layers;
  }
  for (const char* key : {"_sliding_window_pattern", "sliding_window_pattern"})
    if (const auto given = whole_number(root, key); given && !modern) every = *given;
  if (every == 0) return {};
  for (std::size_t i = 0; i < layers.size(); ++i) layers[i] = (modern ? i : i + 1) % every != 0;
  if (text_type.starts_with("gemma4") && !layers.empty()) layers.back() = false;
  return layers;
}

/// DeepSeek-V4's compressed layers: by their ratio, or by their type.
std::vector<bool> compressed(const Fields& root) {
  std::vector<bool> layers;
  if (const io::Json* const types = root.find("layer_types"); types != nullptr)
    for (const io::Json& type : *types) layers.push_back(type != "sliding_attention");
  if (!layers.empty()) return layers;
  if (const auto ratios = numbers_of(root.find("compress_ratios"))) {
    const std::size_t count = count_of_layers(root);
    for (std::size_t i = 0; i < ratios->size() && (count == 0 || i < count); ++i)
      layers.push_back((*ratios)[i] != 0);
  }
  return layers;
}

/// The numbers of the layers that attend with positions, if others do not.
std::vector<std::size_t> layers_attending(const Fields& root) {
  std::vector<bool> layers;
  std::string_view key;
  if (const io::Json* const kinds = kinds_of(root, &key); kinds != nullptr && !kinds->empty()) {
    for (std::size_t i = 0; i < size_of(*kinds, key, root); ++i) {
      const auto* const kind = (*kinds)[i % kinds->size()].get_ptr<const std::string*>();
      const bool other = kind != nullptr && has_no_queries(*kind);
      layers.push_back(!other);
    }
  } else {
    for (const Spelling& spelling : kSpellings)
      if (layers.empty()) layers = attending(root, spelling);
  }
  if (std::ranges::find(layers, false) == layers.end()) return {};
  return numbers_where(layers, true);
}

}  // namespace

bool has_no_queries(std::string_view kind) {
  constexpr auto kKinds = std::to_array<std::string_view>(
      {"conv", "delta_net", "gated_deltanet", "gdn", "hyena", "jet", "kda", "lightning",
       "lightning_attention", "linear_attention", "mamba", "mamba1", "mamba2", "mlp", "moe",
       "recurrent", "rwkv", "ssm"});
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
  const auto step = [&](std::size_t i) { return numbers[i] - numbers[i - 1]; };
  bool regular = true;  // and what is left out can be told
  for (std::size_t i = 2; i < numbers.size(); ++i) regular = regular && step(i) == step(1);
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers.size() > kMost && i == kMost - 2) {
      text += (regular ? " … " : ", …, ") + std::to_string(numbers.back());
      break;
    }
    text += (text.empty() ? "" : ", ") + std::to_string(numbers[i]);
  }
  return text;
}

bool compresses_every_layer(const Fields& root) {
  const std::vector<bool> layers = compressed(root);
  return !layers.empty() && std::ranges::find(layers, false) == layers.end();
}

std::vector<std::size_t> layers_called(const Fields& root, std::string_view text_type,
                                       std::string_view label) {
  const io::Json* const types = root.find("layer_types");
  if (label.empty()) return layers_attending(root);
  if (label == "main" || label == "compress")
    return numbers_where(compressed(root), label == "compress");
  std::vector<std::size_t> numbers;
  if (types != nullptr && types->is_array()) {
    for (std::size_t i = 0; i < types->size(); ++i)
      if ((*types)[i] == label) numbers.push_back(i);
    return numbers;
  }
  if (label != "full_attention" && label != "sliding_attention") return {};
  return numbers_where(windowed(root, text_type), label == "sliding_attention");
}

std::vector<std::string> layers_without(const Fields& root, std::string_view text_type) {
  std::vector<std::string> notes;
  for (std::string& note : std::array{note_of_nope(root, text_type), note_of_mixers(root),
                                      note_of_blocks(root), note_of_schedule(root, text_type)})
    if (!note.empty()) notes.push_back(std::move(note));
  return notes;
}

}  // namespace rope
