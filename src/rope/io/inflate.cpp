#include "rope/io/inflate.hpp"

#include <algorithm>
#include <boost/beast/zlib/inflate_stream.hpp>

namespace rope::io {

std::optional<std::string> inflate(std::string compressed, std::uint64_t most) {
  namespace zlib = boost::beast::zlib;
  // Boost.Beast wants as many bits as its longest code has, even for the last and shorter one.
  constexpr std::size_t kBehindTheEnd = 8;
  compressed.append(kBehindTheEnd, '\0');
  zlib::inflate_stream stream;
  zlib::z_params at = {};
  at.next_in = compressed.data();
  at.avail_in = compressed.size();
  std::string text;
  boost::system::error_code error;
  while (!error) {
    // One byte more than there may be, so that more is noticed.
    if (at.total_out > most) return std::nullopt;
    if (at.total_out == text.size())
      text.resize(std::min<std::uint64_t>(2 * text.size() + 4096, most + 1));
    at.next_out = text.data() + at.total_out;
    at.avail_out = text.size() - at.total_out;
    stream.write(at, zlib::Flush::sync, error);
  }
  if (error != zlib::error::end_of_stream || at.total_out > most) return std::nullopt;
  text.resize(at.total_out);
  return text;
}

}  // namespace rope::io
