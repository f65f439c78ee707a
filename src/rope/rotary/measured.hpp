#pragma once

// An error with its bound.

namespace rope {

/// A measured error and the bound it must meet.
struct Measured {
  double error = 0;
  double bound = 0;

  /// An error that is not finite meets no bound, not even an infinite one, and no error meets a
  /// bound that is not a number.
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
