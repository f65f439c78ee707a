#include "rope/diagnose/judgement.hpp"

#include <cmath>

#include "rope/precision/largest.hpp"

namespace rope {

double Judgement::ratio() const { return bound > 0 ? error / bound : (error > 0 ? HUGE_VAL : 0); }

void Judgement::add(const Judgement& other) {
  Judgement both = elements == 0 || exceeds(other.ratio(), ratio()) ? other : *this;
  both.max_error = larger(max_error, other.max_error);
  both.elements = elements + other.elements;
  both.violations = violations + other.violations;
  both.passed = both.violations == 0;
  *this = both;
}

}  // namespace rope
