#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rope/model/fields.hpp"

namespace rope {

/// The keys of a config.json that say something of its rotary embedding, at its root.
std::span<const std::string_view> root_keys();

/// The keys that rope_scaling and rope_parameters may hold for a rule, beside those of every rule.
std::span<const std::string_view> rule_keys(std::string_view rope_type);

/// The keys that rope_scaling and rope_parameters may hold for any rule.
std::span<const std::string_view> common_rule_keys();

/// Every key of rope_scaling and rope_parameters.
std::vector<std::string> all_rule_keys();

/// The types of rope_scaling and rope_parameters that transformers v5 knows.
std::span<const std::string_view> rope_types();

/// Whether a key sounds like one of a rotary embedding: one of its words is rope, rotary, yarn, ...
bool sounds_rotary(std::string_view key);

/// Warns of root keys that nothing reads and that look like one that is read, rope_theat, or sound
/// rotary, swa_rope_theta.
void warn_of_root_keys(const Fields& root);

/// Warns of keys of rope_scaling or rope_parameters that the rule does not read.
void warn_of_rule_keys(const Fields& parameters, std::string_view rope_type);

/// ", which looks like KEY misspelt: write WORD", if a key of the object nearly is `word`; for
/// messages about what is missing.
std::string near_key(const Fields& fields, std::string_view word);

}  // namespace rope
