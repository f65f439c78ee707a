#pragma once

#include <string>

#include "rope/verify/verification.hpp"

namespace rope {

/// The two sides as they were computed: "⟨R_m q, R_n k⟩" and "qᵀR_{n−m}k", and what a planted
/// mistake makes of them: "qᵀR_{m−n}k (planted)". R' is not the right rotation.
struct SidesText {
  std::string left;
  std::string right;
};

SidesText sides_text(const VerifyOptions& options, Language language = Language::en);

/// qᵀR_{m−n}k of the vectors that were given, in the layout of `in`: what the wrong sign of the
/// distance gives.
double wrong_sign_score(const VerifyOptions& options, const NotableCase& in);

/// Whether that differs from ⟨R_m q, R_n k⟩ by more than rounding, in at least one layout. Always
/// true if no vectors were given or a mistake was planted.
bool tells_sign(const VerifyOptions& options, const VerifyReport& report);

}  // namespace rope
