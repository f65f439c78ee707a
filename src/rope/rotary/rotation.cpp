#include "rope/rotary/rotation.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <string>

#include "rope/error.hpp"

namespace rope {
namespace {

/// Applies `rotate_pair(x, y, cos, sin)` to each pair and copies what passes through.
template <class RotatePair>
void rotate_pairs(const RotaryEmbedding& embedding, const RotationRow& row,
                  std::span<const double> x, std::span<double> result, RotatePair rotate_pair) {
  check_rotation(embedding, row, x.size(), result.size());
  embedding.for_each_pair([&](std::size_t i, std::size_t first, std::size_t second) {
    const auto rotated =
        rotate_pair(std::complex<double>(x[first], x[second]), row.cos[i], row.sin[i]);
    result[first] = rotated.real();
    result[second] = rotated.imag();
  });
  for (std::size_t i = embedding.rotary_dim(); i < embedding.head_dim; ++i) result[i] = x[i];
}

}  // namespace

void set_rotation_row(const RotaryEmbedding& embedding, std::int64_t position, RotationRow& row,
                      CpuLevel level) {
  const std::size_t pairs = embedding.pairs();
  row.cos.resize(pairs);
  row.sin.resize(pairs);
  std::array<std::uint64_t, 64> turns;  // not zeroed: every entry is set before it is read
  for (std::size_t begin = 0; begin < pairs; begin += turns.size()) {
    const std::size_t count = std::min(pairs - begin, turns.size());
    // From the angle of |m|: cutting −f to 64 bits is not the mirror image of cutting f.
    for (std::size_t i = 0; i < count; ++i) {
      const TurnFraction turn = position * embedding.frequencies.turns[begin + i];
      turns[i] = (position < 0 ? -turn : turn).high;
    }
    cos_sin(std::span(turns).first(count), std::span(row.cos).subspan(begin, count),
            std::span(row.sin).subspan(begin, count), level);
  }
  if (position < 0) transpose(row);
  if (embedding.attention_factor == 1.0) return;
  for (double& value : row.cos) value *= embedding.attention_factor;
  for (double& value : row.sin) value *= embedding.attention_factor;
}

RotationRow rotation_row(const RotaryEmbedding& embedding, std::int64_t position, CpuLevel level) {
  RotationRow row;
  set_rotation_row(embedding, position, row, level);
  return row;
}

RotationRow rotation_row(const RotaryEmbedding& embedding, const Position& position,
                         CpuLevel level) {
  const Axes& axes = embedding.axes;
  if (!axes.several()) return rotation_row(embedding, position[0], level);
  const std::size_t pairs = embedding.pairs();
  if (axes.of_pair.size() < pairs)
    throw ShapeError("rotation: expected an axis for each of " + std::to_string(pairs) +
                     " pairs, got " + std::to_string(axes.of_pair.size()));
  std::vector<std::uint64_t> turns(pairs);
  for (std::size_t i = 0; i < pairs; ++i) {
    const std::int64_t at = position[axes.of_pair[i]];
    const TurnFraction turn = at * embedding.frequencies.turns[i];
    turns[i] = (at < 0 ? -turn : turn).high;
  }
  RotationRow row{std::vector<double>(pairs), std::vector<double>(pairs)};
  cos_sin(turns, row.cos, row.sin, level);
  for (std::size_t i = 0; i < pairs; ++i) {
    if (position[axes.of_pair[i]] < 0) row.sin[i] = -row.sin[i];
    if (embedding.attention_factor == 1.0) continue;
    row.cos[i] *= embedding.attention_factor;
    row.sin[i] *= embedding.attention_factor;
  }
  return row;
}

void transpose(RotationRow& row) {
  for (double& value : row.sin) value = -value;
}

void check_row(const RotaryEmbedding& embedding, const RotationRow& row) {
  if (embedding.rotary_dim() > embedding.head_dim)
    throw ShapeError("rotation: expected at most head_dim = " + std::to_string(embedding.head_dim) +
                     " rotated dimensions, got " + std::to_string(embedding.rotary_dim()));
  if (row.cos.size() != embedding.pairs() || row.sin.size() != embedding.pairs())
    throw ShapeError("rotation: expected " + std::to_string(embedding.pairs()) +
                     " cosines and sines, got " + std::to_string(row.cos.size()) + " and " +
                     std::to_string(row.sin.size()));
}

void check_rotation(const RotaryEmbedding& embedding, const RotationRow& row, std::size_t x,
                    std::size_t result) {
  check_row(embedding, row);
  if (x != embedding.head_dim || result != embedding.head_dim)
    throw ShapeError(
        "rotate: expected vectors of head_dim = " + std::to_string(embedding.head_dim) + ", got " +
        std::to_string(x) + " and " + std::to_string(result));
}

void rotate_elementwise(const RotaryEmbedding& embedding, const RotationRow& row,
                        std::span<const double> x, std::span<double> result) {
  rotate_pairs(embedding, row, x, result, [](std::complex<double> v, double c, double s) {
    return std::complex<double>(v.real() * c - v.imag() * s, v.real() * s + v.imag() * c);
  });
}

std::size_t rotation_flops(const RotaryEmbedding& embedding) { return 6 * embedding.pairs(); }

void rotate_complex(const RotaryEmbedding& embedding, const RotationRow& row,
                    std::span<const double> x, std::span<double> result) {
  rotate_pairs(embedding, row, x, result, [](std::complex<double> v, double c, double s) {
    return v * std::complex<double>(c, s);
  });
}

}  // namespace rope
