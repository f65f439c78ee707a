#pragma once

#include "rope/plot/figure.hpp"
#include "rope/studies/attention.hpp"

namespace rope {

/// The weights as a heat map with one word per row and column, next to the weights without
/// positions.
plot::Figure attention_figure(const AttentionWeights& weights);

/// For each case, three maps: the weights, the weights with the words in another order, and the
/// latter rearranged in the original order. If a word's weights move with it, the first and last
/// maps are the same.
plot::Figure attention_figure(const ShuffledOrder& shuffled);

/// How far apart the results for equal tokens are, layer by layer.
plot::Figure attention_figure(const RepeatedToken& repeated);

/// How much the outputs change when all positions are shifted.
plot::Figure attention_figure(const ShiftedValues& shifted);

/// Entropy and the largest weight against the logarithm of the number of keys.
plot::Figure attention_figure(const AttentionEntropy& entropy);

}  // namespace rope
