#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rope/documents/columns.hpp"
#include "rope/studies/attention.hpp"

namespace rope {

/// "causal" or "none".
std::string_view mask_word(Mask mask);

/// "divided by √d", or "not divided".
std::string scale_text(const EntropyCurve& curve);

/// The words in their shuffled order.
std::vector<std::string> shuffled_words(const ShuffledOrder& study);

// The numbers of each view: one row per number of keys, per layer or per shift, respectively.

/// `details`: adds the number of equally weighted keys that would have the same entropy.
Columns entropy_columns(const AttentionEntropy& study, bool details);
Columns repeated_columns(const RepeatedToken& study);
Columns shifted_columns(const ShiftedValues& study);

// Each view as csv and as a document of the schema rope.attention/1, whose fields docs/commands.md
// lists.

std::string attention_csv(const AttentionWeights& study);
std::string attention_csv(const ShuffledOrder& study);
std::string attention_csv(const RepeatedToken& study);
std::string attention_csv(const ShiftedValues& study);
std::string attention_csv(const AttentionEntropy& study);
std::string attention_json(const AttentionWeights& study);
std::string attention_json(const ShuffledOrder& study);
std::string attention_json(const RepeatedToken& study);
std::string attention_json(const ShiftedValues& study);
std::string attention_json(const AttentionEntropy& study);

}  // namespace rope
