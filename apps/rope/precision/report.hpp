#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rope/plot/figure.hpp"
#include "rope/precision/first_position.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// The errors above which first positions are asked for.
inline constexpr std::array<double, 4> kTolerances = {1e-3, 1e-2, 1e-1, 1};

/// The errors of one policy, against the identity or against exact scores.
struct PolicyErrors {
  std::vector<PositionError> errors;  ///< at the study's positions, as far as the policy's last
  std::vector<FirstPosition> first;   ///< one for each of kTolerances
};

/// What one policy does to one embedding.
struct PolicyResult {
  Policy policy;
  std::int64_t last = 0;              ///< the last position that its position format holds
  std::int64_t distinct = 0;          ///< different positions left among 0 … last of the study
  std::vector<PolicyErrors> against;  ///< one for each of PrecisionStudy::against
};

struct PrecisionStudy {
  RotaryEmbedding embedding;
  std::vector<Against> against;
  std::int64_t exhaustive = 0;  ///< up to here every m, n was looked at
  std::vector<std::int64_t> positions;
  std::vector<PolicyResult> results;
  bool by_pair = false;  ///< the picture shows the error of each pair
};

/// For each of the two questions a table of first positions and one of errors, for people.
std::string precision_report(const PrecisionStudy& study, const Console& console);

/// One row a position; worst, bound and random_rms of every policy.
std::string precision_csv(const PrecisionStudy& study);

/// Schema rope.precision/1; docs/commands.md lists its fields.
std::string precision_json(const PrecisionStudy& study);

/// Worst and random errors against position, or the error of every pair as heat maps.
plot::Figure precision_figure(const PrecisionStudy& study);

}  // namespace rope::app
