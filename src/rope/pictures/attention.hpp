#pragma once

#include "rope/plot/figure.hpp"
#include "rope/studies/attention.hpp"

namespace rope {

/// The weights as a heat map with one word per row and column, next to those without positions.
plot::Figure attention_figure(const AttentionWeights& weights);

/// For each case, the weights of the words, of the same words in another order, and the latter put
/// back. If a word's weights move with it, the first and the last picture are the same.
plot::Figure attention_figure(const ShuffledOrder& shuffled);

/// How far apart equal tokens are, layer by layer.
plot::Figure attention_figure(const RepeatedToken& repeated);

/// How far outputs change when all positions are shifted.
plot::Figure attention_figure(const ShiftedValues& shifted);

/// Entropy and the largest weight against the logarithm of the number of keys.
plot::Figure attention_figure(const AttentionEntropy& entropy);

}  // namespace rope
