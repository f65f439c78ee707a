#include "rope/encodings/encodings.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "rope/encodings/additive.hpp"
#include "rope/encodings/alibi.hpp"
#include "rope/encodings/learned.hpp"
#include "rope/encodings/none.hpp"
#include "rope/encodings/rope.hpp"
#include "rope/encodings/shaw.hpp"
#include "rope/encodings/t5.hpp"
#include "rope/encodings/transformer_xl.hpp"
#include "rope/encodings/xpos.hpp"
#include "rope/error.hpp"

namespace rope {
namespace {

using Made = std::unique_ptr<PositionEncoding>;

// Random numbers of their own for each thing that a model would learn.
enum Stream : std::uint64_t {
  w_query,
  w_key,
  w_relative,
  u_bias,
  v_bias,
  t5_bias,
  shaw_keys,
  rows
};

/// A table of random numbers above this many would fill memory.
constexpr std::int64_t kMostNumbers = std::int64_t{1} << 25;

RowMatrix matrix(const EncodingSettings& s, std::int64_t rows, double deviation, Stream stream) {
  const std::size_t d = s.rotary.head_dim;
  if (rows > kMostNumbers / static_cast<std::int64_t>(d))
    throw DomainError(
        "table: expected at most " + std::to_string(kMostNumbers / static_cast<std::int64_t>(d)) +
            " rows of " + std::to_string(d) + " learned numbers, got " + std::to_string(rows),
        "Choose a shorter length, or leave that encoding out.");
  return random_matrix(static_cast<std::size_t>(rows), d, deviation, s.seed, stream);
}

/// d × d, so that the product with a vector has the deviation of the vector.
RowMatrix projection(const EncodingSettings& s, Stream stream) {
  const auto d = static_cast<double>(s.rotary.head_dim);
  return matrix(s, static_cast<std::int64_t>(s.rotary.head_dim), 1 / std::sqrt(d), stream);
}

std::vector<double> vector(const EncodingSettings& s, std::size_t size, double deviation,
                           Stream stream) {
  const RowMatrix row = random_matrix(1, size, deviation, s.seed, stream);
  return {row.data(), row.data() + row.size()};
}

Made additive(const EncodingSettings& s, std::shared_ptr<const PositionTable> table) {
  return std::make_unique<AdditiveEncoding>(std::move(table), projection(s, w_query),
                                            projection(s, w_key));
}

Made make_none(const EncodingSettings& s) {
  return std::make_unique<NoEncoding>(s.rotary.head_dim);
}

Made make_sinusoidal(const EncodingSettings& s) {
  return additive(s, std::make_shared<SinusoidalTable>(s.rotary.head_dim, s.base, s.form));
}

Made make_learned(const EncodingSettings& s) {
  return additive(s, std::make_shared<LearnedTable>(matrix(s, s.trained, std::sqrt(0.5), rows)));
}

Made make_shaw(const EncodingSettings& s) {
  return std::make_unique<ShawEncoding>(matrix(s, 2 * s.clip + 1, 1, shaw_keys));
}

Made make_transformer_xl(const EncodingSettings& s) {
  const std::size_t d = s.rotary.head_dim;
  return std::make_unique<TransformerXlEncoding>(
      std::make_shared<SinusoidalTable>(d, s.base, SinusoidalForm::blocks),
      projection(s, w_relative), vector(s, d, 0.25, u_bias), vector(s, d, 0.25, v_bias));
}

Made make_t5(const EncodingSettings& s) {
  // The 1/√d that T5 keeps in W_Q stands beside q and k here, as it does for the others.
  const auto d = static_cast<double>(s.rotary.head_dim);
  T5Buckets buckets(s.buckets, s.max_distance, s.bidirectional);
  return std::make_unique<T5Encoding>(s.rotary.head_dim, std::move(buckets),
                                      vector(s, static_cast<std::size_t>(s.buckets), 1, t5_bias),
                                      1 / std::sqrt(d));
}

Made make_alibi(const EncodingSettings& s) {
  return std::make_unique<AlibiEncoding>(s.rotary.head_dim, s.heads, s.head, s.alibi_bias);
}

Made make_rope(const EncodingSettings& s) { return std::make_unique<RopeEncoding>(s.rotary); }

/// RoPE with other frequencies, which no scaling rule made.
Made rope_with(const EncodingSettings& s, Frequencies frequencies) {
  RotaryEmbedding embedding;
  embedding.head_dim = s.rotary.head_dim;
  embedding.layout = s.rotary.layout;
  embedding.frequencies = std::move(frequencies);
  return std::make_unique<RopeEncoding>(std::move(embedding));
}

Made make_partial(const EncodingSettings& s) {
  const std::size_t half = std::max<std::size_t>(s.rotary.rotary_dim() / 4 * 2, 2);
  return rope_with(s, geometric_frequencies(s.base, half));
}

Made make_p_rope(const EncodingSettings& s) {
  return rope_with(s, fastest_frequencies(s.base, s.rotary.rotary_dim(), s.share));
}

Made make_xpos(const EncodingSettings& s) { return std::make_unique<XPosEncoding>(s.rotary); }

std::optional<std::int64_t> log_n(const EncodingSettings& s) {
  return s.log_n ? std::optional(s.trained) : std::nullopt;
}

Made make_rerope(const EncodingSettings& s) {
  return std::make_unique<ReRopeEncoding>(s.rotary, DistanceMap{s.window}, log_n(s));
}

Made make_leaky(const EncodingSettings& s) {
  return std::make_unique<ReRopeEncoding>(s.rotary, DistanceMap{s.window, s.leak}, log_n(s));
}

constexpr std::array kEncodings = {
    EncodingEntry{"none", "NoPE", false, make_none},
    EncodingEntry{"sinusoidal", "sinusoidal", false, make_sinusoidal},
    EncodingEntry{"learned", "learned", false, make_learned},
    EncodingEntry{"shaw", "Shaw", false, make_shaw},
    EncodingEntry{"transformer-xl", "Transformer-XL", false, make_transformer_xl},
    EncodingEntry{"t5", "T5 bias", false, make_t5},
    EncodingEntry{"alibi", "ALiBi", false, make_alibi},
    EncodingEntry{"rope", "RoPE", true, make_rope},
    EncodingEntry{"partial-rope", "partial RoPE", true, make_partial},
    EncodingEntry{"p-rope", "p-RoPE", true, make_p_rope},
    EncodingEntry{"xpos", "xPos", true, make_xpos},
    EncodingEntry{"rerope", "ReRoPE", true, make_rerope},
    EncodingEntry{"leaky-rerope", "Leaky ReRoPE", true, make_leaky},
};

}  // namespace

std::span<const EncodingEntry> encodings() { return kEncodings; }

const EncodingEntry* find_encoding(std::string_view name) {
  const auto* const found = std::ranges::find(kEncodings, name, &EncodingEntry::name);
  return found == kEncodings.end() ? nullptr : &*found;
}

}  // namespace rope
