#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "rope/diagnose/angles/lines.hpp"
#include "rope/diagnose/frequencies/rule_search.hpp"
#include "rope/rotary/named_embedding.hpp"

namespace rope {

/// Spectra that agree with the lines: first unscaled ones, then those with a common factor, those
/// of rules with parameters, presets, and finally the measured frequencies themselves.
///
/// `head_dim`: d. `presets`: embeddings to recognise, with their names.
std::vector<Spectrum> recognise(const AngleLines& lines, std::size_t head_dim,
                                std::span<const NamedEmbedding> presets);

/// The unscaled spectrum that the fastest pairs suggest, for use if no rule is recognised.
std::optional<FastSpectrum> fast_spectrum(const AngleLines& lines);

/// The spectrum of an embedding that is known by name or stated.
Spectrum named(const RotaryEmbedding& embedding);

/// Embeddings close to the stated one that code may follow instead: the stated base without the
/// rule, and the rule with other usual bases or factors.
std::vector<RotaryEmbedding> relatives(const RotaryEmbedding& stated);

/// The frequencies of `exact`, cast to a 16-bit format.
Spectrum cast_to(Format format, const Spectrum& exact);

/// The signed rate of each pair of the arrangement.
KnownRates rates_of(const Spectrum& spectrum);

}  // namespace rope
