#pragma once

#include <string>

#include "rope/verify/verification.hpp"

namespace rope {

/// The formulas of the two sides as they were computed: "⟨R_m q, R_n k⟩" and "qᵀR_{n−m}k" or, with
/// a planted mistake, for example "qᵀR_{m−n}k (planted)". R' denotes a rotation that differs from
/// the correct one.
struct SidesText {
  std::string left;
  std::string right;
};

SidesText sides_text(const VerifyOptions& options, Language language = Language::en);

/// qᵀR_{m−n}k of the given vectors in the layout of `in`: the score with the wrong sign of the
/// distance.
double wrong_sign_score(const VerifyOptions& options, const NotableCase& in);

/// Whether wrong_sign_score differs from ⟨R_m q, R_n k⟩ by more than rounding explains, in at least
/// one layout. Always true if no vectors were given or a mistake was planted.
bool tells_sign(const VerifyOptions& options, const VerifyReport& report);

}  // namespace rope
