#include "rope/rotary/measured.hpp"

#include <cmath>

namespace rope {

bool Measured::violated() const { return !(error <= bound) || std::isinf(error); }

bool Measured::unbounded() const { return !violated() && std::isinf(bound); }

double Measured::ratio() const { return error == 0 && !std::isnan(bound) ? 0 : error / bound; }

bool Measured::worse_than(const Measured& other) const {
  if (violated() != other.violated()) return violated();
  return !std::isnan(other.ratio()) && !(ratio() <= other.ratio());
}

void Measured::keep_worse(const Measured& other) {
  if ((error == 0 && bound == 0) || other.worse_than(*this)) *this = other;
}

}  // namespace rope
