#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rope/model/fields.hpp"
#include "rope/scaling/scaling.hpp"

namespace rope {

/// The root keys of a config.json that concern its rotary embedding.
std::span<const std::string_view> root_keys();

/// The rule's parameter with that key in rope_scaling or rope_parameters, or nullptr.
const Parameter* find_config_key(const ScalingRule& rule, std::string_view key);

/// The keys that rope_scaling and rope_parameters may contain for any rule.
std::span<const std::string_view> common_rule_keys();

/// All keys that rope_scaling and rope_parameters may contain.
std::vector<std::string_view> all_rule_keys();

/// The types in rope_scaling and rope_parameters that transformers v5 recognises.
std::vector<std::string> rope_types();

/// Whether `type` is one of rope_types().
bool is_rope_type(std::string_view type);

/// Whether the name of a key suggests a rotary embedding: one of its words is rope, rotary,
/// yarn, ...
bool sounds_rotary(std::string_view key);

/// Warns about unread root keys that resemble a key that is read (rope_theat), or whose names
/// suggest a rotary embedding (swa_rope_theta).
void warn_of_root_keys(const Fields& root);

/// Warns about keys of rope_scaling or rope_parameters that the rule does not read.
void warn_of_rule_keys(const Fields& parameters, const ScalingRule& rule);

/// The end of a message about a missing key: "; 'KEY' looks like a misspelling of WORD" if a key of
/// the object is close to `word`, otherwise empty.
std::string near_key(const Fields& fields, std::string_view word);

}  // namespace rope
