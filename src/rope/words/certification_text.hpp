#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "rope/language/language.hpp"
#include "rope/verify/certify.hpp"

namespace rope {

/// "PASS", "FAIL", "INCONCLUSIVE" or "SELF-TEST FAILED".
std::string_view verdict_word(Verdict verdict);

/// "vector" or "row": what the indices in a certification refer to.
std::string_view vector_noun(const Certification& certification);

/// "vector 2 at position 1, pair 0 (dimensions 0, 32)"
std::string place_text(const Certification& certification, const OutputError& one,
                       Language language = Language::en);

/// "found (0.5, 1), exact (0.4, 1.1): off by 0.14 where 3e-07 is allowed"
std::string error_text(const OutputError& one, Language language = Language::en);

/// "all 160 pairs are", "the one place is": the beginning of a sentence about results that are all
/// within their bounds.
std::string all_text(std::uint64_t compared, bool pairs, Language language);

/// The reason for the verdict on vectors, tables or both: a sentence without a full stop.
///
/// `sufficient_libm_ulp`: the libm error in ulp with which all parts would pass.
std::string verdict_text(Verdict verdict, std::span<const Certification* const> parts,
                         std::optional<double> sufficient_libm_ulp,
                         Language language = Language::en);

}  // namespace rope
