#pragma once

// Published models by name, built into the library.
//
//     const rope::ModelRope llama = rope::preset_model("meta-llama/Llama-3.1-8B");
//     const rope::RotaryEmbedding rotary = embedding_of(llama.layers.front());

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rope/model/engine.hpp"
#include "rope/model/model_rope.hpp"
#include "rope/print.hpp"

namespace rope {

/// A published model that the program knows by name: data/models/NAME.json.
struct Preset {
  std::string name;
  std::string title;                     ///< "Llama 3.1 8B, 70B and 405B"
  std::vector<std::string> also_called;  ///< names of other model sizes that rotate in the same way
  std::vector<std::string> hub;  ///< hub names of these models, such as "meta-llama/Llama-3.1-8B"
  std::string source;            ///< where the preset's numbers come from
  std::vector<std::string> unverified;  ///< fields that nobody has confirmed
};

/// The names of all presets, sorted.
const std::vector<std::string>& preset_names();

/// The name of the preset called `name`, or nothing. Letter case is ignored; a space, `_` or `:`
/// matches `-`.
std::optional<std::string> find_preset(std::string_view name);

/// The preset that a word refers to, or the candidates.
struct PresetMatch {
  std::optional<std::string> name;      ///< the preset, if the word identifies one
  std::vector<std::string> candidates;  ///< otherwise the presets that may be meant, best first
};

/// What a word for a model looks like.
enum class ModelWord {
  name,  ///< llama-3.1-8b
  hub,   ///< meta-llama/Llama-3.1-8B, or its address
  path,  ///< ./llama-3.1-8b, ~/models/Llama-3.1-8B, config.json, C:\\llama
};

/// The name of the kind: "name", "hub" or "path".
std::string_view name(ModelWord word);
ModelWord model_word(std::string_view word);

/// OWNER/NAME from a word for a model on a hub, or from the address of any of its pages or files.
std::string hub_name(std::string_view word);

/// Finds a preset by any name of its models, as people and hubs write it: `Llama-3.1-8B`,
/// `meta-llama/Llama-3.1-70B-Instruct`, `gpt oss`, `llama3`; or by the beginning of exactly one
/// name. For any other word, the candidates are the presets that begin with it or, if there are
/// none, those with a similar spelling. A path does not match any preset, and a hub name matches
/// only the preset of its own configuration.
PresetMatch match_preset(std::string_view word);

/// Whether the name of a preset, or one of its other names, contains the word.
bool called(const std::string& preset, std::string_view word);

/// What is known about a preset. The name must be one of preset_names().
Preset preset(std::string_view name);

/// The rotary embedding of a preset, by its name or any other word that match_preset accepts for
/// it, such as the hub name "meta-llama/Llama-3.1-8B". The result's name is that of the preset;
/// warnings say which of its fields are unverified.
///
/// Throws    DomainError for a word that matches no preset, naming those that may be meant.
ModelRope preset_model(std::string_view word, const ReadOptions& options = {});

}  // namespace rope
