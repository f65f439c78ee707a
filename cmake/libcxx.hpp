#pragma once

#define _LIBCPP_ENABLE_CXX17_REMOVED_UNARY_BINARY_FUNCTION  // Boost 1.74 asks for it

// What C++20 has and libc++ lacks, as far as this project uses it: until version 20, to read a
// double; the libc++ 13 of Debian's emscripten, much more. Read before every source (-include)
// where the standard library is libc++; no other build sees it.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace std {

#if _LIBCPP_VERSION < 200000

/// The longest number that has the form of from_chars is read by strtod, which rounds right but
/// takes more forms.
inline from_chars_result from_chars(const char* first, const char* last, double& value) {
  const char* end = first;
  const auto digits = [&] {
    const char* const from = end;
    while (end != last && *end >= '0' && *end <= '9') ++end;
    return end != from;
  };
  const auto word = [&](string_view expected) {
    if (static_cast<size_t>(last - end) < expected.size()) return false;
    for (size_t i = 0; i < expected.size(); ++i)
      if ((end[i] | 0x20) != expected[i]) return false;
    end += expected.size();
    return true;
  };
  if (end != last && *end == '-') ++end;
  if (word("infinity") || word("inf") || word("nan")) {
    value = strtod(string(first, end).c_str(), nullptr);
    return {end, errc()};
  }
  const bool whole = digits();
  const char* const point = end;
  if (end != last && *end == '.') ++end;
  if (!digits() && !whole) return {first, errc::invalid_argument};
  if (end == point + 1 && !whole) return {first, errc::invalid_argument};
  const char* const mantissa = end;
  if (end != last && (*end | 0x20) == 'e') {
    ++end;
    if (end != last && (*end == '+' || *end == '-')) ++end;
    if (!digits()) end = mantissa;
  }
  const string text(first, end);
  const double read = strtod(text.c_str(), nullptr);
  const bool zero =
      text.substr(0, static_cast<size_t>(mantissa - first)).find_first_of("123456789") ==
      string::npos;
  if (isinf(read) || (read == 0 && !zero)) return {end, errc::result_out_of_range};
  value = read;
  return {end, errc()};
}

#endif
#if _LIBCPP_VERSION < 16000

template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}

template <class Object>
unique_ptr<Object> make_unique_for_overwrite() {
  return unique_ptr<Object>(new Object);
}

inline to_chars_result to_chars(char* first, char* last, double value, chars_format, int digits) {
  return {first + snprintf(first, static_cast<size_t>(last - first), "%.*g", digits, value),
          errc()};
}

/// The fewest digits that read back as the value, written in the shorter way.
inline to_chars_result to_chars(char* first, char* last, double value) {
  char text[32];
  int digits = 0;
  do snprintf(text, sizeof text, "%.*e", digits, value);
  while (strtod(text, nullptr) != value && ++digits < 17);
  const int exponent = isfinite(value) && value != 0 ? atoi(strchr(text, 'e') + 1) : 0;
  const auto size = static_cast<size_t>(last - first);
  const int fixed = snprintf(first, size, "%.*f", max(digits - exponent, 0), value);
  if (isfinite(value) && static_cast<size_t>(fixed) <= strlen(text)) return {first + fixed, errc()};
  return {first + snprintf(first, size, "%s",
                           isfinite(value) ? text
                           : isnan(value)  ? "nan"
                           : value < 0     ? "-inf"
                                           : "inf"),
          errc()};
}

