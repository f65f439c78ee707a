#pragma once

#include <cstdint>
#include <vector>

#include "rope/diagnose/angles/lines.hpp"
#include "rope/diagnose/frequencies/rule_search.hpp"

namespace rope {

/// How far from 0 to search for position offsets.
inline constexpr std::int64_t kFarthestOffset = std::int64_t{1} << 17;

/// The width of the interval of ln b; infinite where there is no base.
double width_of_base(const Spectrum& spectrum);

/// The rates with ln b shifted from the middle of its interval by `shift` times its width, and
/// errors as if the interval were `part` times as wide.
KnownRates rates_of_base(const Spectrum& spectrum, double shift, double part);

/// The offsets at which these frequencies give the angles at the origin of the lines, those nearest
/// to 0 first; none where nearly every offset fits.
///
/// `cells`: splits the interval of a roughly known base into cells, each narrow enough to count
/// turns.
std::vector<std::int64_t> find_offsets(const Spectrum& spectrum, const AngleLines& lines,
                                       double rounding, bool cells);

/// The same from the valid pairs of a fast spectrum.
std::vector<std::int64_t> find_offsets(const FastSpectrum& fast, const AngleLines& lines,
                                       double rounding);

/// Whether some offset is likely to fit by chance: many are tried, and each pair admits a fraction
/// of a turn. `fitted`: how many pairs went into fitting the spectrum and so do not test it.
bool fits_by_chance(const AngleLines& lines, std::size_t fitted);

/// Whether other offsets may go with other factors: s times a linear factor at s times the position
/// gives the same angles. This is so if the interval of the factor, over tokens whose offset is not
/// known, reaches the next offset, and the factor found is not a round number.
///
/// `free`: from lines that are not forced through position 0. `position`: that of the first token.
bool factor_admits_others(const Spectrum& free, const Spectrum& found, std::int64_t position);

/// How many fitted numbers a spectrum has: those of its rule, and a base that is not round. A round
/// base is one of few, as many as the cells searched for it.
std::size_t fitted_numbers(const Spectrum& spectrum);

}  // namespace rope
