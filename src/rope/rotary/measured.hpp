#pragma once

// A measured error together with its bound.

namespace rope {

/// A measured error and the bound it must meet.
struct Measured {
  double error = 0;
  double bound = 0;

  /// Whether the error violates the bound. An error that is not finite violates any bound, even an
  /// infinite one, and any error violates a bound that is not a number.
  bool violated() const;

  /// Whether the bound is met but proves nothing, because it is infinite.
  bool unbounded() const;

  double ratio() const;

  /// Whether this is the worse result: a violation is worse than none, a larger ratio is worse, a
  /// NaN is worst.
  bool worse_than(const Measured& other) const;

  /// Replaces this result with the other one if that is worse, or if nothing has been measured yet.
  void keep_worse(const Measured& other);
};

}  // namespace rope
