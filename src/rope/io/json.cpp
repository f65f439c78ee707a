#include "rope/io/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>
#include <vector>

#include "rope/error.hpp"
#include "rope/io/quote.hpp"

namespace rope::io {
namespace {

[[noreturn]] void fail(std::string_view text, std::size_t offset, const std::string& name,
                       std::string_view what) {
  const std::string_view before = text.substr(0, offset);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::string_view on_line = before.substr(before.rfind('\n') + 1);
  const auto column = 1 + std::count_if(on_line.begin(), on_line.end(), [](char byte) {
                        return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
                      });
  throw Error(ErrorKind::invalid_input,
              fmt::format("{}: line {}, column {}: {}", name, line, column, what));
}

/// Refuses, before the parser sees it, what is JSON but would do harm: deep nesting, numbers that
/// turn into infinity, and objects so large that their members, each looked up among those before
/// it, would take minutes. What is not JSON is left to the parser.
class Guard {
 public:
  Guard(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  void check() {
    while (position_ < text_.size()) {
      const char character = text_[position_];
      if (character == '"') {
        skip_string();
      } else if (character == '-' || (character >= '0' && character <= '9')) {
        check_number();
      } else {
        check_structure(character);
        ++position_;
      }
    }
  }

 private:
  static constexpr std::size_t kMaxDepth = 64;
  static constexpr std::size_t kMaxComparisons = 400'000'000;  // about a second

  void check_structure(char character) {
    if (character == '{' || character == '[') {
      if (members_.size() == kMaxDepth) {
        fail(text_, position_, name_,
             fmt::format("expected at most {} levels of nesting, found more", kMaxDepth));
      }
      members_.push_back(0);
    } else if (character == '}' || character == ']') {
      if (!members_.empty()) members_.pop_back();
    } else if (character == ':' && !members_.empty()) {
      comparisons_ += members_.back()++;
      if (comparisons_ > kMaxComparisons) {
        fail(text_, position_, name_, "expected a smaller document, found too many object members");
      }
    }
  }

  void skip_string() {
    ++position_;
    while (position_ < text_.size() && text_[position_] != '"') {
      position_ += text_[position_] == '\\' ? 2U : 1U;
    }
    ++position_;
  }

  void check_number() {
    const std::size_t end =
        std::min(text_.find_first_not_of("0123456789+-.eE", position_), text_.size());
    double value = 0;
    const auto parsed = std::from_chars(text_.data() + position_, text_.data() + end, value);
    if (parsed.ec == std::errc::result_out_of_range) {
      fail(text_, position_, name_,
           fmt::format("expected a number in the range of a double, found {}",
                       in_quotes(text_.substr(position_, end - position_), 40)));
    }
    position_ = end;
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t position_ = 0;
  std::vector<std::size_t> members_;  // of each object that is open (0 for an array)
  std::size_t comparisons_ = 0;
};

std::string short_text(const Json& value) {
  constexpr std::size_t kLongest = 40;
  return printable(value.dump(-1, ' ', false, Json::error_handler_t::replace), kLongest);
}

/// Builds the document from what the parser meets, and sees every member: the library's own
/// builder keeps the last of two values of a key without a word.
class Builder final : public Json::json_sax_t {
 public:
  Builder(std::string_view text, const std::string& name, RepeatedKeys repeated)
      : text_(text), name_(name), repeated_(repeated) {}

  Json take() { return std::move(document_); }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(Json::number_integer_t value) override { return add(value); }
  bool number_unsigned(Json::number_unsigned_t value) override { return add(value); }
  bool number_float(Json::number_float_t value, const std::string& /*text*/) override {
    return add(value);
  }
  bool string(std::string& value) override { return add(std::move(value)); }
  bool binary(Json::binary_t& value) override { return add(std::move(value)); }
  bool start_object(std::size_t /*size*/) override { return open(Json::object()); }
  bool start_array(std::size_t /*size*/) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(std::string& key) override {
    open_.back().key = std::move(key);
    return true;
  }

  bool parse_error(std::size_t byte, const std::string& /*token*/,
                   const Json::exception& error) override {
    // The library's message starts with its own number and a position in its own words.
    const std::string_view message = error.what();
    const std::size_t start = std::min(message.find(": "), message.size() - 2) + 2;
    const std::size_t offset = byte == 0 ? 0 : byte - 1;
    fail(text_, offset, name_, "expected valid JSON: " + printable(message.substr(start), 160));
  }

 private:
  struct Open {
    Json container;
    std::string key;  // of an object: of the member that comes next
  };

  bool open(Json container) {
    open_.push_back({std::move(container), ""});
    return true;
  }

  bool close() {
    Json closed = std::move(open_.back().container);
    open_.pop_back();
    return add(std::move(closed));
  }

  bool add(Json value) {
    if (open_.empty()) {
      document_ = std::move(value);
    } else if (Json& container = open_.back().container; container.is_array()) {
      container.push_back(std::move(value));
    } else {
      add_member(container, open_.back().key, std::move(value));
    }
    return true;
  }

  void add_member(Json& object, const std::string& key, Json value) const {
    const auto known = object.find(key);
    if (known == object.end()) {
      // As it is: emplace would look for the key once more.
      object.get_ref<Json::object_t&>().Json::object_t::Container::emplace_back(key,
                                                                                std::move(value));
      return;
    }
    constexpr const char* kRemedy = "Remove one of them: parsers differ in which one they use.";
    if (repeated_ == RepeatedKeys::refused)
      throw Error(
          ErrorKind::invalid_input,
          fmt::format("{}: expected every key once, found {} twice", name_, io::in_quotes(key)),
          kRemedy);
    if (*known != value)
      throw Error(ErrorKind::invalid_input,
                  fmt::format("{}: expected one value for {}, found {} and {}", name_,
                              io::in_quotes(key), short_text(*known), short_text(value)),
                  kRemedy);
  }

  std::string_view text_;
  const std::string& name_;
  RepeatedKeys repeated_;
  Json document_;
  std::vector<Open> open_;
};

}  // namespace

Json printable_document(Json document) {
  constexpr std::size_t kLongest = 200;
  if (document.is_string()) return printable(document.get_ref<const std::string&>(), kLongest);
  if (document.is_array())
    for (Json& element : document) element = printable_document(std::move(element));
  if (document.is_object()) {
    Json::object_t members;
    for (auto& [key, value] : document.get_ref<Json::object_t&>())  // as they are: no look-ups
      members.Json::object_t::Container::emplace_back(printable(key, kLongest),
                                                      printable_document(std::move(value)));
    document = std::move(members);
  }
  return document;
}

Json parse_json(std::string_view text, const std::string& name, RepeatedKeys repeated) {
  Guard(text, name).check();
  Builder builder(text, name, repeated);
  Json::sax_parse(text, &builder);
  return builder.take();
}

}  // namespace rope::io
