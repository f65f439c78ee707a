#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "rope/diagnose/lines.hpp"
#include "rope/diagnose/spectrum.hpp"
#include "rope/rotary/named_embedding.hpp"

namespace rope {

/// Bases that models usually have.
inline constexpr std::array kUsualBases = {1e4, 5e5, 1e6};

/// The number with the fewest significant digits in [low, high], the middle if that needs more
/// than 15.
double simplest_number(double low, double high);

/// Whether a number looks chosen: none within 1e-4 of it has fewer digits.
bool is_round(double number);

/// Spectra that are near the lines: unscaled ones first, then a common factor, the rules with
/// parameters, presets, and last the measured frequencies themselves.
///
/// `head_dim`: d, for rules that use it. `presets`: embeddings to recognise, with their names.
std::vector<Spectrum> recognise(const AngleLines& lines, std::size_t head_dim,
                                std::span<const NamedEmbedding> presets);

/// What the pairs that turn fastest say by themselves, where no rule is recognised: an unscaled
/// spectrum, and how many of its frequencies count. For finding positions alone.
struct FastSpectrum {
  Spectrum spectrum;
  std::size_t count = 0;
};
std::optional<FastSpectrum> fast_spectrum(const AngleLines& lines);

/// The spectrum of an embedding that is known by name or told.
Spectrum named(const RotaryEmbedding& embedding);

/// Signed turns per token of each pair of the arrangement.
KnownRates rates_of(const Spectrum& spectrum);

}  // namespace rope
