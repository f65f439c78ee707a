#include "rope/io/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <optional>
#include <system_error>

#include "rope/error.hpp"
#include "rope/io/quote.hpp"

namespace rope::io {
namespace {

static_assert(std::endian::native == std::endian::little, "elements are copied as they are");

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kAlignment = 64;

using NpyValues = decltype(NpyArray::values);

template <typename Element>
NpyValues read_elements(std::string_view bytes) {
  std::vector<Element> elements(bytes.size() / sizeof(Element));
  if (!bytes.empty()) std::memcpy(elements.data(), bytes.data(), bytes.size());
  return elements;
}

/// A kind of element that can be read. Another one is another line in the table below.
struct ElementType {
  std::string_view descr;  ///< its name in the header
  std::size_t size;
  NpyValues (*read)(std::string_view bytes);
};

constexpr std::array kElementTypes = {
    ElementType{"<f8", sizeof(double), read_elements<double>},
    ElementType{"<f4", sizeof(float), read_elements<float>},
    ElementType{"<i8", sizeof(std::int64_t), read_elements<std::int64_t>},
};

std::string supported_types() {
  std::string names;
  for (const ElementType& type : kElementTypes) {
    names += (names.empty() ? "" : ", ") + quoted(type.descr);
  }
  return names;
}

/// The number of elements, or nothing if it does not fit into 64 bits.
std::optional<std::size_t> element_count(const std::vector<std::size_t>& shape) {
  if (std::find(shape.begin(), shape.end(), std::size_t{0}) != shape.end()) return 0;
  std::size_t count = 1;
  for (const std::size_t size : shape) {
    if (__builtin_mul_overflow(count, size, &count)) return std::nullopt;
  }
  return count;
}

/// As Python writes a tuple: (), (3,), (3, 4).
std::string shape_text(const std::vector<std::size_t>& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

template <typename Element>
std::string write_array(std::string_view descr, const std::vector<std::size_t>& shape,
                        std::span<const Element> values) {
  if (element_count(shape) != values.size()) {
    throw ShapeError(fmt::format("shape {} of an array to write: found {} elements",
                                 printable(shape_text(shape), 80), values.size()));
  }
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}",
                                   descr, shape_text(shape));
  const std::size_t prefix = kMagic.size() + 4;  // two bytes of version, two of header length
  const std::size_t used = prefix + header.size() + 1;
  header.append((kAlignment - used % kAlignment) % kAlignment, ' ');
  header += '\n';
  if (header.size() > 0xFFFF) {
    throw ShapeError(
        fmt::format("the shape of an array to write: found {} dimensions, too many "
                    "for the header of a .npy file",
                    shape.size()));
  }
  std::string out;
  out.reserve(prefix + header.size() + values.size_bytes());
  out += kMagic;
  out += '\x01';
  out += '\x00';
  out += static_cast<char>(header.size() & 0xFFU);
  out += static_cast<char>(header.size() >> 8U);
  out += header;
  if (!values.empty()) {
    const std::size_t start = out.size();
    out.resize(start + values.size_bytes());
    std::memcpy(out.data() + start, values.data(), values.size_bytes());
  }
  return out;
}

[[noreturn]] void fail(const std::string& name, std::string_view what, std::string remedy = {}) {
  throw Error(ErrorKind::invalid_input, fmt::format("{}: {}", name, what), std::move(remedy));
}

/// What the header says; each of the three must be there exactly once.
struct Header {
  std::optional<std::string> descr;
  std::optional<bool> fortran_order;
  std::optional<std::vector<std::size_t>> shape;
};

/// Reads the one Python dictionary a header consists of.
class HeaderReader {
 public:
  HeaderReader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  Header read() {
    Header header;
    require('{');
    while (!take('}')) {
      const std::string key = read_string();
      require(':');
      if (key == "descr" && !header.descr) {
        header.descr = read_descr();
      } else if (key == "fortran_order" && !header.fortran_order) {
        header.fortran_order = read_bool();
      } else if (key == "shape" && !header.shape) {
        header.shape = read_shape();
      } else {
        refuse("each of 'descr', 'fortran_order' and 'shape' once", quoted(key));
      }
      if (take(',')) continue;
      require('}');
      break;
    }
    skip_space();
    if (!text_.empty()) refuse("nothing after the dictionary", quoted(text_, 20));
    require_keys(header);
    return header;
  }

 private:
  [[noreturn]] void refuse(std::string_view expected, std::string_view found) const {
    fail(name_, fmt::format("the .npy header: expected {}, found {}", expected, found));
  }

  void skip_space() {
    text_.remove_prefix(std::min(text_.find_first_not_of(" \t\r\n"), text_.size()));
  }

  bool take(char character) {
    skip_space();
    if (text_.empty() || text_.front() != character) return false;
    text_.remove_prefix(1);
    return true;
  }

  bool take_word(std::string_view word) {
    skip_space();
    if (text_.substr(0, word.size()) != word) return false;
    text_.remove_prefix(word.size());
    return true;
  }

  std::string rest() const { return text_.empty() ? "its end" : quoted(text_, 20); }

