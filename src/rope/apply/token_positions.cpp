#include "rope/apply/token_positions.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "rope/error.hpp"

namespace rope {
namespace {

constexpr std::string_view kLengthsRemedy =
    "Give the lengths of the sequences that follow each other along the token axis.";

/// What to do about so many positions that they are not one per token.
std::string remedy_for_count(const std::vector<std::int64_t>& positions, const TokenAxes& axes) {
  if (std::string remedy = remedy_for_range(positions, axes.tokens); !remedy.empty()) return remedy;
  if (axes.outer > 1 || axes.inner > 1) return "Check that the token axis is the right one.";
  return axes.tokens == 1 ? "There is one vector: give one position."
                          : "Give a position for each of the " + std::to_string(axes.tokens) +
                                " vectors, or the position of the first with --start.";
}

/// start + tokens − 1.
std::int64_t last_position(std::int64_t start, std::uint64_t tokens) {
  std::int64_t last = 0;
  if (__builtin_add_overflow(start, tokens - 1, &last))
    throw DomainError(Subject{"start"},
                      "expected " + std::to_string(tokens) + " positions up to 2^63 - 1, got " +
                          std::to_string(start) + " as the first one",
                      "Positions are 64-bit integers.");
  return last;
}

/// Whether an array of such a shape holds the positions of all tokens, read in that order.
bool fits(const io::Shape& shape, AxisOrder order, const TokenAxes& axes) {
  if (shape.size() != 2 && shape.size() != 3) return false;
  const bool first = order == AxisOrder::axes_first;
  const std::uint64_t count = first ? shape.front() : shape.back();
  const std::uint64_t tokens = first ? shape.back() : shape[shape.size() - 2];
  const std::uint64_t batches = shape.size() == 2 ? 1 : shape[first ? 1 : 0];
  return count >= 2 && count <= kMaxAxes && tokens == axes.tokens &&
         (batches == 1 || batches == axes.batch || batches == axes.outer);
}

/// The order in which an array is to be read.
AxisOrder order_of(const AxisPositions& given, const TokenAxes& axes) {
  const bool tokens_first = fits(given.shape, AxisOrder::tokens_first, axes);
  const bool axes_first = fits(given.shape, AxisOrder::axes_first, axes);
  const auto wanted = [&](AxisOrder order) { return !given.order || *given.order == order; };
  const bool by_tokens = tokens_first && wanted(AxisOrder::tokens_first);
  const bool by_axes = axes_first && wanted(AxisOrder::axes_first);
  const std::string found = ", found shape " + io::shape_text(given.shape);
  const std::string tokens = std::to_string(axes.tokens);
  if (by_tokens && by_axes)
    throw DomainError(given.name + ": expected --axis-order for positions that fit " + tokens +
                          " tokens in either order" + found,
                      "[tokens, axes] is --axis-order tokens-first; [axes, tokens] is axes-first.");
  if (!by_tokens && !by_axes)
    throw ShapeError(given.name + ": expected positions for " + tokens + " tokens on 2 to " +
                         std::to_string(kMaxAxes) + " axes" + found,
                     "Shapes are [tokens, axes], [axes, tokens] and, with batches, [batch, "
                     "tokens, axes] or [axes, batch, tokens].");
  return by_tokens ? AxisOrder::tokens_first : AxisOrder::axes_first;
}

}  // namespace

std::string remedy_for_range(const std::vector<std::int64_t>& positions, std::uint64_t tokens) {
  const auto goes_on = [](std::int64_t one, std::int64_t next) {
    return next <= one || next - 1 != one;
  };
  if (positions.size() != tokens + 1 || tokens <= 1 ||
      std::ranges::adjacent_find(positions, goes_on) != positions.end())
    return {};
  return "A:B includes both ends: " + std::to_string(positions.front()) + ":" +
         std::to_string(positions.front() + static_cast<std::int64_t>(tokens) - 1) + " is " +
         std::to_string(tokens) + " positions.";
}

TokenAxes token_axes(const io::Shape& shape, std::int64_t token_axis, const std::string& name) {
  if (shape.empty() || shape.back() == 0)
    throw ShapeError(
        name + ": expected vectors along the last axis, found shape " + io::shape_text(shape),
        "The last axis is the head: [tokens, heads, head_dim].");
  TokenAxes axes;
  axes.head_dim = shape.back();
  if (shape.size() == 1 && (token_axis == 0 || token_axis == -1)) return axes;
  const auto count = static_cast<std::int64_t>(shape.size());
  const std::int64_t axis = token_axis < 0 ? token_axis + count : token_axis;
  if (axis < 0 || axis >= count - 1)
    throw ShapeError(name + ": expected a token axis before the last axis of shape " +
                         io::shape_text(shape) + ", found axis " + std::to_string(token_axis),
                     "Axes are counted from 0, or from the end: -2 is the last but one. The last "
                     "axis is the head.");
  const auto at = shape.begin() + axis;
  for (auto size = shape.begin(); size != at; ++size) axes.outer *= *size;
  if (axis > 0) axes.batch = shape.front();
  axes.tokens = *at;
  for (auto size = at + 1; size != shape.end() - 1; ++size) axes.inner *= *size;
  return axes;
}

TokenPositions TokenPositions::counted(std::int64_t start, std::uint64_t tokens) {
  TokenPositions positions;
  positions.start_ = start;
  positions.tokens_ = tokens;
  if (tokens > 0) {
    positions.smallest_ = start;
    positions.largest_ = last_position(start, tokens);
  }
  return positions;
}

TokenPositions TokenPositions::packed(const std::vector<std::int64_t>& lengths, std::int64_t start,
                                      std::uint64_t tokens) {
  std::uint64_t end = 0, longest = 0;
  TokenPositions positions;
  for (const std::int64_t length : lengths) {
    if (length < 0)
      throw ShapeError(Subject{"lengths"},
                       "expected integers of at least 0, got " + std::to_string(length),
                       std::string(kLengthsRemedy));
    const auto size = static_cast<std::uint64_t>(length);
    if (size > tokens - end)
      throw ShapeError(
          Subject{"lengths"},
          "expected a sum of " + std::to_string(tokens) + ", the number of tokens, got more",
          std::string(kLengthsRemedy));
    end += size;
    longest = std::max(longest, size);
    positions.ends_.push_back(end);
  }
  if (end != tokens)
    throw ShapeError(Subject{"lengths"},
                     "expected a sum of " + std::to_string(tokens) +
                         ", the number of tokens, got " + std::to_string(end),
                     std::string(kLengthsRemedy));
  const TokenPositions one = counted(start, longest);
  positions.start_ = start;
  positions.tokens_ = tokens;
  positions.smallest_ = one.smallest_;
  positions.largest_ = one.largest_;
  return positions;
}

TokenPositions TokenPositions::listed(std::vector<std::int64_t> positions, const TokenAxes& axes) {
  if (positions.size() != axes.tokens && positions.size() != axes.batch * axes.tokens &&
      positions.size() != axes.outer * axes.tokens)
    throw ShapeError(Subject{"positions"},
                     "expected " + std::to_string(axes.tokens) + ", one per token" +
                         (axes.batch == 1 ? std::string()
                                          : ", or " + std::to_string(axes.batch * axes.tokens) +
                                                ", one per token of each batch") +
                         ", got " + std::to_string(positions.size()),
                     remedy_for_count(positions, axes));
  TokenPositions result;
  result.tokens_ = axes.tokens;
  result.outer_ = axes.outer;
  if (!positions.empty()) {
    const auto [smallest, largest] = std::minmax_element(positions.begin(), positions.end());
    result.smallest_ = *smallest;
    result.largest_ = *largest;
  }
  result.listed_ = std::move(positions);
  return result;
}

TokenPositions TokenPositions::on_axes(const AxisPositions& given, const TokenAxes& axes) {
  const AxisOrder order = order_of(given, axes);
  const io::Shape& shape = given.shape;
  TokenPositions result;
  result.tokens_ = axes.tokens;
  result.outer_ = axes.outer;
  result.axes_ = order == AxisOrder::axes_first ? shape.front() : shape.back();
  const std::size_t count = given.values.size() / result.axes_;
  std::vector<std::int64_t> one(result.axes_);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t axis = 0; axis < one.size(); ++axis)
      one[axis] =
          given.values[order == AxisOrder::axes_first ? axis * count + i : i * one.size() + axis];
    result.on_axes_.emplace_back(one);
  }
  if (!given.values.empty()) {
    const auto [smallest, largest] = std::ranges::minmax_element(given.values);
    result.smallest_ = *smallest;
    result.largest_ = *largest;
  }
  return result;
}

Position TokenPositions::at(std::uint64_t batch, std::uint64_t token) const {
  if (!on_axes_.empty()) return on_axes_[index(on_axes_.size(), batch, token)];
  if (!listed_.empty()) return listed_[index(listed_.size(), batch, token)];
  if (ends_.empty()) return start_ + static_cast<std::int64_t>(token);
  const auto end = std::upper_bound(ends_.begin(), ends_.end(), token);
  const std::uint64_t begin = end == ends_.begin() ? 0 : *(end - 1);
  return start_ + static_cast<std::int64_t>(token - begin);
}

}  // namespace rope
