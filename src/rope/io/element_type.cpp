#include "rope/io/element_type.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "rope/error.hpp"

namespace rope::io {
namespace {

static_assert(std::endian::native == std::endian::little, "elements are copied as they are");
static_assert(sizeof(bool) == 1);

struct Description {
  std::string_view name;
  std::size_t size;
};

/// In the order of the enumerators.
constexpr std::array<Description, 13> kDescriptions = {{{"float64", 8},
                                                        {"float32", 4},
                                                        {"float16", 2},
                                                        {"bfloat16", 2},
                                                        {"int64", 8},
                                                        {"int32", 4},
                                                        {"int16", 2},
                                                        {"int8", 1},
                                                        {"uint64", 8},
                                                        {"uint32", 4},
                                                        {"uint16", 2},
                                                        {"uint8", 1},
                                                        {"bool", 1}}};

const Description& describe(ElementType type) {
  return kDescriptions.at(static_cast<std::size_t>(type));
}

template <typename Element>
Element load(const char* bytes, std::size_t index) {
  Element element;
  std::memcpy(&element, bytes + index * sizeof element, sizeof element);
  return element;
}

template <typename Element>
void store(Element element, char* bytes, std::size_t index) {
  std::memcpy(bytes + index * sizeof element, &element, sizeof element);
}

template <typename Element, typename Value>
void convert(const char* bytes, std::span<Value> values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<Value>(load<Element>(bytes, i));  // NOLINT(bugprone-signed-char-misuse)
}

/// A binary format of 16 bits: sign, exponent, and `Fraction` bits of significand behind the point.
template <int Fraction, int Bias>
struct Binary16Bits {
  static constexpr int kCut = 52 - Fraction;  // bits of a double's fraction that it lacks
  static constexpr std::uint64_t kExponentShift = std::uint64_t{1023 - Bias} << 52U;
  static constexpr std::uint64_t kInfinity = (std::uint64_t{2 * Bias + 1} << Fraction);
  static constexpr std::uint64_t kQuiet = std::uint64_t{1} << (Fraction - 1);

  static double value(std::uint16_t bits) {
    const std::uint64_t sign = std::uint64_t{bits & 0x8000U} << 48U;
    const std::uint64_t magnitude = bits & 0x7FFFU;
    if (magnitude >= kInfinity) {
      const std::uint64_t fraction = (magnitude - kInfinity) << kCut;
      return std::bit_cast<double>(sign | (std::uint64_t{0x7FF} << 52U) | fraction);
    }
    // As a double of the same fields this is the number times 2^(Bias − 1023), subnormal or not.
    const auto scaled = std::bit_cast<double>(magnitude << kCut);
    const auto factor = std::bit_cast<double>((std::uint64_t{2 * 1023 - Bias}) << 52U);
    return std::copysign(scaled * factor, std::bit_cast<double>(sign | (std::uint64_t{1} << 52U)));
  }

  static std::uint16_t nearest(double value) {
    const auto all = std::bit_cast<std::uint64_t>(value);
    const std::uint64_t sign = (all >> 48U) & 0x8000U;
    return static_cast<std::uint16_t>(sign | magnitude(all & ~(std::uint64_t{1} << 63U)));
  }

