#pragma once

#include <span>
#include <string>
#include <vector>

#include "rope/rotary/embedding.hpp"
#include "shown/console.hpp"
#include "usage/arguments.hpp"

namespace rope::app {

/// How the frequencies come from the pair index.
enum class Family { geometric, linear, quadratic };

/// One of the rotary embeddings that the options name.
struct RotaryVariant {
  std::string label;  ///< "base=10000", "dim=64", "base=10000 dim=64": what tells it from the rest
  RotaryEmbedding embedding;
  Family family = Family::geometric;  ///< where neither it nor a base is, frequencies were given
};

/// --dim, --base, --frequencies, --rotary-dim, --layout and the options of scaling_option.hpp. With
/// Times::many, --dim, --base and --scaling may be repeated: every combination is one variant.
void declare_rotary_options(OptionSet& options, Times times);

/// The embeddings the options name, at least one; exactly one if they were declared Times::once.
/// Warns of bases and scalings that are legal and surprising.
///
/// Throws    rope::Error (invalid input).
std::vector<RotaryVariant> rotary_variants(const Arguments& arguments, const Console& console,
                                           Family family = Family::geometric);

/// "head_dim 128, base 10000, layout interleaved": the embedding in one line, with what its
/// frequencies are: a base, "linear family", "frequencies 1, 0.5" or how many were given; and
/// "scaling yarn (factor 4, original 32768), attention factor 1.13863" where a rule changed them.
std::string describe(const RotaryVariant& variant);

/// "scaling yarn (factor 4, original 32768), attention factor 1.13863": what a rule did, or
/// nothing.
std::string describe_scaling(const RotaryEmbedding& embedding);

/// The same of an embedding that belongs to no family but the geometric one.
std::string describe(const RotaryEmbedding& embedding);

/// The same of several: what all of them share.
std::string describe(std::span<const RotaryVariant> variants);

}  // namespace rope::app
