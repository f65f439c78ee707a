#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "rope/diagnose/angles/lines.hpp"
#include "rope/diagnose/frequencies/rule_search.hpp"
#include "rope/rotary/named_embedding.hpp"

namespace rope {

/// Spectra that are near the lines: unscaled ones first, then a common factor, the rules with
/// parameters, presets, and last the measured frequencies themselves.
///
/// `head_dim`: d, for rules that use it. `presets`: embeddings to recognise, with their names.
std::vector<Spectrum> recognise(const AngleLines& lines, std::size_t head_dim,
                                std::span<const NamedEmbedding> presets);

/// What the pairs that turn fastest say by themselves, where no rule is recognised.
std::optional<FastSpectrum> fast_spectrum(const AngleLines& lines);

/// The spectrum of an embedding that is known by name or told.
Spectrum named(const RotaryEmbedding& embedding);

/// Signed turns per token of each pair of the arrangement.
KnownRates rates_of(const Spectrum& spectrum);

}  // namespace rope
