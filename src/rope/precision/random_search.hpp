#pragma once

#include <cstdint>
#include <optional>

#include "rope/precision/position_error.hpp"
#include "rope/random/random.hpp"

namespace rope {

/// The largest N ≤ last up to which no pair's bound exceeds the tolerance.
std::int64_t proved_up_to(const ErrorBounds& bounds, Against against, double tolerance,
                          std::int64_t last, std::size_t pairs);

/// Draws positions in window after window until an error exceeds the tolerance, and then before it.
class RandomSearch {
 public:
  /// The pipeline and its bounds must outlive the search.
  RandomSearch(const Pipeline& pipeline, const ErrorBounds& bounds, Against against);

  /// An error above the tolerance at some n from `from` to `last`, as early as one was found.
  std::optional<FoundError> first(double tolerance, std::int64_t from, std::int64_t last);

 private:
  /// `power` > 1 prefers the beginning of the window.
  std::optional<FoundError> draw(double tolerance, std::int64_t begin, std::int64_t end, int power);
  std::int64_t draw_m(std::int64_t n, int i);

  const Pipeline& pipeline_;
  const ErrorBounds& bounds_;
  Against against_;
  RandomStream random_;
};

}  // namespace rope
