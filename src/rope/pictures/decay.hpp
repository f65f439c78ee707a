#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rope/plot/figure.hpp"
#include "rope/studies/decay.hpp"
#include "rope/studies/decay_map.hpp"
#include "rope/words/embedding_text.hpp"

namespace rope {

/// The curves of one of several embeddings.
struct VariantDecay : DecayResult {
  RotaryVariant variant;
};

/// How the scores of several embeddings fall with distance.
struct DecayStudy {
  std::vector<std::int64_t> distances;
  std::int64_t parts = 1;  ///< the number of units of distance per token
  std::string family;
  std::size_t random_pairs = 0;
  /// Whether there are so many distances that random pairs are omitted by default.
  bool too_many_for_random = false;
  std::uint64_t seed = 42;
  bool log_axis = false;
  /// Whether the bound is drawn as f(Δ)/f(0). If not set, it is drawn this way if f(0) differs
  /// between the embeddings.
  std::optional<bool> relative;
  std::vector<VariantDecay> curves;

  /// The distances in tokens, each rounded once.
  std::vector<double> tokens() const;
};

/// Curves by distance: the bound on the score, and the mean cosine with its logarithmic law and
/// with random pairs.
plot::Figure decay_figure(const DecayStudy& study);

/// A heat map of the mean cosine over distances along two axes. `setting`: the embedding in one
/// line.
plot::Figure decay_map_figure(const DecayMap& map, const RotaryEmbedding& embedding,
                              const std::string& setting);

}  // namespace rope
