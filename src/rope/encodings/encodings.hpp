#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "rope/encodings/alibi.hpp"
#include "rope/encodings/encoding.hpp"
#include "rope/encodings/rerope.hpp"
#include "rope/encodings/sinusoidal.hpp"
#include "rope/rotary/embedding.hpp"

namespace rope {

/// What the encodings of one head are made from, so that they can stand side by side. What a model
/// would learn is random here: near-normal, deviation 1 for T5's biases and Shaw's keys,
/// 1/√columns for matrices, ¼ for Transformer-XL's u and v, √½ for learned positions, which makes
/// them as long as sinusoidal ones.
struct EncodingSettings {
  RotaryEmbedding rotary;  ///< also the head size of every other encoding
  SinusoidalForm form = SinusoidalForm::interleaved;
  double base = 10000;          ///< of sinusoidal tables, p-RoPE and partial RoPE
  std::int64_t trained = 2048;  ///< positions of a learned table; L of log-n
  std::int64_t heads = 32;
  std::int64_t head = 0;  ///< whose slope ALiBi takes
  AlibiBias alibi_bias = AlibiBias::distance;
  std::int64_t buckets = 32;
  std::int64_t max_distance = 128;
  bool bidirectional = false;
  std::int64_t clip = 16;  ///< Shaw's c
  std::int64_t window = 1024;
  double leak = 8;  ///< of Leaky ReRoPE
  bool log_n = false;
  double share = 0.25;  ///< p of p-RoPE
  std::uint64_t seed = 42;
};

/// One way to tell positions.
struct EncodingEntry {
  std::string_view name;   ///< "alibi"
  std::string_view title;  ///< "ALiBi"
  bool pairs;              ///< rotates pairs: the head size must be even
  std::unique_ptr<PositionEncoding> (*make)(const EncodingSettings& settings);
};

/// All of them, the oldest idea first.
std::span<const EncodingEntry> encodings();

/// The encoding of that name, or nothing.
const EncodingEntry* find_encoding(std::string_view name);

}  // namespace rope
