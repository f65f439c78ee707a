#include "rope/studies/matrix_properties.hpp"

#include <utility>

#include "rope/error.hpp"
#include "rope/rotary/rotation.hpp"
#include "rope/verify/matrix_checks.hpp"

namespace rope {
namespace {

void keep_worst(PropertyResult& worst, const Measured& check, std::int64_t m,
                std::optional<std::int64_t> n = std::nullopt) {
  if (worst.check.bound != 0 && !check.worse_than(worst.check)) return;
  worst.check = check;
  worst.m = m;
  worst.n = n;
}

std::int64_t difference(std::int64_t m, std::int64_t n) {
  std::int64_t result = 0;
  if (__builtin_sub_overflow(n, m, &result))
    throw DomainError("positions: " + std::to_string(m) + " and " + std::to_string(n) +
                          " are more than 2^63 apart",
                      "Choose positions that are closer together.");
  return result;
}

}  // namespace

std::vector<PropertyResult> matrix_properties(const RotaryEmbedding& embedding,
                                              std::span<const std::int64_t> positions,
                                              const std::function<void()>& progress) {
  PropertyResult orthogonality{"orthogonality", "‖RᵀR − I‖", {}, 0, {}};
  PropertyResult determinant{"determinant", "|det R − 1|", {}, 0, {}};
  PropertyResult inverse{"inverse", "‖R⁻¹ − Rᵀ‖", {}, 0, {}};
  PropertyResult composition{"composition", "‖R_mᵀR_n − R_{n−m}‖", {}, 0, {}};
  const double factor = embedding.attention_factor;
  RotationRow previous;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const std::int64_t n = positions[i];
    RotationRow row = rotation_row(embedding, n);
    keep_worst(orthogonality, check_orthogonality(row, factor), n);
    keep_worst(determinant, check_determinant(row, factor), n);
    keep_worst(inverse, check_inverse(row, factor), n);
    if (i > 0) {
      const std::int64_t m = positions[i - 1];
      const RotationRow step = rotation_row(embedding, difference(m, n));
      keep_worst(composition, check_composition(previous, row, step, factor), m, n);
    }
    previous = std::move(row);
    if (progress) progress();
  }
  std::vector<PropertyResult> results = {orthogonality, determinant, inverse};
  if (positions.size() > 1) results.push_back(composition);
  return results;
}

}  // namespace rope
