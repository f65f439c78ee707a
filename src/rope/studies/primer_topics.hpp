#pragma once

#include <string>
#include <utility>

#include "rope/studies/primer.hpp"

// The functions behind primer_study, one per topic: each adds its numbers to the study and returns
// its answer.

namespace rope::topics {

inline void add(PrimerStudy& study, std::string name, std::string formula, double value,
                double expected, double bound, Quantity quantity = Quantity::number) {
  study.numbers.push_back(
      {std::move(name), std::move(formula), value, expected, bound, quantity, false});
}

/// Adds a number for a wrong formula that is found in texts.
inline void add_mistaken(PrimerStudy& study, std::string name, std::string formula, double value,
                         double expected, double bound, Quantity quantity = Quantity::number) {
  study.numbers.push_back(
      {std::move(name), std::move(formula), value, expected, bound, quantity, true});
}

/// e^{iθ} computed by its series after whole turns are removed, independently of the polynomials
/// that `unit` uses. `bound`: a bound on the distance between the two results.
struct SeriesPoint {
  primer::Complex point;
  double bound = 0;
};
SeriesPoint series_point(TurnFraction turn);

ArgumentAnswer argument(const PrimerRequest& request, PrimerStudy& study);
ConjugateAnswer conjugate(const PrimerRequest& request, PrimerStudy& study);
QuarterTurnAnswer quarter_turn(const PrimerRequest& request, PrimerStudy& study);
ProductAnswer product(const PrimerRequest& request, PrimerStudy& study);
EulerAnswer euler(const PrimerRequest& request, PrimerStudy& study);
TaylorAnswer taylor(const PrimerRequest& request, PrimerStudy& study);
ExponentialsAnswer exponentials(const PrimerRequest& request, PrimerStudy& study);
HalfTurnAnswer half_turn(PrimerStudy& study);
AdditionAnswer addition(const PrimerRequest& request, PrimerStudy& study);
SpaceAnswer space(const PrimerRequest& request, PrimerStudy& study);
ReflectionAnswer reflection(const PrimerRequest& request, PrimerStudy& study);
OrthogonalAnswer orthogonal(const PrimerRequest& request, PrimerStudy& study);

}  // namespace rope::topics
