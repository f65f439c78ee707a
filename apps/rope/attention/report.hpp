#pragma once

#include <string>

#include "rope/pictures/attention.hpp"
#include "rope/studies/attention.hpp"
#include "shown/console.hpp"

namespace rope::app {

// What each view of `rope attention` says: to people, as csv, and as a document of the schema
// rope.attention/1, whose fields docs/commands.md lists.

void print_attention(const AttentionWeights& study, bool details, const Console& console);
std::string attention_csv(const AttentionWeights& study);
std::string attention_json(const AttentionWeights& study);

void print_attention(const ShuffledOrder& study, bool details, const Console& console);
std::string attention_csv(const ShuffledOrder& study);
std::string attention_json(const ShuffledOrder& study);

void print_attention(const RepeatedToken& study, bool details, const Console& console);
std::string attention_csv(const RepeatedToken& study);
std::string attention_json(const RepeatedToken& study);

void print_attention(const ShiftedValues& study, bool details, const Console& console);
std::string attention_csv(const ShiftedValues& study);
std::string attention_json(const ShiftedValues& study);

void print_attention(const AttentionEntropy& study, bool details, const Console& console);
std::string attention_csv(const AttentionEntropy& study);
std::string attention_json(const AttentionEntropy& study);

}  // namespace rope::app
