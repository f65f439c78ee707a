#include "rope/io/json_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "rope/io/number_text.hpp"
#include "rope/io/quote.hpp"

namespace rope::io {
namespace {

void append_json(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  const std::size_t start = out.size();
  append_number(out, value);
  // Without a point, -0 would read back as the integer 0.
  if (out.find_first_of(".e", start) == std::string::npos) out += ".0";
}

void append_json(std::string& out, std::int64_t value) { append_number(out, value); }

template <typename Number>
std::string list_text(std::span<const Number> numbers) {
  constexpr std::size_t kUsualSize = 20;
  std::string text = "[";
  text.reserve(numbers.size() * kUsualSize);
  for (const Number number : numbers) {
    if (text.size() > 1) text += ", ";
    append_json(text, number);
  }
  return text += ']';
}

bool needs_no_escape(char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; }

/// What a terminal would obey is spelt \uNNNN, which says the same: a document may be printed.
std::string quoted(std::string_view text) {
  if (std::ranges::all_of(text, needs_no_escape)) {
    std::string plain(text.size() + 2, '"');
    std::ranges::copy(text, plain.begin() + 1);
    return plain;
  }
  const std::string escaped =
      nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string out;
  for (std::string_view rest = escaped; !rest.empty();) {
    const FrontCharacter front = front_character(rest);
    if (front.printable) {
      out += rest.substr(0, front.bytes);
    } else {
      out += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(front.code));
    }
    rest.remove_prefix(front.bytes);
  }
  return out;
}

void start_line(std::string& out, std::size_t level) { out.append(1, '\n').append(2 * level, ' '); }

}  // namespace

JsonValue::JsonValue(Leaf leaf) : leaf_(std::make_shared<const Leaf>(std::move(leaf))) {}

JsonValue::JsonValue(double value) {
  std::string text;
  append_json(text, value);
  *this = JsonValue(Leaf{std::move(text), true});
}

JsonValue::JsonValue(std::string_view text) : JsonValue(Leaf{quoted(text), false}) {}

JsonValue::JsonValue(Whole value)
    : JsonValue(Leaf{value.negative ? fmt::format("{}", static_cast<std::int64_t>(value.bits))
                                    : fmt::format("{}", value.bits),
                     true}) {}

JsonValue::JsonValue(std::span<const double> numbers)
    : JsonValue(Leaf{list_text(numbers), false}) {}

JsonValue::JsonValue(std::span<const std::int64_t> numbers)
    : JsonValue(Leaf{list_text(numbers), false}) {}

JsonValue::JsonValue(std::vector<JsonValue> elements) : elements_(std::move(elements)) {}

JsonValue::JsonValue(std::initializer_list<JsonField> fields) : is_object_(true) {
  for (const JsonField& field : fields) add(field.name, field.value);
}

void JsonValue::add(std::string_view name, JsonValue value) {
  names_.push_back(quoted(name));
  elements_.push_back(std::move(value));
}

void JsonValue::add(JsonValue object) {
  std::ranges::move(object.names_, std::back_inserter(names_));
  std::ranges::move(object.elements_, std::back_inserter(elements_));
}

std::string JsonValue::document() const {
  std::string out;
  out.reserve(leaf_bytes());
  append_to(out, 0);
  return out += '\n';
}

std::size_t JsonValue::leaf_bytes() const {
  std::size_t bytes = leaf_ ? leaf_->text.size() : 0;
  for (const JsonValue& element : elements_) bytes += element.leaf_bytes();
  return bytes;
}

void JsonValue::append_to(std::string& out, std::size_t level) const {
  if (leaf_) {
    out += leaf_->text;
    return;
  }
  const auto in_a_list = [](const JsonValue& element) {
    return element.leaf_ && element.leaf_->on_one_line;
  };
  const bool on_one_line =
      elements_.empty() || (!is_object_ && std::ranges::all_of(elements_, in_a_list));
  out += is_object_ ? '{' : '[';
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    if (i > 0) out += on_one_line ? ", " : ",";
    if (!on_one_line) start_line(out, level + 1);
    if (is_object_) out.append(names_[i]).append(": ");
    elements_[i].append_to(out, level + 1);
  }
  if (!on_one_line) start_line(out, level);
  out += is_object_ ? '}' : ']';
}

}  // namespace rope::io