 private:
  static std::uint64_t magnitude(std::uint64_t bits) {
    const auto positive = std::bit_cast<double>(bits);
    if (std::isnan(positive)) {
      const std::uint64_t payload = (bits >> kCut) & (2 * kQuiet - 1);
      return kInfinity | payload | (payload == 0 ? kQuiet : 0);
    }
    const auto smallest_normal = std::bit_cast<double>(std::uint64_t{1024 - Bias} << 52U);
    if (positive < smallest_normal) {
      // The sum's last bit is the format's: the addition rounds, and the fraction is the answer.
      const auto shift = std::bit_cast<double>(std::uint64_t{1024 - Bias + kCut} << 52U);
      return std::bit_cast<std::uint64_t>(positive + shift) - std::bit_cast<std::uint64_t>(shift);
    }
    // Half of what is cut off, less one bit unless the last bit that stays is odd: ties to even.
    const std::uint64_t half = std::uint64_t{1} << (kCut - 1);
    const std::uint64_t rounded = bits + (half - 1) + ((bits >> kCut) & 1U);
    return std::min((rounded - kExponentShift) >> kCut, kInfinity);
  }
};

using Half = Binary16Bits<10, 15>;
using Bfloat = Binary16Bits<7, 127>;

template <typename Format>
void decode_narrow(const char* bytes, std::span<double> values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = Format::value(load<std::uint16_t>(bytes, i));
}

template <typename Format>
void encode_narrow(std::span<const double> values, char* bytes) {
  for (std::size_t i = 0; i < values.size(); ++i) store(Format::nearest(values[i]), bytes, i);
}

void check_range(const char* bytes, std::size_t count) {
  constexpr auto kLargest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = load<std::uint64_t>(bytes, i);
    if (value > kLargest)
      throw DomainError("expected integers up to 2^63 - 1, found " + std::to_string(value));
  }
}

template <typename Value>
void decode_integers(ElementType type, const char* bytes, std::span<Value> values) {
  switch (type) {
    case ElementType::int64:
      return convert<std::int64_t>(bytes, values);
    case ElementType::int32:
      return convert<std::int32_t>(bytes, values);
    case ElementType::int16:
      return convert<std::int16_t>(bytes, values);
    case ElementType::int8:
      return convert<std::int8_t>(bytes, values);
    case ElementType::uint64:
      return convert<std::uint64_t>(bytes, values);
    case ElementType::uint32:
      return convert<std::uint32_t>(bytes, values);
    case ElementType::uint16:
      return convert<std::uint16_t>(bytes, values);
    default:
      return convert<std::uint8_t>(bytes, values);
  }
}

}  // namespace

std::size_t size_of(ElementType type) { return describe(type).size; }

std::string_view name(ElementType type) { return describe(type).name; }

bool is_floating(ElementType type) { return type <= ElementType::bfloat16; }

void decode(ElementType type, const char* bytes, std::span<double> values) {
  switch (type) {
    case ElementType::float64:
      return convert<double>(bytes, values);
    case ElementType::float32:
      return convert<float>(bytes, values);
    case ElementType::float16:
      return decode_narrow<Half>(bytes, values);
    case ElementType::bfloat16:
      return decode_narrow<Bfloat>(bytes, values);
    default:
      return decode_integers(type, bytes, values);
  }
}

void decode(ElementType type, const char* bytes, std::span<std::int64_t> values) {
  if (is_floating(type))
    throw DomainError("expected integers, found elements of type " + std::string(name(type)));
  if (type == ElementType::uint64) check_range(bytes, values.size());
  decode_integers(type, bytes, values);
}

void encode(ElementType type, std::span<const double> values, char* bytes) {
  switch (type) {
    case ElementType::float64:
      if (!values.empty()) std::memcpy(bytes, values.data(), values.size_bytes());
      return;
    case ElementType::float32:
      for (std::size_t i = 0; i < values.size(); ++i)
        store(static_cast<float>(values[i]), bytes, i);
      return;
    case ElementType::float16:
      return encode_narrow<Half>(values, bytes);
    case ElementType::bfloat16:
      return encode_narrow<Bfloat>(values, bytes);
    default:
      throw DomainError("expected a floating-point type to write, found " +
                        std::string(name(type)));
  }
}

void swap_byte_order(ElementType type, std::span<char> bytes) {
  const std::size_t size = size_of(type);
  if (size == 1) return;
  for (std::size_t start = 0; start + size <= bytes.size(); start += size) {
    const auto element = bytes.subspan(start, size);
    std::reverse(element.begin(), element.end());
  }
}

}  // namespace rope::io
