#include "rope/studies/error_map.hpp"

#include "rope/diagnose/verdict/judge.hpp"

namespace rope {

ErrorMap error_map(const RotatedTensors& tensors, const Explanation& explanation,
                   const DiagnosisHypotheses& hypotheses, std::size_t most) {
  ErrorMap map;
  map.pairs = explanation.arrangement.pairs();
  const Judge judge(tensors, explanation.arrangement, hypotheses);
  for (const Regime& regime : explanation.regimes) {
    Regime some = regime;
    const std::size_t n = regime.tokens.size();
    if (n > most) {
      some.tokens.clear();
      some.positions.clear();
      for (std::size_t i = 0; i < most; ++i) {
        some.tokens.push_back(regime.tokens[i * (n - 1) / (most - 1)]);
        some.positions.push_back(regime.positions[i * (n - 1) / (most - 1)]);
      }
    }
    const std::vector<double> errors = judge.error_map(some);
    map.errors.insert(map.errors.end(), errors.begin(), errors.end());
    map.tokens.insert(map.tokens.end(), some.tokens.begin(), some.tokens.end());
    map.positions.insert(map.positions.end(), some.positions.begin(), some.positions.end());
  }
  return map;
}

}  // namespace rope
