#include "rope/encodings/encoding.hpp"

#include <array>
#include <charconv>

#include "rope/error.hpp"
#include "rope/rotary/unseen_angles.hpp"

namespace rope {

void check_tokens(const Tokens& tokens, std::size_t head_dim) {
  if (tokens.vectors.cols() != static_cast<Eigen::Index>(head_dim))
    throw ShapeError(Subject{"tokens"},
                     "expected vectors of head_dim = " + std::to_string(head_dim) + ", got " +
                         std::to_string(tokens.vectors.cols()));
  if (tokens.vectors.rows() != static_cast<Eigen::Index>(tokens.positions.size()))
    throw ShapeError(Subject{"tokens"},
                     "expected a position for each of " + std::to_string(tokens.vectors.rows()) +
                         " vectors, got " + std::to_string(tokens.positions.size()));
  for (const std::int64_t position : tokens.positions)
    if (position < -kMaxTokenPosition || position > kMaxTokenPosition)
      throw DomainError(Subject{"tokens"}, "expected positions below 2^62 in magnitude, got " +
                                               std::to_string(position));
}

std::string rounded_text(double value, int digits) {
  std::array<char, 64> text{};
  const auto written = std::to_chars(text.data(), text.data() + text.size(), value,
                                     std::chars_format::general, digits);
  return {text.data(), written.ptr};
}

void check_lengths(std::int64_t trained, std::int64_t length) {
  if (trained < 1 || trained > length || length > kMaxCoverageLength)
    throw DomainError(Subject{"lengths"}, "expected 1 <= trained <= length <= 2^24, got " +
                                              std::to_string(trained) + " and " +
                                              std::to_string(length));
}

}  // namespace rope
