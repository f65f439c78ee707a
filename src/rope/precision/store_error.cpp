#include "rope/precision/store_error.hpp"

#include "rope/precision/rounding.hpp"

namespace rope {

StoreError store_error(const Policy& policy) {
  if (policy.store == policy.apply) return {};
  if (policy.store != Format::float8) {
    const RoundingError cast = cast_error(policy.apply, policy.store);
    return {cast.relative, 0, cast.absolute};
  }
  // fl32(fl8(fl32(x/s))·s) with s = fl32(max|x|/448), at least the smallest normal number: three
  // roundings in float32 beside the cast, each of which may underflow.
  const FormatLimits &scaled = limits(Format::float8), &single = limits(Format::float32);
  const double covered = 1 + 4 * single.unit_roundoff;
  const double smallest = scaled.underflow / 2 * covered;
  return {scaled.unit_roundoff * covered + 4 * single.unit_roundoff, smallest / scaled.largest,
          smallest * single.smallest_normal + single.underflow / 2};
}

}  // namespace rope
