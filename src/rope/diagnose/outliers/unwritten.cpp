#include "rope/diagnose/outliers/unwritten.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace rope {
namespace {

enum class Written : std::uint8_t { yes, zero, same, unknown };

/// What stands in y of one vector, as its numbers alone tell.
Written written(const RotatedTensors& tensors, std::size_t row) {
  bool x_zero = true, y_zero = true, same = true;
  for (std::size_t i = row; i < row + tensors.dim && (y_zero || same); ++i) {
    const double x = tensors.x[i], y = tensors.y[i];
    x_zero = x_zero && x == 0;
    y_zero = y_zero && y == 0;
    same = same && x == y;
  }
  if (x_zero && y_zero) return Written::unknown;
  return y_zero ? Written::zero : same ? Written::same : Written::yes;
}

/// Every vector, token by token.
class Vectors {
 public:
  explicit Vectors(const RotatedTensors& tensors) : tensors_(tensors) {
    written_.reserve(tensors.tokens * tensors.lanes);
    for_each_vector(tensors, [&](std::size_t row) { written_.push_back(written(tensors, row)); });
  }

  Written at(std::size_t token, std::size_t lane) const {
    return written_[token * tensors_.lanes + lane];
  }
  bool has(Written kind) const { return std::ranges::find(written_, kind) != written_.end(); }

  /// The lanes of which every vector that tells anything is of this kind.
  std::vector<std::size_t> lanes(Written kind) const {
    std::vector<std::size_t> result;
    for (std::size_t lane = 0; lane < tensors_.lanes; ++lane) {
      std::size_t of_kind = 0, telling = 0;
      for (std::size_t t = 0; t < tensors_.tokens; ++t) {
        if (at(t, lane) != Written::unknown) ++telling;
        if (at(t, lane) == kind) ++of_kind;
      }
      if (of_kind > 0 && of_kind == telling) result.push_back(lane);
    }
    return result;
  }

  /// The tokens whose vectors are all zero, but for these lanes.
  std::vector<std::size_t> zero_tokens(const std::vector<std::size_t>& but_for) const {
    std::vector<std::size_t> result;
    for (std::size_t t = 0; t < tensors_.tokens; ++t) {
      std::size_t zeros = 0, telling = 0;
      for (std::size_t lane = 0; lane < tensors_.lanes; ++lane) {
        if (std::ranges::binary_search(but_for, lane)) continue;
        if (at(t, lane) != Written::unknown) ++telling;
        if (at(t, lane) == Written::zero) ++zeros;
      }
      if (zeros > 0 && zeros == telling) result.push_back(t);
    }
    return result;
  }

  /// Whether a lane that holds x would have changed if it turned as others do: it is not zero in a
  /// dimension that changes by more than rounding in some other vector of the token.
  bool would_have_changed(std::size_t lane) const {
    constexpr double kMoves = 0.1;  // of the size of a vector's numbers: far more than any rounding
    for (std::size_t t = 0; t < tensors_.tokens; ++t)
      for (std::size_t other = 0; other < tensors_.lanes; ++other) {
        if (at(t, other) != Written::yes) continue;
        const std::size_t row = tensors_.row(t, other), own = tensors_.row(t, lane);
        double squares = 0;
        for (std::size_t i = 0; i < tensors_.dim; ++i) squares += std::pow(tensors_.x[row + i], 2);
        const double size = std::sqrt(squares / static_cast<double>(tensors_.dim));
        for (std::size_t i = 0; i < tensors_.dim; ++i)
          if (tensors_.x[own + i] != 0 &&
              std::abs(tensors_.y[row + i] - tensors_.x[row + i]) > kMoves * size)
            return true;
      }
    return false;
  }

 private:
  const RotatedTensors& tensors_;
  std::vector<Written> written_;
};

/// All numbers below n but these, which ascend.
std::vector<std::size_t> others(std::size_t n, const std::vector<std::size_t>& but_for) {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < n; ++i)
    if (!std::ranges::binary_search(but_for, i)) result.push_back(i);
  return result;
}

}  // namespace

Unwritten unwritten_vectors(const RotatedTensors& tensors) {
  const Vectors vectors(tensors);
  Unwritten result;
  const bool some = vectors.has(Written::yes), same = vectors.has(Written::same);
  if (vectors.has(Written::zero) && (some || same)) {
    result.zero_lanes = vectors.lanes(Written::zero);
    result.zero_tokens = vectors.zero_tokens(result.zero_lanes);
  }
  if (some && same) {
    result.same_lanes = vectors.lanes(Written::same);
    std::erase_if(result.same_lanes,
                  [&](std::size_t lane) { return !vectors.would_have_changed(lane); });
  }
  return result;
}

WrittenVectors written_vectors(const RotatedTensors& tensors, const Unwritten& unwritten) {
  std::vector<std::size_t> lanes = unwritten.zero_lanes;
  lanes.insert(lanes.end(), unwritten.same_lanes.begin(), unwritten.same_lanes.end());
  std::ranges::sort(lanes);
  return {others(tensors.lanes, lanes), others(tensors.tokens, unwritten.zero_tokens)};
}

}  // namespace rope
