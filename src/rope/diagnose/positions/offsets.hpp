#pragma once

#include <cstdint>
#include <vector>

#include "rope/diagnose/angles/lines.hpp"
#include "rope/diagnose/frequencies/rule_search.hpp"

namespace rope {

/// How far from 0 offsets of positions are looked for.
inline constexpr std::int64_t kFarthestOffset = std::int64_t{1} << 17;

/// The interval of ln b; infinite where there is no base.
double width_of_base(const Spectrum& spectrum);

/// The rates if ln b is off by `shift` of what it may be off by, give or take half of `part`.
KnownRates rates_of_base(const Spectrum& spectrum, double shift, double part);

/// The offsets with which these frequencies meet the angles at the origin of the lines, those
/// nearest to 0 first; none where nearly every offset would do.
///
/// `cells`: a base that is known roughly is tried in cells, in each of which it is known well.
std::vector<std::int64_t> find_offsets(const Spectrum& spectrum, const AngleLines& lines,
                                       double rounding, bool cells);

/// The same from the pairs that a fast spectrum counts.
std::vector<std::int64_t> find_offsets(const FastSpectrum& fast, const AngleLines& lines,
                                       double rounding);

/// Whether some offset would fit by chance alone: many are tried, and each pair allows some part of
/// a turn. `fitted`: how many pairs were used up to fit the spectrum, and so tell nothing of it.
bool fits_by_chance(const AngleLines& lines, std::size_t fitted);

/// How many numbers a spectrum has beside its base, which is looked for in cells.
std::size_t fitted_numbers(const Spectrum& spectrum);

}  // namespace rope
