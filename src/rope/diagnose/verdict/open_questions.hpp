#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/positions/candidates.hpp"

namespace rope {

// The sentences of Explanation::open: what an explanation leaves undecided although it reproduces
// y.

inline constexpr const char* kSizeOpen =
    "the rotated size: further pairs may turn by too little to show in these numbers";

/// For a single pair that does not turn as the given positions imply.
inline constexpr const char* kOnePairOpen =
    "frequency, positions and direction: a single pair cannot show which of them differs from what "
    "was given";

/// For stated frequencies that the search would not have found by itself.
inline constexpr const char* kOnlyStated =
    "the frequencies: these tokens fit the stated ones but do not determine them; others may fit "
    "as well";

/// For frequencies that were tried although no angle suggested them.
inline constexpr const char* kOnlyTried =
    "the frequencies: these tokens do not determine them; all usual bases and published models "
    "that fit are listed, but others may fit as well";

inline constexpr const char* kMeasuredOpen =
    "the frequencies: they were measured pair by pair; a rule that was not tried may fit as well";

inline constexpr const char* kAtPositionZero =
    "the frequencies: every token is at position 0, where nothing turns";

inline constexpr const char* kSpacingOpen =
    "the positions: s times as far apart, with frequencies divided by s, they give the same angles";

inline constexpr const char* kWholeTurnsOpen =
    "the frequencies: the tokens are too few, too far apart or too far from position 0 to show how "
    "many whole turns each pair made";

inline constexpr const char* kFactorAndOffsetOpen =
    "the factor: another one fits these numbers as well, with another position offset";

inline constexpr const char* kFactorDigitsOpen =
    "the factor: others near it fit these numbers as well";

inline constexpr const char* kShiftOpen =
    "the positions: shifted together, with other frequencies, they fit these numbers as well";

inline constexpr const char* kHeadsAfterOpen =
    "the size of a head: the last axis may hold several heads, and those after the first may not "
    "be rotated";

inline constexpr const char* kHeadsBeforeOpen =
    "the size of a head: the last axis may hold several heads, and those before the rotated "
    "dimensions may not be rotated";

/// What is known about the tensors in addition to a candidate.
struct Told {
  std::size_t dim = 0;                      ///< d
  std::span<const std::int64_t> positions;  ///< one per token; empty if none were given
  bool counted = false;                     ///< see DiagnosisRequest
};

/// Records in a new explanation everything that its candidate by itself leaves undecided, before
/// other candidates are tried in its place.
///
/// `explanation`: made from the candidate, with its errors widened by those of the pipeline.
void note_open_questions(const Candidate& candidate, const Told& told, Explanation& explanation);

}  // namespace rope