  void require(char character) {
    if (!take(character)) refuse(fmt::format("'{}'", character), rest());
  }

  std::string read_string() {
    char quote = '\'';
    if (!take(quote)) {
      quote = '"';
      if (!take(quote)) refuse("a string", rest());
    }
    const std::size_t end = text_.find(quote);
    if (end == std::string_view::npos) refuse("a string that ends", rest());
    std::string content(text_.substr(0, end));
    text_.remove_prefix(end + 1);
    return content;
  }

  /// A list describes records with named fields.
  std::string read_descr() {
    skip_space();
    if (!text_.empty() && text_.front() == '[') {
      refuse("a dtype of " + supported_types(), "a dtype of several fields");
    }
    return read_string();
  }

  bool read_bool() {
    if (take_word("False")) return false;
    if (!take_word("True")) refuse("'fortran_order' to be True or False", rest());
    return true;
  }

  std::vector<std::size_t> read_shape() {
    require('(');
    std::vector<std::size_t> shape;
    while (!take(')')) {
      skip_space();
      std::size_t size = 0;
      const auto [stop, error] = std::from_chars(text_.data(), text_.data() + text_.size(), size);
      if (error != std::errc{}) refuse("a shape of integers from 0 to 2^64 - 1", rest());
      text_.remove_prefix(static_cast<std::size_t>(stop - text_.data()));
      shape.push_back(size);
      if (take(',')) continue;
      require(')');
      break;
    }
    return shape;
  }

  void require_keys(const Header& header) const {
    if (!header.descr) refuse("the key 'descr'", "none");
    if (!header.fortran_order) refuse("the key 'fortran_order'", "none");
    if (!header.shape) refuse("the key 'shape'", "none");
  }

  std::string_view text_;
  const std::string& name_;
};

/// Takes the magic bytes, the version, the length and the header itself off the front of `bytes`.
std::string_view take_header(std::string_view& bytes, const std::string& name) {
  if (bytes.substr(0, kMagic.size()) != kMagic) {
    fail(name, "expected a .npy file, found other first bytes: " +
                   (bytes.empty() ? "it is empty" : quoted(bytes.substr(0, kMagic.size()))));
  }
  bytes.remove_prefix(kMagic.size());
  const auto byte = [&bytes](std::size_t index) {
    return std::size_t{static_cast<unsigned char>(bytes[index])};
  };
  constexpr std::size_t kVersionBytes = 2;
  if (bytes.size() < kVersionBytes)
    fail(name, "the .npy header: expected a version, found its end");
  const std::size_t version = byte(0);
  if (version < 1 || version > 3 || byte(1) != 0) {
    fail(name, fmt::format("expected .npy version 1.0, 2.0 or 3.0, found {}.{}", version, byte(1)));
  }
  bytes.remove_prefix(kVersionBytes);
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  if (bytes.size() < length_bytes)
    fail(name, "the .npy header: expected its length, found its end");
  std::size_t length = 0;
  for (std::size_t i = 0; i < length_bytes; ++i) length |= byte(i) << (8 * i);
  bytes.remove_prefix(length_bytes);
  if (length > bytes.size()) {
    fail(name, fmt::format("the .npy header: expected {} bytes, found {}", length, bytes.size()),
         "the file is cut short or damaged: write it again");
  }
  const std::string_view header = bytes.substr(0, length);
  bytes.remove_prefix(length);
  return header;
}

const ElementType& element_type(const Header& header, const std::string& name) {
  const auto* const type =
      std::find_if(kElementTypes.begin(), kElementTypes.end(),
                   [&header](const ElementType& known) { return known.descr == *header.descr; });
  if (type == kElementTypes.end() || *header.fortran_order) {
    fail(name,
         fmt::format("expected a dtype of {} in C order, found {} in {} order", supported_types(),
                     quoted(*header.descr), *header.fortran_order ? "Fortran" : "C"),
         "in Python: numpy.save(name, numpy.ascontiguousarray(x, dtype='<f8'))");
  }
  return *type;
}

}  // namespace

std::string to_npy(const std::vector<std::size_t>& shape, std::span<const double> values) {
  return write_array("<f8", shape, values);
}

std::string to_npy(const std::vector<std::size_t>& shape, std::span<const float> values) {
  return write_array("<f4", shape, values);
}

std::string to_npy(const std::vector<std::size_t>& shape, std::span<const std::int64_t> values) {
  return write_array("<i8", shape, values);
}

NpyArray parse_npy(std::string_view bytes, const std::string& name) {
  Header header = HeaderReader(take_header(bytes, name), name).read();
  const ElementType& type = element_type(header, name);
  const std::optional<std::size_t> count = element_count(*header.shape);
  // Divided, not multiplied: count times size could overflow.
  if (!count || bytes.size() % type.size != 0 || bytes.size() / type.size != *count) {
    fail(name,
         fmt::format("expected shape {} of {} elements, found {} bytes of data",
                     printable(shape_text(*header.shape), 80), quoted(*header.descr), bytes.size()),
         "the file is cut short or damaged: write it again");
  }
  return {std::move(*header.shape), type.read(bytes)};
}

}  // namespace rope::io
