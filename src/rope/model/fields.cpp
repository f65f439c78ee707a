#include "rope/model/fields.hpp"

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <system_error>

#include "rope/error.hpp"
#include "rope/io/quote.hpp"

namespace rope {
namespace {

/// A number that stands in quotes.
std::optional<double> quoted_number(const io::Json& value) {
  const auto* const text = value.get_ptr<const std::string*>();
  if (text == nullptr) return std::nullopt;
  double number = 0;
  const char* const end = text->data() + text->size();
  const auto [stop, error] = std::from_chars(text->data(), end, number);
  if (error != std::errc{} || stop != end || !std::isfinite(number)) return std::nullopt;
  return number;
}

}  // namespace

std::string shown(const io::Json& value) {
  if (const auto* const text = value.get_ptr<const std::string*>()) return io::in_quotes(*text, 40);
  if (value.is_object()) return "an object";
  if (value.is_array()) return "a list of length " + std::to_string(value.size());
  if (value.is_number_float()) return shown(value.get<double>());
  return value.dump();
}

std::string shown(double value) {
  constexpr double kExact = 0x1p53;
  if (std::floor(value) == value && std::abs(value) < kExact)
    return std::to_string(static_cast<std::int64_t>(value));
  return number_text(value);
}

std::string Fields::subject() const {
  std::string subject = path_;
  if (subject.ends_with('.')) subject.replace(subject.size() - 1, 1, ": ");
  return subject;
}

bool Fields::has(std::string_view key) const {
  return object_->find(std::string(key)) != object_->end();
}

const io::Json* Fields::find(std::string_view key) const {
  const auto found = object_->find(std::string(key));
  return found == object_->end() || found->is_null() ? nullptr : &*found;
}

void Fields::refuse(std::string_view key, std::string_view expected, std::string remedy) const {
  const io::Json* const value = find(key);
  std::string found = "nothing";
  if (value != nullptr) found = shown(*value);
  if (value == nullptr && has(key)) found = "null";
  throw Error(ErrorKind::invalid_input,
              path_ + std::string(key) + ": expected " + std::string(expected) + ", found " + found,
              std::move(remedy));
}

std::optional<Fields> Fields::inner(std::string_view key) const {
  const io::Json* const value = find(key);
  if (value == nullptr || !value->is_object() || value->empty()) return std::nullopt;
  return Fields(*value, path_ + std::string(key) + ".", *warnings_);
}

std::optional<double> Fields::number(std::string_view key) const {
  const io::Json* const value = find(key);
  if (value == nullptr) return std::nullopt;
  if (value->is_number()) return value->get<double>();
  if (const std::optional<double> number = quoted_number(*value)) {
    warn(path_ + std::string(key) + ": " + shown(*value) + " is a string: it is read as " +
         shown(*number) + " here but fails elsewhere; write it without quotes");
    return number;
  }
  refuse(key, "a number", "Write it as a JSON number, for example 8.0, without quotes.");
}

std::optional<std::int64_t> Fields::positive_integer(std::string_view key) const {
  const std::optional<double> value = number(key);
  if (!value) return std::nullopt;
  if (!(*value >= 1) || *value > 0x1p53 || std::floor(*value) != *value)
    refuse(key, "a whole number from 1 to 2^53", "Write it as a JSON integer, for example 4096.");
  return static_cast<std::int64_t>(*value);
}

std::optional<bool> Fields::flag(std::string_view key) const {
  const io::Json* const value = find(key);
  if (value == nullptr) return std::nullopt;
  if (value->is_boolean()) return value->get<bool>();
  if (value->is_number_integer())
    if (const auto number = value->get<std::int64_t>(); number == 0 || number == 1)
      return number == 1;
  refuse(key, "true or false", "Write true or false, without quotes.");
}

std::optional<std::string> Fields::text(std::string_view key) const {
  const io::Json* const value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_string()) refuse(key, "a string", "Write a name in quotes.");
  return value->get<std::string>();
}

std::optional<std::vector<double>> Fields::numbers(std::string_view key) const {
  const io::Json* const value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_array())
    refuse(key, "a list of numbers", "Write a JSON list, for example [16, 24, 24].");
  std::vector<double> list;
  for (const io::Json& element : *value) {
    if (!element.is_number())
      throw Error(ErrorKind::invalid_input,
                  path_ + std::string(key) + ": expected a list of numbers, found " +
                      shown(element) + " at index " + std::to_string(list.size()),
                  "Write a JSON list, for example [16, 24, 24].");
    list.push_back(element.get<double>());
  }
  return list;
}

std::optional<std::int64_t> Fields::first_integer(const std::vector<std::string_view>& keys,
                                                  std::string_view* which) const {
  for (const std::string_view key : keys)
    if (const std::optional<std::int64_t> value = positive_integer(key)) {
      if (which != nullptr) *which = key;
      return value;
    }
  return std::nullopt;
}

}  // namespace rope
