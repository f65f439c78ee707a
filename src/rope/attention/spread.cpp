#include "rope/attention/spread.hpp"

#include <algorithm>
#include <limits>
#include <numbers>

#include "rope/attention/exponential.hpp"

namespace rope {

Spread spread_of(std::span<const double> scores) {
  double largest = -std::numeric_limits<double>::infinity();
  for (const double score : scores) largest = std::max(largest, score);
  // With e_j = exp(s_j − max) and S their sum, a_j = e_j/S and −ln a_j = ln S + (max − s_j).
  double sum = 0;
  double below = 0;
  for (const double score : scores) {
    const double part = exponential(score - largest);
    sum += part;
    if (part != 0) below += part * (largest - score);  // of a hidden key 0·∞
  }
  return {(logarithm(sum) + below / sum) / std::numbers::ln2, 1 / sum};
}

double most_entropy(std::size_t keys) {
  return logarithm(static_cast<double>(keys)) / std::numbers::ln2;
}

}  // namespace rope