namespace ranges {

template <class Range>
concept has_ends = requires(Range&& range) {
  std::begin(range);
  std::end(range);
};

/// The first of its arguments as a range again, where a call names both ends.
template <class Iterator>
struct between {
  Iterator first, last;
  Iterator begin() const { return first; }
  Iterator end() const { return last; }
};

/// The function of one or two elements that applies it to their projections.
template <class Function, class Projection>
constexpr auto projected(Function& function, Projection& projection) {
  return [&](auto&&... elements) -> decltype(auto) {
    return std::invoke(function,
                       std::invoke(projection, std::forward<decltype(elements)>(elements))...);
  };
}

#define ROPE_OF_PREDICATE(name)                                                             \
  template <has_ends Range, class Predicate, class Projection = identity>                   \
  constexpr auto name(Range&& range, Predicate predicate, Projection projection = {}) {     \
    return std::name(std::begin(range), std::end(range), projected(predicate, projection)); \
  }
ROPE_OF_PREDICATE(all_of)
ROPE_OF_PREDICATE(any_of)
ROPE_OF_PREDICATE(none_of)
ROPE_OF_PREDICATE(find_if)
ROPE_OF_PREDICATE(count_if)
ROPE_OF_PREDICATE(partition_point)
#undef ROPE_OF_PREDICATE

#define ROPE_OF_ORDER(name)                                                             \
  template <has_ends Range, class Less = less, class Projection = identity>             \
  constexpr auto name(Range&& range, Less order = {}, Projection projection = {}) {     \
    return std::name(std::begin(range), std::end(range), projected(order, projection)); \
  }
ROPE_OF_ORDER(sort)
ROPE_OF_ORDER(stable_sort)
ROPE_OF_ORDER(is_sorted)
ROPE_OF_ORDER(max_element)
ROPE_OF_ORDER(min_element)
ROPE_OF_ORDER(minmax_element)
#undef ROPE_OF_ORDER

template <class Iterator, class Less = less, class Projection = identity>
constexpr auto min_element(Iterator first, Iterator last, Less order = {},
                           Projection projection = {}) {
  return std::min_element(first, last, projected(order, projection));
}

template <has_ends Range>
constexpr auto min(Range&& range) {
  return *std::min_element(std::begin(range), std::end(range));
}
template <has_ends Range>
constexpr auto max(Range&& range) {
  return *std::max_element(std::begin(range), std::end(range));
}
template <has_ends Range>
constexpr auto minmax(Range&& range) {
  const auto [least, most] = ranges::minmax_element(range);
  return std::pair(*least, *most);
}

template <has_ends Range, class Value, class Projection = identity>
constexpr auto find(Range&& range, const Value& value, Projection projection = {}) {
  const auto same = [&](const auto& element) { return element == value; };
  return std::find_if(std::begin(range), std::end(range), projected(same, projection));
}
template <has_ends Range, class Value, class Projection = identity>
constexpr auto count(Range&& range, const Value& value, Projection projection = {}) {
  const auto same = [&](const auto& element) { return element == value; };
  return std::count_if(std::begin(range), std::end(range), projected(same, projection));
}
template <has_ends Range, class Same = equal_to>
constexpr auto adjacent_find(Range&& range, Same same = {}) {
  return std::adjacent_find(std::begin(range), std::end(range), same);
}
template <has_ends Range, class Value, class Less = less, class Projection = identity>
constexpr auto lower_bound(Range&& range, const Value& value, Less order = {},
                           Projection projection = {}) {
  return std::lower_bound(std::begin(range), std::end(range), value,
                          [&](const auto& element, const auto& other) {
                            return std::invoke(order, std::invoke(projection, element), other);
                          });
}
template <has_ends Range, class Value, class Less = less, class Projection = identity>
constexpr auto upper_bound(Range&& range, const Value& value, Less order = {},
                           Projection projection = {}) {
  return std::upper_bound(std::begin(range), std::end(range), value,
                          [&](const auto& other, const auto& element) {
                            return std::invoke(order, other, std::invoke(projection, element));
                          });
}
template <has_ends Range, class Value>
constexpr bool binary_search(Range&& range, const Value& value) {
  return std::binary_search(std::begin(range), std::end(range), value);
}
template <has_ends Range, class Iterator>
constexpr void nth_element(Range&& range, Iterator nth) {
  std::nth_element(std::begin(range), nth, std::end(range));
}

template <has_ends Left, has_ends Right, class Same = equal_to>
constexpr bool equal(Left&& left, Right&& right, Same same = {}) {
  return std::equal(std::begin(left), std::end(left), std::begin(right), std::end(right), same);
}
template <class Iterator, class Sought>
constexpr auto find_first_of(Iterator first, Iterator last, Sought begin, Sought end) {
  return std::find_first_of(first, last, begin, end);
}
template <has_ends Range>
constexpr void reverse(Range&& range) {
  std::reverse(std::begin(range), std::end(range));
}
template <has_ends Range, has_ends Part>
constexpr bool includes(Range&& range, Part&& part) {
  return std::includes(std::begin(range), std::end(range), std::begin(part), std::end(part));
}
template <has_ends Range, class Output>
constexpr auto copy(Range&& range, Output output) {
  return std::copy(std::begin(range), std::end(range), output);
}
template <has_ends Range, class Output>
constexpr auto move(Range&& range, Output output) {
  return std::move(std::begin(range), std::end(range), output);
}
template <has_ends Range, class Output, class Predicate>
constexpr auto copy_if(Range&& range, Output output, Predicate predicate) {
  return std::copy_if(std::begin(range), std::end(range), output, predicate);
}
template <class Iterator, class Output>
constexpr auto copy_backward(Iterator first, Iterator last, Output output) {
  return std::copy_backward(first, last, output);
}
template <has_ends Range, class Output, class Function>
constexpr auto transform(Range&& range, Output output, Function function) {
  return std::transform(std::begin(range), std::end(range), output, function);
}
template <has_ends Range, class Value>
constexpr void fill(Range&& range, const Value& value) {
  std::fill(std::begin(range), std::end(range), value);
}
template <has_ends Range, class Value>
constexpr void replace(Range&& range, const Value& old, const Value& value) {
  std::replace(std::begin(range), std::end(range), old, value);
}
template <has_ends Range, class Function>
constexpr void for_each(Range&& range, Function function) {
  std::for_each(std::begin(range), std::end(range), function);
}

}  // namespace ranges

#endif
}  // namespace std
