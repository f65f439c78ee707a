#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "rope/model/fields.hpp"
#include "rope/model/model_rope.hpp"

namespace rope {

/// The reason why nothing rotates, if config.json itself gives one: ALiBi, a type of model that has
/// no rotary embedding, latent attention without positions, or another kind of position embedding.
/// `known_type`: whether the code of this model type rotates regardless of most of these keys.
///
/// Throws    rope::Error (invalid input) for rotations that use more than one position per token.
std::optional<std::string> reason_without_rotation(const Fields& root, std::string_view model_type,
                                                   bool known_type);

/// Whether the file has a key that only a model with a rotary embedding has.
bool shows_rotation(const Fields& root);

/// The layout implied by the kind of position embedding that the file names, as in TensorRT-LLM
/// files; or nothing.
std::optional<PairLayout> layout_of_kind(const Fields& root);

/// Whether a kind of position embedding implies that nothing rotates, or that the layout differs
/// from `layout`. BERT's kinds are ignored, because they are left over in files of classes derived
/// from BERT.
bool contradicts_rotation(std::string_view kind, PairLayout layout);

/// The model marked as having no rotary embedding; `why` is the reason.
ModelRope without_rotation(ModelRope model, const std::string& why);

/// Refuses the file of a vision part, whose tokens are image patches and not words.
///
/// Throws    rope::Error (invalid input) for such a file.
void refuse_patches(const Fields& root);

/// Refuses a config.json of an unknown type if no key shows that the model rotates: a report on it
/// would consist only of defaults.
///
/// Throws    rope::Error (invalid input), naming the unknown keys that look like rotary ones.
void require_sign_of_rotation(const Fields& root, std::string_view model_type);

}  // namespace rope
