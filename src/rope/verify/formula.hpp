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

SidesText sides_text(const VerifyOptions& options);

}  // namespace rope
