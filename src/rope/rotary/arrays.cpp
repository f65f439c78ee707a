#include "rope/rotary/arrays.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "rope/error.hpp"
#include "rope/rotary/rotation.hpp"

namespace rope {
namespace {

constexpr char kPacked = 'h';  // an axis (HD)

/// One letter an axis, capital but for (HD).
std::string letters_of(std::string_view order) {
  std::string letters;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (order.substr(i, 4) == "(HD)") {
      letters += kPacked;
      i += 3;
    } else {
      letters += order[i];
    }
  }
  return letters;
}

/// Whether each letter is one of those known, stands once, and tokens and numbers are counted.
bool are_axes(const std::string& letters) {
  const auto count = [&](char letter) { return std::ranges::count(letters, letter); };
  const bool known = std::ranges::all_of(letters, [&](char letter) {
    return std::string_view("BTHDh").find(letter) != std::string_view::npos && count(letter) == 1;
  });
  const bool packed = count(kPacked) == 1;
  return known && count('T') == 1 && (packed ? count('H') + count('D') == 0 : count('D') == 1);
}

template <typename Number>
std::vector<Number> rotated(const RotaryEmbedding& embedding, const ArrayAxes& axes,
                            std::span<const Number> x, std::span<const std::int64_t> positions) {
  axes.check("x", x.size());
  const std::size_t d = embedding.head_dim;
  std::vector<ArrayVector> vectors = axes.vectors(d, positions.size());
  std::ranges::stable_sort(vectors, std::less<>(), &ArrayVector::position);  // one row for each
  std::vector<Number> result(x.size());
  std::vector<double> given(d), turned(d);
  RotationRow row;
  std::size_t at = positions.size();
  for (const ArrayVector& vector : vectors) {
    if (vector.position != at) {
      at = vector.position;
      set_rotation_row(embedding, positions[at], row);
    }
    for (std::size_t i = 0; i < d; ++i)
      given[i] = static_cast<double>(x[vector.start + i * vector.step]);
    rotate_elementwise(embedding, row, given, turned);
    for (std::size_t i = 0; i < d; ++i)
      result[vector.start + i * vector.step] = static_cast<Number>(turned[i]);
  }
  return result;
}

}  // namespace

ArrayAxes::ArrayAxes(std::string_view order, std::vector<std::size_t> lengths)
    : order_(order), lengths_(std::move(lengths)), letters_(letters_of(order)) {
  if (!are_axes(letters_))
    throw ShapeError(
        Subject{"axes"},
        "expected each of T and D once, and B and H at most once, got \"" + order_ + "\"",
        "Write \"BHTD\" for [batch, heads, tokens, head_dim], and \"T(HD)\" if the heads of a "
        "token are packed into the last axis.");
  if (lengths_.size() != letters_.size())
    throw ShapeError(Subject{"axes"},
                     "expected " + std::to_string(letters_.size()) + " lengths for \"" + order_ +
                         "\", got " + std::to_string(lengths_.size()),
                     "Give the length of each axis, outermost first.");
  std::size_t room = std::numeric_limits<std::size_t>::max();
  for (const std::size_t length : lengths_) {
    if (length == 0 || length > room)
      throw DomainError(Subject{"axes"},
                        "expected lengths of at least 1 whose product fits in memory, got " +
                            std::to_string(length),
                        "Leave out axes that the array does not have: \"THD\" is one sequence.");
    room /= length;
  }
}

std::size_t ArrayAxes::numbers() const {
  return std::accumulate(lengths_.begin(), lengths_.end(), std::size_t{1}, std::multiplies<>());
}

std::size_t ArrayAxes::place(char letter) const {
  std::size_t at = letters_.find(letter);
  if (at == std::string::npos && (letter == 'H' || letter == 'D')) at = letters_.find(kPacked);
  return std::min(at, letters_.size());
}

std::size_t ArrayAxes::rows() const {
  const std::size_t at = place('B');
  return at < lengths_.size() ? lengths_[at] : 1;
}

std::size_t ArrayAxes::tokens() const { return lengths_[place('T')]; }

bool ArrayAxes::packed() const { return letters_.find(kPacked) != std::string::npos; }

std::vector<ArrayVector> ArrayAxes::vectors(std::size_t head_dim, std::size_t positions) const {
  const std::size_t inner = place('D'), length = lengths_[inner];
  if (head_dim == 0 || (packed() ? length % head_dim != 0 : length != head_dim))
    throw ShapeError(Subject{"axes"},
                     "expected " +
                         (packed() ? "an axis (HD) of whole heads of " + std::to_string(head_dim)
                                   : "D = head_dim = " + std::to_string(head_dim)) +
                         ", got " + std::to_string(length),
                     "Is this the right embedding for these vectors?");
  const bool each_row = positions == rows() * tokens() && rows() > 1;
  if (!each_row && positions != tokens())
    throw ShapeError(
        Subject{"positions"},
        "expected one for each of " + std::to_string(tokens()) + " tokens" +
            (rows() > 1 ? ", or one for each token of " + std::to_string(rows()) + " rows"
                        : std::string()) +
            ", got " + std::to_string(positions),
        "The length of axis T is the number of tokens.");
  // Every axis but that of D, outermost first; heads of (HD) stand where that axis does.
  std::vector<std::size_t> counts = lengths_, strides(lengths_.size(), 1);
  for (std::size_t i = strides.size(); i-- > 1;) strides[i - 1] = strides[i] * lengths_[i];
  const std::size_t step = strides[inner];
  counts[inner] = packed() ? length / head_dim : 1;
  strides[inner] *= head_dim;
  const std::size_t batch = place('B'), token = place('T');
  std::vector<ArrayVector> all(numbers() / head_dim);
  std::vector<std::size_t> index(counts.size(), 0);
  for (ArrayVector& vector : all) {
    vector.step = step;
    for (std::size_t i = 0; i < index.size(); ++i) vector.start += index[i] * strides[i];
    vector.position = index[token] + (each_row ? index[batch] * tokens() : 0);
    for (std::size_t i = index.size(); i-- > 0 && ++index[i] == counts[i];) index[i] = 0;
  }
  return all;
}

void ArrayAxes::check(std::string_view what, std::size_t numbers) const {
  const std::size_t own = ArrayAxes::numbers();
  if (numbers == own) return;
  std::string shape;
  for (const std::size_t length : lengths_)
    shape.append(shape.empty() ? "" : "·").append(std::to_string(length));
  throw ShapeError(Subject{std::string(what)},
                   "expected " + shape + " = " + std::to_string(own) + " numbers for \"" + order_ +
                       "\", got " + std::to_string(numbers),
                   "Give the lengths of the array as it is in memory, row-major.");
}

std::vector<float> rotate_array(const RotaryEmbedding& embedding, const ArrayAxes& axes,
                                std::span<const float> x, std::span<const std::int64_t> positions) {
  return rotated(embedding, axes, x, positions);
}

std::vector<double> rotate_array(const RotaryEmbedding& embedding, const ArrayAxes& axes,
                                 std::span<const double> x,
                                 std::span<const std::int64_t> positions) {
  return rotated(embedding, axes, x, positions);
}

}  // namespace rope
