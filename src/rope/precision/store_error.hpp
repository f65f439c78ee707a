#pragma once

#include "rope/precision/policy.hpp"

namespace rope {

/// How much casting rotated vectors to the store format may change them, short of overflow: each
/// number x by relative·|x| + of_largest·max|x| + absolute, whether x is the number before the cast
/// or after.
struct StoreError {
  double relative = 0;
  double of_largest = 0;  ///< for float8, which is scaled by the largest number of the vector
  double absolute = 0;

  /// The part that does not depend on x: absolute and of_largest together.
  double flat(double largest) const { return of_largest * largest + absolute; }
};

StoreError store_error(const Policy& policy);

}  // namespace rope
