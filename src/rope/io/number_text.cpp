#include "rope/io/number_text.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <array>

namespace rope::io {
namespace {

template <typename Number>
void append_shortest(std::string& out, Number value) {
  std::array<char, 32> buffer;  // NOLINT(*-member-init): written before it is read, a million times
  char* const end = fmt::format_to(buffer.data(), FMT_COMPILE("{}"), value);
  out.append(buffer.data(), end);
}

}  // namespace

void append_number(std::string& out, double value) { append_shortest(out, value); }

void append_number(std::string& out, std::int64_t value) { append_shortest(out, value); }

}  // namespace rope::io
