#include "rope/plot/utf8.hpp"

#include <cstddef>

namespace rope::plot {
namespace {

struct Lead {
  std::size_t length;  ///< bytes of the character; 0: not a first byte
  char32_t bits;
  char32_t lowest;  ///< smaller values have a shorter form, so they are invalid here
};

Lead lead_of(unsigned char byte) {
  if (byte < 0x80) return {1, byte, 0};
  if (byte >= 0xC2 && byte < 0xE0) return {2, byte & 0x1FU, 0x80};
  if (byte >= 0xE0 && byte < 0xF0) return {3, byte & 0x0FU, 0x800};
  if (byte >= 0xF0 && byte < 0xF5) return {4, byte & 0x07U, 0x10000};
  return {0, 0, 0};
}

void append_utf8(char32_t c, std::string* out) {
  const auto tail = [&](int shift) {
    out->push_back(static_cast<char>(0x80U | ((c >> shift) & 0x3FU)));
  };
  if (c < 0x80) {
    out->push_back(static_cast<char>(c));
  } else if (c < 0x800) {
    out->push_back(static_cast<char>(0xC0U | (c >> 6U)));
    tail(0);
  } else if (c < 0x10000) {
    out->push_back(static_cast<char>(0xE0U | (c >> 12U)));
    tail(6);
    tail(0);
  } else {
    out->push_back(static_cast<char>(0xF0U | (c >> 18U)));
    tail(12);
    tail(6);
    tail(0);
  }
}

}  // namespace

std::u32string decode_utf8(std::string_view bytes) {
  std::u32string text;
  text.reserve(bytes.size());
  std::size_t i = 0;
  while (i < bytes.size()) {
    const Lead lead = lead_of(static_cast<unsigned char>(bytes[i]));
    char32_t c = lead.bits;
    std::size_t used = 1;
    while (used < lead.length && i + used < bytes.size() &&
           (static_cast<unsigned char>(bytes[i + used]) & 0xC0U) == 0x80) {
      c = (c << 6U) | (static_cast<unsigned char>(bytes[i + used]) & 0x3FU);
      ++used;
    }
    const bool valid = lead.length != 0 && used == lead.length && c >= lead.lowest &&
                       c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF);
    text.push_back(valid ? c : kReplacement);
    i += valid ? used : 1;
  }
  return text;
}

std::string encode_utf8(std::u32string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  for (const char32_t c : text) append_utf8(c, &bytes);
  return bytes;
}

}  // namespace rope::plot
