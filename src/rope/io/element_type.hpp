#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace rope::io {

/// The type of the elements of a tensor in a file. bfloat16 is the upper half of a float32.
enum class ElementType {
  float64,
  float32,
  float16,
  bfloat16,
  int64,
  int32,
  int16,
  int8,
  uint64,
  uint32,
  uint16,
  uint8,
  boolean,
};

/// Bytes of one element.
std::size_t size_of(ElementType type);

/// "float32", "bfloat16", "int64" …: the names that NumPy and PyTorch use.
std::string_view name(ElementType type);

bool is_floating(ElementType type);

/// The elements as doubles.
///
/// Shapes    bytes: values.size() elements, little-endian, one after the other.
/// Accuracy  exact, except for integers beyond 2^53, which are rounded to nearest. NaN keeps its
///           sign and whatever payload it has.
void decode(ElementType type, const char* bytes, std::span<double> values);

/// The elements of an integer type.
///
/// Throws    rope::DomainError if an unsigned element is above 2^63 − 1. Not for floating types.
void decode(ElementType type, const char* bytes, std::span<std::int64_t> values);

/// Writes doubles as elements of a floating type: each becomes the nearest number of that type,
/// with ties to even, and values beyond the largest become infinity. Not for integer types.
///
/// Shapes    bytes: room for values.size() elements, little-endian, one after the other.
/// Source    IEEE 754-2019, §4.3.1 roundTiesToEven.
void encode(ElementType type, std::span<const double> values, char* bytes);

/// Reverses the bytes of every element: big-endian to little-endian and back.
void swap_byte_order(ElementType type, std::span<char> bytes);

}  // namespace rope::io
