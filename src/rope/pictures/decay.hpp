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
  std::int64_t parts = 1;  ///< how many units of distance make one token
  std::string family;
  std::size_t random_pairs = 0;
  bool too_many_for_random =
      false;  ///< so many distances that there are no random pairs by default
  std::uint64_t seed = 42;
  bool log_axis = false;
  /// Whether the bound is drawn as f(Δ)/f(0); by default, if f(0) differs between the embeddings.
  std::optional<bool> relative;
  std::vector<VariantDecay> curves;

  /// The distances in tokens, each rounded once.
  std::vector<double> tokens() const;
};

/// By distance: the bound on the score, and the mean cosine with its law and with random pairs.
plot::Figure decay_figure(const DecayStudy& study);

/// The mean cosine over distances on two axes, as colours. `setting`: the embedding in one line.
plot::Figure decay_map_figure(const DecayMap& map, const RotaryEmbedding& embedding,
                              const std::string& setting);

}  // namespace rope
