#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "rope/diagnose/remedy.hpp"
#include "rope/diagnose/spectrum.hpp"
#include "rope/precision/format.hpp"

namespace rope {

/// The meaning of a number that was found, as a clause without a full stop, and how to fix the code
/// that made it.
struct NamedNumber {
  std::string meaning;  ///< "10000 in bfloat16"
  Remedy mend;       ///< "keep rope_theta in float32": a change to the code that makes the number
  double value = 0;  ///< the value of a factor, with all its digits
};

/// "bfloat16", "float16": the names that frameworks use for these formats.
std::string format_word(Format format);

/// The mistake that turns the base `usual` into the base found: `usual` was rounded to 16 bits, or
/// used with an exponent of another form. Nothing if the base found may be `usual` itself or is not
/// known precisely enough to tell.
///
/// `head_dim`: d; 0 if it is not known.
std::optional<NamedNumber> named_base(const Spectrum& spectrum, double usual, std::size_t head_dim);

/// A factor on all angles that comes from a wrong unit, or from rotating twice.
std::optional<NamedNumber> named_divisor(const Spectrum& spectrum);

/// The same for measured frequencies that differ from those of `meant`, whatever its rule.
std::optional<NamedNumber> named_divisor(const Spectrum& spectrum, const RotaryEmbedding& meant);

/// An attention factor that comes from another formula: the 1/√d of the scores, YaRN's factor, or
/// the square of a factor.
///
/// `assumed`: the factor that was expected; 1 if nothing was stated. `stretch`: YaRN's s, if it was
/// stated or found. It determines the YaRN factor, even if the measured factor has few digits.
std::optional<NamedNumber> named_factor(const Spectrum& spectrum, double assumed,
                                        std::size_t head_dim,
                                        std::optional<double> stretch = std::nullopt);

}  // namespace rope
