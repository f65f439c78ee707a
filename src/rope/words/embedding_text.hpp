#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "rope/language/language.hpp"
#include "rope/rotary/embedding.hpp"
#include "rope/scaling/scaling.hpp"
#include "rope/words/describe.hpp"

namespace rope {

/// How the frequencies come from the pair index.
enum class Family { geometric, linear, quadratic };

/// One of several rotary embeddings that are compared side by side.
struct RotaryVariant {
  std::string label;  ///< "base=10000", "dim=64", "base=10000 dim=64": what sets it apart
  RotaryEmbedding embedding;
  Family family = Family::geometric;  ///< where neither it nor a base is, frequencies were given
  std::string model = {};  ///< "llama-3.1-8b", "gemma-3-27b · full attention"; empty without one
  std::optional<std::int64_t> trained = {};  ///< the model's context before extension, tokens
  std::optional<std::int64_t> context = {};  ///< the model's longest input, tokens
  std::optional<std::int64_t> reach = {};  ///< the context, or the window of its layers: ModelRope
  std::optional<std::int64_t> serves =
      {};  ///< the length that the frequencies were made for, tokens
};

/// "llama-2-7b: head_dim 128, base 10000, layout half": the embedding in one line, the model before
/// it where one was named, with what its
/// frequencies are: a base, "linear family", "frequencies 1, 0.5" or how many were given; and
/// "scaling yarn (factor 4, original 32768), attention factor 1.13863" where a rule changed them.
std::string describe(const RotaryVariant& variant, Language language = Language::en);

/// The same for several: what all of them share.
std::string describe(std::span<const RotaryVariant> variants, Language language = Language::en);

/// "scaling yarn (factor 4, original 32768), attention factor 1.13863": what a rule did, or
/// nothing.
std::string describe_scaling(const RotaryEmbedding& embedding, Language language = Language::en);

/// "sections of 16 + 24 + 24 pairs (time, height, width)", "interleaved sections of …", or "axes of
/// 16 + 56 + 56 dimensions (…)" where each has its own frequencies; nothing for one axis.
std::string describe_axes(const Axes& axes, Language language = Language::en);

}  // namespace rope
