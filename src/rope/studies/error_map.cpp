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
      some.on_axes.clear();
      for (std::size_t i = 0; i < most; ++i) {
        const std::size_t at = i * (n - 1) / (most - 1);
        some.tokens.push_back(regime.tokens[at]);
        some.positions.push_back(regime.positions[at]);
        if (!regime.on_axes.empty()) some.on_axes.push_back(regime.on_axes[at]);
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
