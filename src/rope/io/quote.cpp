#include "rope/io/quote.hpp"

#include <fmt/format.h>

namespace rope::io {
namespace {

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

bool is_control(char byte) { return static_cast<unsigned char>(byte) < 0x20 || byte == 0x7F; }

}  // namespace

std::string printable(std::string_view text, std::size_t max_bytes) {
  std::size_t length = text.size();
  if (length > max_bytes) {
    length = max_bytes;
    while (length > 0 && is_continuation(text[length])) --length;
  }
  std::string out;
  for (const char byte : text.substr(0, length)) {
    if (is_control(byte)) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned>(byte));
    } else {
      out += byte;
    }
  }
  if (length < text.size()) out += "...";
  return out;
}

std::string quoted(std::string_view text, std::size_t max_bytes) {
  return "'" + printable(text, max_bytes) + "'";
}

}  // namespace rope::io
