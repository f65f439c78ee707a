// What a rotation costs, of the family `cost`.
#include <array>
#include <numeric>
#include <string>

#include "rope/claims/families/families.hpp"
#include "rope/claims/families/outcomes.hpp"
#include "rope/claims/parameters.hpp"
#include "rope/encodings/encodings.hpp"
#include "rope/error.hpp"
#include "rope/rotary/mean_rotation.hpp"
#include "rope/rotary/rotation.hpp"
#include "rope/rotary/rotation_matrix.hpp"

namespace rope::claims {
namespace rotation_cost_family {
namespace {

double flops_of(const std::string& form, const RotaryEmbedding& embedding) {
  if (form == "matrix") return static_cast<double>(matrix_flops(embedding));
  if (form == "elementwise" || form == "complex")
    return static_cast<double>(rotation_flops(embedding));
  throw DomainError("there is no form '" + form + "'");
}

/// Of one vector; less those of the form `over`, if it is given.
Outcome rotation(Parameters& given) {
  const RotaryEmbedding embedding = given.embedding();
  const double own = flops_of(given.word("form"), embedding);
  return {{given.has("over") ? own - flops_of(given.word("over"), embedding) : own}, 0};
}

/// So many times as many as of the form `over`.
Outcome times(Parameters& given) {
  const RotaryEmbedding embedding = given.embedding();
  return outcomes::rounded(
      {flops_of(given.word("form"), embedding) / flops_of(given.word("over"), embedding)});
}

/// What is left of the rotations of positions 0 … positions − 1 when one matrix stands for all.
Outcome fused(Parameters& given) {
  const Frequencies frequencies = given.embedding().frequencies;
  std::vector<std::int64_t> positions(given.count("positions"));
  std::iota(positions.begin(), positions.end(), std::int64_t{0});
  const double left = distance_from_mean_rotation(frequencies, positions);
  const double square =
      static_cast<double>(positions.size() + frequencies.pairs() + 8) * 4 * outcomes::kRoundoff;
  // √ is off by δ/√x where x is by δ; by √δ where x is no more than that.
  return {{left}, left * left > square ? square / left : 2 * std::sqrt(square)};
}

constexpr std::array kQuantities = {
    Quantity{"cost.rotation_flops", "flops of R_m x", rotation},
    Quantity{"cost.rotation_times", "ratio of flops", times},
    Quantity{"cost.fused_residual", "residual with one matrix for all positions", fused},
};

}  // namespace
}  // namespace rotation_cost_family

std::span<const Quantity> rotation_cost_quantities() { return rotation_cost_family::kQuantities; }

}  // namespace rope::claims
