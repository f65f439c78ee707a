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

/// How the frequencies depend on the pair index.
enum class Spacing { geometric, linear, quadratic };

/// One of several rotary embeddings that are compared side by side.
struct RotaryVariant {
  std::string label;  ///< "base=10000", "dim=64", "base=10000 dim=64": what sets it apart
  RotaryEmbedding embedding;
  Spacing spacing = Spacing::geometric;  ///< if geometric without a base, frequencies were given
  std::string model = {};  ///< "llama-3.1-8b", "gemma-3-27b · full attention"; empty if none
  std::optional<std::int64_t> trained = {};  ///< the model's context before extension, tokens
  std::optional<std::int64_t> context = {};  ///< the model's longest input, tokens
  std::optional<std::int64_t> reach =
      {};  ///< the context, or the window of the layers: see ModelRope
  std::optional<std::int64_t> serves =
      {};  ///< the length that the frequencies were made for, tokens
};

/// "llama-2-7b: head_dim 128, base 10000, layout half": the embedding on one line, after the model
/// if one was named. The frequencies appear as a base, as "linear family", as "frequencies 1, 0.5"
/// or as the number of them that were given; and "scaling yarn (factor 4, original 32768),
/// attention factor 1.13863" follows if a rule changed them.
std::string describe(const RotaryVariant& variant, Language language = Language::en);

/// The same for several variants: what all of them share.
std::string describe(std::span<const RotaryVariant> variants, Language language = Language::en);

/// "scaling yarn (factor 4, original 32768), attention factor 1.13863": what a rule did; empty
/// without a rule.
std::string describe_scaling(const RotaryEmbedding& embedding, Language language = Language::en);

/// "sections of 16 + 24 + 24 pairs (time, height, width)", "interleaved sections of …", or "axes of
/// 16 + 56 + 56 dimensions (…)" if each has its own frequencies; empty for one axis.
std::string describe_axes(const Axes& axes, Language language = Language::en);

}  // namespace rope
