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
  std::string label;  ///< "base=10000", "dim=64", "base=10000 dim=64": what distinguishes it from
                      ///< the others
  RotaryEmbedding embedding;
  /// If it is geometric but there is no base, the frequencies were given.
  Spacing spacing = Spacing::geometric;
  std::string model = {};  ///< "llama-3.1-8b", "gemma-3-27b · full attention"; empty if none
  std::optional<std::int64_t> trained = {};  ///< the model's context before extension, tokens
  std::optional<std::int64_t> context = {};  ///< the model's longest input, tokens
  /// The context, or the window of the layers: see ModelRope.
  std::optional<std::int64_t> reach = {};
  /// The length for which the frequencies were computed, tokens.
  std::optional<std::int64_t> serves = {};
};

/// "llama-2-7b: head_dim 128, base 10000, layout half": the embedding on one line, preceded by the
/// model if one was named. The text describes frequencies by a base, as "linear family", as
/// "frequencies 1, 0.5" or by their number. If a rule changed them, "scaling yarn (factor 4,
/// original 32768), attention factor 1.13863" follows.
std::string describe(const RotaryVariant& variant, Language language = Language::en);

/// What all variants have in common, in the same format.
std::string describe(std::span<const RotaryVariant> variants, Language language = Language::en);

/// "scaling yarn (factor 4, original 32768), attention factor 1.13863": the scaling rule and its
/// attention factor; empty without a rule.
std::string describe_scaling(const RotaryEmbedding& embedding, Language language = Language::en);

/// "sections of 16 + 24 + 24 pairs (time, height, width)", "interleaved sections of …", or "axes of
/// 16 + 56 + 56 dimensions (…)" if each axis has its own frequencies; empty for one axis.
std::string describe_axes(const Axes& axes, Language language = Language::en);

}  // namespace rope
