#pragma once

#include "rope/studies/attention.hpp"
#include "shown/console.hpp"

namespace rope::app {

// Each function prints the report of one view of `rope attention`, for people.

void print_attention(const AttentionWeights& study, bool details, const Console& console);
void print_attention(const ShuffledOrder& study, bool details, const Console& console);
void print_attention(const RepeatedToken& study, bool details, const Console& console);
void print_attention(const ShiftedValues& study, bool details, const Console& console);
void print_attention(const AttentionEntropy& study, bool details, const Console& console);

}  // namespace rope::app
