#pragma once

// An error beside its bound.

namespace rope {

/// A measured error beside the bound it must meet.
struct Measured {
  double error = 0;
  double bound = 0;

  /// An error that is no finite number meets no bound, not even an infinite one, and a bound that
  /// is no number is met by none.
  bool violated() const;

  /// Met, and yet nothing is proven: every error would have met it.
  bool unbounded() const;

  double ratio() const;

  /// Whether this says worse of what was measured: a violation more than none, a larger ratio, a
  /// NaN more than any.
  bool worse_than(const Measured& other) const;

  /// Becomes the other if that is worse, or if nothing was measured yet.
  void keep_worse(const Measured& other);
};

}  // namespace rope
