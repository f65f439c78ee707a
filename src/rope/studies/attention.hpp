#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "rope/attention/layers.hpp"
#include "rope/attention/relative.hpp"
#include "rope/attention/softmax.hpp"
#include "rope/encodings/encodings.hpp"

namespace rope {

/// A sentence and the untrained attention head that reads it. The word at position t is a random
/// vector that depends only on its spelling and the seed, and W_Q, W_K, W_V and W_O are random: the
/// results show the effect of positions, not of the meaning of words.
struct AttentionExample {
  EncodingContext context;  ///< the head and the seed
  std::vector<std::string> words;
  Mask mask = Mask::none;
  std::size_t layers = 1;
};

/// The largest head size, and the largest number of words.
inline constexpr std::size_t kMostAttentionDims = 512;
inline constexpr std::size_t kMostAttentionWords = 256;

/// One row of near-normal numbers of variance 1 for each word; identical words have identical rows.
RowMatrix word_vectors(std::span<const std::string> words, std::size_t head_dim,
                       std::uint64_t seed);

/// "RoPE", or "T5 bias buckets=8" if a parameter is given.
std::string encoding_title(const EncodingSpec& spec);

/// The first layer of an example, with its input and its attention.
struct FirstLayer {
  AttentionLayer layer;
  Tokens hidden;  ///< the word vectors, including what the encoding adds to them
  LayerAttention attention;
};

/// Throws    as attention_weights_of.
FirstLayer first_layer(const AttentionExample& example, const EncodingSpec& encoding);

/// How much each word attends to each other word, in the last layer.
struct AttentionWeights {
  AttentionExample example;
  EncodingSpec encoding;
  std::string title;
  RowMatrix scores;       ///< (words, words); −∞ where the mask hides a key
  RowMatrix weights;      ///< one row per query
  RowMatrix without;      ///< the same head without positions, with the same mask
  Measured sum;           ///< the largest deviation of a row's sum from 1
  std::size_t query = 0;  ///< the query and the key between which positions change the weight most
  std::size_t key = 0;
};

/// Throws    ShapeError if there are no words, more than kMostAttentionWords, or more than
///           kMostAttentionDims dimensions; DomainError if there is no layer; whatever the encoding
///           throws.
AttentionWeights attention_weights_of(const AttentionExample& example,
                                      const EncodingSpec& encoding);

/// What happens to attention when the words X are reordered to PX.
struct ShuffledCase {
  EncodingSpec encoding;
  std::string title;
  Mask mask = Mask::none;
  RowMatrix weights;   ///< A(X)
  RowMatrix shuffled;  ///< A(PX)
  RowMatrix restored;  ///< Pᵀ A(PX) P: equal to A(X) if the weights move with the words
  Measured moved;      ///< ‖A(PX) − P A(X) Pᵀ‖_F
  Measured in_place;   ///< ‖A(PX) − A(X)‖_F
  Measured outputs;  ///< the largest difference between an entry of the outputs for PX and the same
                     ///< entry of P times the outputs for X
  /// The same for the output of one query: the first word, placed after all the words.
  Measured one_query;
  Measured pooled;              ///< the same for the mean of all outputs
  std::vector<double> of_word;  ///< as `outputs`, but for each word of X
};

struct ShuffledOrder {
  AttentionExample example;
  std::vector<std::size_t> order;  ///< word t of PX is word order[t] of X
  std::vector<ShuffledCase> cases;
};

/// For each word of `shuffled`, its index in `words`; identical words are matched in order. Empty
/// if the two do not consist of the same words.
std::vector<std::size_t> order_of(std::span<const std::string> words,
                                  std::span<const std::string> shuffled);

/// Computes the cases: no positions, without and with a causal mask, then each encoding with the
/// mask of the example. Uses one layer, whatever the number in the example.
///
/// Throws    whatever attention_weights_of throws; ShapeError unless the order is a permutation of
///           the words.
ShuffledOrder shuffled_order(const AttentionExample& example,
                             std::span<const EncodingSpec> encodings,
                             std::span<const std::size_t> order);

/// How far apart the hidden states of identical tokens are, before the first layer and after each
/// layer.
struct RepeatedCurve {
  EncodingSpec encoding;
  std::string title;
  /// Whether the encoding is added to the tokens rather than applied to the scores.
  bool at_input = false;
  /// The largest difference between the same component at two positions.
  std::vector<double> apart;
  std::vector<double> allowed;  ///< how much of `apart` rounding explains
  bool explained() const;       ///< whether rounding explains all of `apart`
};

struct RepeatedToken {
  AttentionExample example;  ///< with the same word at all positions
  std::vector<RepeatedCurve> curves;
};

/// Throws    as attention_weights_of.
RepeatedToken repeated_token(const AttentionExample& example,
                             std::span<const EncodingSpec> encodings);

/// What is done with the value vectors of a layer.
enum class ValueRotation {
  none,        ///< v_n stays as it is, as in most models
  rotated,     ///< v_n becomes R_n v_n
  turned_back  ///< the same, and the output of the query at m is turned back by R_−m
};

inline constexpr std::array kValueRotations = {ValueRotation::none, ValueRotation::rotated,
                                               ValueRotation::turned_back};

/// How much outputs change when all positions are shifted.
struct ShiftedCurve {
  EncodingSpec encoding;
  std::string title;
  ValueRotation values = ValueRotation::none;
  std::vector<Measured> change;  ///< the largest change of any component, for each shift
};

struct ShiftedValues {
  AttentionExample example;
  std::vector<std::int64_t> shifts;
  std::vector<ShiftedCurve> curves;  ///< one for each encoding and ValueRotation
};

/// Uses one layer, whatever AttentionExample::layers is.
///
/// Throws    as attention_weights_of.
ShiftedValues shifted_values(const AttentionExample& example,
                             std::span<const EncodingSpec> encodings,
                             std::span<const std::int64_t> shifts);

/// How attention over random keys spreads as their number grows.
struct EntropyCurve {
  EncodingSpec encoding;
  std::string title;
  bool scaled = true;  ///< whether scores are divided by √d; without the division, queries are in
                       ///< effect √d times longer
  std::vector<double> entropy;  ///< in bits, the mean over the queries, for each number of keys
  std::vector<double> top;      ///< the largest weight, again the mean over the queries
};

/// Which scores are passed to the softmax.
enum class ScoreScale { scaled, unscaled, both };

struct EntropyRequest {
  EncodingContext context;
  std::vector<std::int64_t> lengths;  ///< numbers of keys, in any order
  std::size_t queries = 300;
  ScoreScale scale = ScoreScale::both;
};

struct AttentionEntropy {
  EntropyRequest request;
  std::vector<EntropyCurve> curves;
};

/// The largest number of components that all keys of one study may have together.
inline constexpr std::int64_t kMostEntropyNumbers = std::int64_t{1} << 23;

/// Measures queries at the last position, each attending to the nearest n of the same random keys,
/// the first of which is at the query's own position. All numbers are near-normal with variance 1.
///
/// Throws    ShapeError unless there is at least one query and one length, and the lengths are from
///           1 to kMostEntropyNumbers/d; whatever the encoding throws.
AttentionEntropy attention_entropy(const EntropyRequest& request,
                                   std::span<const EncodingSpec> encodings,
                                   const std::function<void(std::size_t queries)>& done = {});

}  // namespace rope
