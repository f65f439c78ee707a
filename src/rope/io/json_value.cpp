#include "rope/io/json_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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
  std::string text = "[";
  for (const Number number : numbers) {
    if (text.size() > 1) text += ", ";
    append_json(text, number);
  }
  return text += ']';
}

/// What a terminal would obey is spelt \uNNNN, which says the same: a document may be printed.
std::string quoted(std::string_view text) {
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

/// Appends the text of a value, one level further in.
void append_set_in(std::string& out, std::string_view text) {
  for (;;) {
    const std::size_t end = text.find('\n');
    out += text.substr(0, end);
    if (end == std::string_view::npos) return;
    out += "\n  ";
    text.remove_prefix(end + 1);
  }
}

}  // namespace

JsonValue::JsonValue(double value) : on_one_line_(true) { append_json(text_, value); }

JsonValue::JsonValue(std::string_view text) : text_(quoted(text)) {}

JsonValue::JsonValue(Whole value) : on_one_line_(true) {
  text_ = value.negative ? fmt::format("{}", static_cast<std::int64_t>(value.bits))
                         : fmt::format("{}", value.bits);
}

JsonValue::JsonValue(std::span<const double> numbers) : text_(list_text(numbers)) {}

JsonValue::JsonValue(std::span<const std::int64_t> numbers) : text_(list_text(numbers)) {}

JsonValue::JsonValue(const std::vector<JsonValue>& elements) : text_("[") {
  const bool on_one_line = std::ranges::all_of(elements, &JsonValue::on_one_line_);
  for (const JsonValue& element : elements) {
    if (text_.size() > 1) text_ += on_one_line ? ", " : ",";
    if (!on_one_line) text_ += "\n  ";
    append_set_in(text_, element.text_);
  }
  text_ += on_one_line ? "]" : "\n]";
}

JsonValue::JsonValue(std::initializer_list<JsonField> fields) : text_("{}") {
  for (const JsonField& field : fields) add(field.name, field.value);
}

void JsonValue::add(std::string_view name, const JsonValue& value) {
  const bool first = text_ == "{}";
  text_.resize(text_.size() - (first ? 1 : 2));  // "}" or "\n}"
  text_ += first ? "\n  " : ",\n  ";
  text_ += quoted(name) + ": ";
  append_set_in(text_, value.text_);
  text_ += "\n}";
}

void JsonValue::add(const JsonValue& object) {
  if (object.text_ == "{}") return;
  const bool first = text_ == "{}";
  text_.resize(text_.size() - (first ? 1 : 2));
  if (!first) text_ += ',';
  text_ += std::string_view(object.text_).substr(1);
}

}  // namespace rope::io
