#pragma once

#include <cstdint>
#include <vector>

#include "rope/diagnose/angles/lines.hpp"
#include "rope/diagnose/frequencies/rule_search.hpp"

namespace rope {

/// How far from 0 to search for position offsets.
inline constexpr std::int64_t kFarthestOffset = std::int64_t{1} << 17;

/// The width of the interval in which ln b lies; infinite if there is no base.
double width_of_base(const Spectrum& spectrum);

/// The rates with ln b shifted from the middle of its interval by `shift` times its width, and
/// errors as if that interval were `part` times as wide.
KnownRates rates_of_base(const Spectrum& spectrum, double shift, double part);

/// The offsets at which these frequencies give the angles at the origin of the lines, the offset
/// nearest to 0 first; none if nearly every offset fits.
///
/// `cells`: whether to split the interval of a roughly known base into cells that are each narrow
/// enough to count whole turns.
std::vector<std::int64_t> find_offsets(const Spectrum& spectrum, const AngleLines& lines,
                                       double rounding, bool cells);

/// The same, using only the valid pairs of a fast spectrum.
std::vector<std::int64_t> find_offsets(const FastSpectrum& fast, const AngleLines& lines,
                                       double rounding);

/// Whether some offset is likely to fit by chance, since many are tried and each pair accepts a
/// range of angles. `fitted`: how many pairs were used to fit the spectrum and therefore do not
/// test it.
bool fits_by_chance(const AngleLines& lines, std::size_t fitted);

/// Whether other offsets, with other factors, may fit as well: multiplying a linear factor and the
/// positions by s gives the same angles. This is the case if the interval of the factor, computed
/// for an unknown offset, reaches the next offset, and the factor found is not a round number.
///
/// `free`: the spectrum of lines that are not forced through position 0. `position`: the position
/// of the first token.
bool factor_admits_others(const Spectrum& free, const Spectrum& found, std::int64_t position);

/// How many fitted numbers a spectrum has: those of its rule, and a base that is not round. A round
/// base is not counted, because there are few round bases.
std::size_t fitted_numbers(const Spectrum& spectrum);

}  // namespace rope
