#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rope::io {

struct JsonField;

/// A value of a document to write: {{"base", 10000.0}, {"pairs", {…}}}. All types with a
/// counterpart in JSON convert implicitly, and std::nullopt becomes null. Numbers and texts are
/// stored as the text to be written, which copies share. A document that was read is an io::Json
/// instead.
///
/// Accuracy  a double is the shortest text that reads back to the same bits, and always a
///           floating-point number (1.0, not 1).
/// Edge      NaN and infinities, which JSON does not have, become null. Bytes that are not UTF-8
///           become U+FFFD, and characters that would control a terminal are written as \uNNNN.
class JsonValue {
 public:
  JsonValue() : JsonValue(Leaf{"null", true}) {}
  JsonValue(std::nullptr_t /*null*/) : JsonValue() {}
  JsonValue(std::nullopt_t /*null*/) : JsonValue() {}
  JsonValue(double value);
  JsonValue(std::string_view text);
  JsonValue(const std::string& text) : JsonValue(std::string_view(text)) {}
  JsonValue(const char* text) : JsonValue(std::string_view(text)) {}
  JsonValue(std::same_as<bool> auto value) : JsonValue(Leaf{value ? "true" : "false", false}) {}
  template <std::integral Integer>
  requires(!std::same_as<Integer, bool>) JsonValue(Integer value)
      : JsonValue(Whole{value < 0, static_cast<std::uint64_t>(value)}) {}

  template <typename Value>
  JsonValue(const std::optional<Value>& value) {
    *this = value ? JsonValue(*value) : JsonValue();
  }

  /// An array. If it contains only numbers and nulls, it is written on one line.
  JsonValue(std::vector<JsonValue> elements);
  JsonValue(std::span<const double> numbers);
  JsonValue(const std::vector<double>& numbers) : JsonValue(std::span(numbers)) {}
  JsonValue(std::span<const std::int64_t> numbers);
  JsonValue(const std::vector<std::int64_t>& numbers) : JsonValue(std::span(numbers)) {}
  template <typename Value>
  JsonValue(const std::vector<Value>& values)
      : JsonValue(std::vector<JsonValue>(values.begin(), values.end())) {}

  /// An object.
  JsonValue(std::initializer_list<JsonField> fields);
  template <typename Value, typename Less>
  JsonValue(const std::map<std::string, Value, Less>& fields) : JsonValue(object()) {
    for (const auto& [name, value] : fields) add(name, value);
  }
  template <typename Value>
  JsonValue(const std::vector<std::pair<std::string, Value>>& fields) : JsonValue(object()) {
    for (const auto& [name, value] : fields) add(name, value);
  }

  /// An object without fields.
  static JsonValue object() { return std::initializer_list<JsonField>(); }

  /// Adds a field to an object. No name may occur twice.
  void add(std::string_view name, JsonValue value);

  /// Adds the fields of another object.
  void add(JsonValue object);

  /// The document, indented by two spaces per level, with a final newline.
  std::string document() const;

 private:
  struct Leaf {
    std::string text;
    bool on_one_line;
  };
  struct Whole {
    bool negative;
    std::uint64_t bits;
  };
  explicit JsonValue(Whole value);
  explicit JsonValue(Leaf leaf);

  void append_to(std::string& out, std::size_t level) const;
  std::size_t leaf_bytes() const;

  std::shared_ptr<const Leaf> leaf_;  // null for an array or an object
  bool is_object_ = false;
  std::vector<std::string> names_;  // of an object, in quotes
  std::vector<JsonValue> elements_;
};

struct JsonField {
  std::string_view name;
  JsonValue value;
};

/// An array of the results of `make` for each element; `make` may be a pointer to a member.
template <typename Range, typename Make>
JsonValue json_list(const Range& range, Make make) {
  std::vector<JsonValue> elements;
  elements.reserve(std::size(range));
  for (const auto& element : range) elements.emplace_back(std::invoke(make, element));
  return elements;
}

}  // namespace rope::io
