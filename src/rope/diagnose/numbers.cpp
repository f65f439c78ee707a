#include "rope/diagnose/numbers.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace rope {
namespace {

/// IEEE 754 binary16: a sign, 5 bits of exponent, 10 of significand.
float of_float16(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 0x1f, significand = bits & 0x3ff;
  const float sign = (bits & 0x8000) != 0 ? -1.0F : 1.0F;
  if (exponent == 0x1f)
    return significand != 0 ? std::numeric_limits<float>::quiet_NaN()
                            : sign * std::numeric_limits<float>::infinity();
  if (exponent == 0) return sign * std::ldexp(static_cast<float>(significand), -24);
  return sign * std::ldexp(static_cast<float>(significand + 0x400), exponent - 25);
}

/// The upper half of a float32.
float of_bfloat16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

template <typename Of>
std::vector<float> table_of(Of of) {
  std::vector<float> table(std::size_t{1} << 16);
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = of(static_cast<std::uint16_t>(i));
  return table;
}

}  // namespace

Numbers::Numbers(std::span<const double> values) : double_(values.data()), size_(values.size()) {}

Numbers::Numbers(std::span<const float> values) : single_(values.data()), size_(values.size()) {}

Numbers::Numbers(const std::vector<double>& values) : Numbers(std::span(values)) {}

Numbers::Numbers(const std::vector<float>& values) : Numbers(std::span(values)) {}

Numbers::Numbers(std::vector<double>&& values) {
  const auto kept = std::make_shared<const std::vector<double>>(std::move(values));
  double_ = kept->data();
  size_ = kept->size();
  kept_ = kept;
}

Numbers::Numbers(std::vector<float>&& values) {
  const auto kept = std::make_shared<const std::vector<float>>(std::move(values));
  single_ = kept->data();
  size_ = kept->size();
  kept_ = kept;
}

Numbers::Numbers(std::vector<double>&& values, Origins&& origins) : Numbers(std::move(values)) {
  if (!origins.lengths.empty()) origins_ = std::make_shared<const Origins>(std::move(origins));
}

Numbers::Numbers(Format format, std::vector<std::uint16_t>&& bits) {
  static const std::vector<float> float16 = table_of(of_float16), bfloat16 = table_of(of_bfloat16);
  const auto kept = std::make_shared<const std::vector<std::uint16_t>>(std::move(bits));
  bits_ = kept->data();
  of_bits_ = format == Format::float16 ? float16.data() : bfloat16.data();
  size_ = kept->size();
  kept_ = kept;
}

}  // namespace rope
