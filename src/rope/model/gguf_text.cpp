#include "rope/model/gguf_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>

namespace rope {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t begin = std::min(text.find_first_not_of(kBlanks), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

/// "llama.rope.freq_base" of "  24: FLOAT32 | 1 | llama.rope.freq_base" and of
/// "llama_model_loader: - kv 5: llama.rope.freq_base f32": the last word with a point in it.
std::string_view key_of(std::string_view left) {
  std::string_view key;
  while (!left.empty()) {
    const std::size_t begin = left.find_first_not_of(" \t|");
    if (begin == std::string_view::npos) break;
    left.remove_prefix(begin);
    const std::size_t end = std::min(left.find_first_of(" \t|"), left.size());
    const std::string_view word = left.substr(0, end);
    const bool name = word.find('.') != std::string_view::npos &&
                      word.find_first_not_of(
                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                          "0123456789._-") == std::string_view::npos;
    if (name) key = word;
    left.remove_prefix(end);
  }
  return key;
}

/// A value as JSON: a number, true, false, or text with or without quotes.
io::Json value_of(std::string_view text) {
  text = trimmed(text);
  if (text.size() >= 2 && (text.front() == '\'' || text.front() == '"') &&
      text.back() == text.front())
    return std::string(text.substr(1, text.size() - 2));
  if (text == "true" || text == "True") return true;
  if (text == "false" || text == "False") return false;
  double number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc{} && stop == text.data() + text.size() && std::isfinite(number))
    return number;
  return std::string(text);
}

}  // namespace

io::Json gguf_keys_of(std::string_view text) {
  io::Json keys = io::Json::object();
  constexpr std::size_t kMost = 5000;
  while (!text.empty() && keys.size() < kMost) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t equals = line.find(" = ");
    if (equals == std::string_view::npos) continue;
    const std::string_view key = key_of(line.substr(0, equals));
    // Lists of tokens and the like are of no use here.
    if (!key.empty() && !key.starts_with("tokenizer."))
      keys[std::string(key)] = value_of(line.substr(equals + 3));
  }
  return keys;
}

}  // namespace rope
