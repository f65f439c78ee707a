#pragma once

// Writes the names of enumerators to streams. Each header that defines an enumeration includes this
// one.

#include <concepts>
#include <ostream>
#include <string_view>
#include <type_traits>

namespace rope {

/// An enumeration of this library whose values have names: name(PairLayout::half) is "half".
template <typename Value>
concept Named = std::is_enum_v<Value> && requires(Value value) {
  { name(value) } -> std::convertible_to<std::string_view>;
};

/// Writes the name, so that a failed test shows "half" and not "4-byte object <01-00 00-00>".
///
///     std::cout << rope::PairLayout::half;   // half
template <Named Value>
std::ostream& operator<<(std::ostream& out, Value value) {
  return out << std::string_view(name(value));
}

}  // namespace rope
