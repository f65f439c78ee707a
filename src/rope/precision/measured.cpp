#include "rope/precision/measured.hpp"

#include <cmath>

#include "rope/precision/largest.hpp"

namespace rope {

bool Measured::violated() const { return !(error <= bound) || std::isinf(error); }

bool Measured::unbounded() const { return !violated() && std::isinf(bound); }

double Measured::ratio() const { return error == 0 && !std::isnan(bound) ? 0 : error / bound; }

bool Measured::worse_than(const Measured& other) const {
  if (violated() != other.violated()) return violated();
  return exceeds(ratio(), other.ratio());
}

}  // namespace rope
