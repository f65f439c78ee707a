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

/// A sentence and the untrained head that reads it. The word at position t is a random vector that
/// depends only on its spelling and the seed, and W_Q, W_K, W_V and W_O are random: the results
/// show what positions do, not what words mean.
struct AttentionExample {
  EncodingContext context;  ///< the head and the seed
  std::vector<std::string> words;
  Mask mask = Mask::none;
  std::size_t layers = 1;
};

/// The largest head size and the largest number of words.
inline constexpr std::size_t kMostAttentionDims = 512;
inline constexpr std::size_t kMostAttentionWords = 256;

/// A row per word, near-normal numbers of variance 1; equal words have equal rows.
RowMatrix word_vectors(std::span<const std::string> words, std::size_t head_dim,
                       std::uint64_t seed);

/// "RoPE", or "T5 bias buckets=8" if a value is given.
std::string encoding_title(const EncodingSpec& spec);

/// The first layer of an example, and what happens in it.
struct FirstLayer {
  AttentionLayer layer;
  Tokens hidden;  ///< the words, with what the encoding adds to them
  LayerAttention attention;
};

/// Throws    as attention_weights_of.
FirstLayer first_layer(const AttentionExample& example, const EncodingSpec& encoding);

/// Who attends to whom, in the last layer.
struct AttentionWeights {
  AttentionExample example;
  EncodingSpec encoding;
  std::string title;
  RowMatrix scores;       ///< (words, words); −∞ where the mask hides a key
  RowMatrix weights;      ///< one row per query
  RowMatrix without;      ///< the same head without positions, with the same mask
  Measured sum;           ///< the row whose sum is farthest from 1, and by how much
  std::size_t query = 0;  ///< where positions change a weight most
  std::size_t key = 0;
};

/// Throws    ShapeError if there are no words, more than kMostAttentionWords, or more than
///           kMostAttentionDims dimensions; DomainError if there is no layer; whatever the encoding
///           throws.
AttentionWeights attention_weights_of(const AttentionExample& example,
                                      const EncodingSpec& encoding);

/// What happens to attention when the words X are read in another order PX.
struct ShuffledCase {
  EncodingSpec encoding;
  std::string title;
  Mask mask = Mask::none;
  RowMatrix weights;   ///< A(X)
  RowMatrix shuffled;  ///< A(PX)
  RowMatrix restored;  ///< Pᵀ A(PX) P: equal to A(X) where weights move with the words
  Measured moved;      ///< ‖A(PX) − P A(X) Pᵀ‖_F
  Measured in_place;   ///< ‖A(PX) − A(X)‖_F
  Measured
      outputs;  ///< the largest difference of a number between PX's outputs and P times X's outputs
  Measured one_query;  ///< the same for the first word's query, placed after all other words
  Measured pooled;     ///< the same for the mean of all outputs
  std::vector<double> of_word;  ///< as `outputs`, for each word of X
};

struct ShuffledOrder {
  AttentionExample example;
  std::vector<std::size_t> order;  ///< word t of PX is word order[t] of X
  std::vector<ShuffledCase> cases;
};

/// For each word of `shuffled`, its place in `words`; equal words are taken in order. Empty if they
/// are not the same words.
std::vector<std::size_t> order_of(std::span<const std::string> words,
                                  std::span<const std::string> shuffled);

/// The cases: no positions, without and with a causal mask, then each encoding with the mask of the
/// example. There is one layer, whatever the example says.
///
/// Throws    as attention_weights_of; ShapeError unless the order is a permutation of the words.
ShuffledOrder shuffled_order(const AttentionExample& example,
                             std::span<const EncodingSpec> encodings,
                             std::span<const std::size_t> order);

/// How far apart the hidden states of equal tokens are, before the first layer and after each.
struct RepeatedCurve {
  EncodingSpec encoding;
  std::string title;
  bool at_input = false;        ///< whether it is added to the tokens, not put into the scores
  std::vector<double> apart;    ///< the largest difference of a number between two positions
  std::vector<double> allowed;  ///< how much of it rounding explains
  bool explained() const;       ///< whether rounding explains it at every layer
};

struct RepeatedToken {
  AttentionExample example;  ///< the same word throughout
  std::vector<RepeatedCurve> curves;
};

/// Throws    as attention_weights_of.
RepeatedToken repeated_token(const AttentionExample& example,
                             std::span<const EncodingSpec> encodings);

/// What is done with the values of a layer.
enum class ValueRotation {
  none,        ///< v_n stays as it is, as in most models
  rotated,     ///< v_n becomes R_n v_n
  turned_back  ///< the same, and the output of a query at m is turned by R_−m
};

inline constexpr std::array kValueRotations = {ValueRotation::none, ValueRotation::rotated,
                                               ValueRotation::turned_back};

/// How much outputs change when all positions are shifted.
struct ShiftedCurve {
  EncodingSpec encoding;
  std::string title;
  ValueRotation values = ValueRotation::none;
  std::vector<Measured> change;  ///< the largest change of a number, for each shift
};

struct ShiftedValues {
  AttentionExample example;
  std::vector<std::int64_t> shifts;
  std::vector<ShiftedCurve> curves;  ///< one for each encoding and ValueRotation
};

/// Uses one layer, whatever the example says.
///
/// Throws    as attention_weights_of.
ShiftedValues shifted_values(const AttentionExample& example,
                             std::span<const EncodingSpec> encodings,
                             std::span<const std::int64_t> shifts);

/// How attention over random keys spreads as their number grows.
struct EntropyCurve {
  EncodingSpec encoding;
  std::string title;
  bool scaled =
      true;  ///< scores are divided by √d; if not, it is as if queries were √d times longer
  std::vector<double> entropy;  ///< bits, the mean over the queries, for each number of keys
  std::vector<double> top;      ///< the largest weight, likewise
};

/// Which scores go through the softmax.
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

/// The largest total count of numbers in the keys of one study.
inline constexpr std::int64_t kMostEntropyNumbers = std::int64_t{1} << 23;

/// Queries at the last position, each attending to the nearest n of the same random keys, beginning
/// at its own position; all numbers are near-normal with variance 1.
///
/// Throws    ShapeError unless there is at least one query and one length, and the lengths are from
///           1 to kMostEntropyNumbers/d; whatever the encoding throws.
AttentionEntropy attention_entropy(const EntropyRequest& request,
                                   std::span<const EncodingSpec> encodings,
                                   const std::function<void(std::size_t queries)>& done = {});

}  // namespace rope
