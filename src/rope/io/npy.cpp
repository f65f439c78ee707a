#include "rope/io/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <optional>
#include <system_error>

#include "rope/error.hpp"
#include "rope/io/quote.hpp"

namespace rope::io {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kAlignment = 64;
constexpr std::size_t kMaxHeaderBytes = std::size_t{1} << 20;  // a shape of 64 axes takes 2000

/// An element type as a dtype names it, without its byte order.
struct TypeName {
  std::string_view text;
  ElementType type;
};

constexpr std::array kTypeNames = {
    TypeName{"f8", ElementType::float64}, TypeName{"f4", ElementType::float32},
    TypeName{"f2", ElementType::float16}, TypeName{"V2", ElementType::bfloat16},
    TypeName{"i8", ElementType::int64},   TypeName{"i4", ElementType::int32},
    TypeName{"i2", ElementType::int16},   TypeName{"i1", ElementType::int8},
    TypeName{"u8", ElementType::uint64},  TypeName{"u4", ElementType::uint32},
    TypeName{"u2", ElementType::uint16},  TypeName{"u1", ElementType::uint8},
    TypeName{"b1", ElementType::boolean}, TypeName{"bfloat16", ElementType::bfloat16},
};

constexpr std::string_view kReadableTypes =
    "a dtype of floats (f2, f4, f8), integers (i1 ... u8) or bfloat16 (V2)";

/// How this program writes an element type.
std::string descr_of(ElementType type, Bfloat16Name bfloat16) {
  if (type == ElementType::bfloat16 && bfloat16 == Bfloat16Name::uint16) return "<u2";
  const bool without_order = size_of(type) == 1 || type == ElementType::bfloat16;
  const auto* const known =
      std::find_if(kTypeNames.begin(), kTypeNames.end(),
                   [type](const TypeName& each) { return each.type == type; });
  return std::string(without_order ? "|" : "<").append(known->text);
}

template <typename Element>
std::string write_array(ElementType type, const Shape& shape, std::span<const Element> values) {
  if (element_count(shape) != values.size()) {
    throw ShapeError(fmt::format("an array to write: shape {} does not match its {} elements",
                                 printable(shape_text(shape), 80), values.size()));
  }
  std::string out = npy_header(type, shape);
  if (!values.empty()) {
    const std::size_t start = out.size();
    out.resize(start + values.size_bytes());
    std::memcpy(out.data() + start, values.data(), values.size_bytes());
  }
  return out;
}

[[noreturn]] void fail(const std::string& name, std::string_view what,
                       std::string remedy = "is it a .npy file? In Python: numpy.save(name, x)") {
  throw Error(ErrorKind::invalid_input, fmt::format("{}: {}", name, what), std::move(remedy));
}

/// What the header says; each of the three must be there exactly once.
struct Header {
  std::optional<std::string> descr;
  std::optional<bool> fortran_order;
  std::optional<Shape> shape;
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
        refuse("each of 'descr', 'fortran_order' and 'shape' once", in_quotes(key));
      }
      if (take(',')) continue;
      require('}');
      break;
    }
    skip_space();
    if (!text_.empty()) refuse("nothing after the dictionary", in_quotes(text_, 20));
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

  std::string rest() const {
    return text_.empty() ? "the end of the header" : in_quotes(text_, 20);
  }

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
    if (end == std::string_view::npos) refuse("a closing quote", rest());
    std::string content(text_.substr(0, end));
    text_.remove_prefix(end + 1);
    return content;
  }

  /// A list describes records with named fields.
  std::string read_descr() {
    skip_space();
    if (!text_.empty() && text_.front() == '[') {
      refuse(kReadableTypes, "a dtype with several fields");
    }
    return read_string();
  }

  bool read_bool() {
    if (take_word("False")) return false;
    if (!take_word("True")) refuse("'fortran_order' to be True or False", rest());
    return true;
  }

  Shape read_shape() {
    require('(');
    Shape shape;
    while (!take(')')) {
      skip_space();
      std::size_t size = 0;
      const auto [stop, error] = std::from_chars(text_.data(), text_.data() + text_.size(), size);
      if (error != std::errc{})
        refuse(sizeof(std::size_t) == 8 ? "a shape of integers from 0 to 2^64 - 1"
                                        : "a shape of integers from 0 to 2^32 - 1",
               rest());
      text_.remove_prefix(static_cast<std::size_t>(stop - text_.data()));
      if (shape.size() == kMaxAxes)
        refuse(fmt::format("a shape of at most {} axes", kMaxAxes), "more");
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

/// The first bytes of a file, and how many of them were read.
class Start {
 public:
  explicit Start(const InputFile& file) : file_(file) {}

  /// The next bytes; fewer at the end of the file.
  std::string take(std::size_t most) {
    std::string bytes(std::min<std::uint64_t>(most, file_.size() - offset_), '\0');
    file_.read(offset_, bytes);
    offset_ += bytes.size();
    return bytes;
  }

  std::uint64_t offset() const { return offset_; }
  std::uint64_t left() const { return file_.size() - offset_; }

 private:
  const InputFile& file_;
  std::uint64_t offset_ = 0;
};

std::size_t byte_of(const std::string& bytes, std::size_t index) {
  return std::size_t{static_cast<unsigned char>(bytes[index])};
}

/// Takes the magic bytes, the version, the length and the header itself off the front.
std::string take_header(Start& start, const std::string& name) {
  const std::string magic = start.take(kMagic.size());
  if (magic != kMagic) {
    fail(name, "expected the first bytes of a .npy file, found " +
                   (magic.empty() ? "nothing: the file is empty" : in_quotes(magic)));
  }
  const std::string version = start.take(2);
  if (version.size() < 2)
    fail(name, "the .npy header: expected a version, found the end of the file");
  const std::size_t major = byte_of(version, 0);
  if (major < 1 || major > 3 || version[1] != 0) {
    fail(name, fmt::format("expected .npy version 1.0, 2.0 or 3.0, found {}.{}", major,
                           byte_of(version, 1)));
  }
  const std::size_t length_bytes = major == 1 ? 2 : 4;
  const std::string length_text = start.take(length_bytes);
  if (length_text.size() < length_bytes)
    fail(name, "the .npy header: expected its length, found the end of the file");
  std::size_t length = 0;
  for (std::size_t i = 0; i < length_bytes; ++i) length |= byte_of(length_text, i) << (8 * i);
  if (length > start.left()) {
    fail(name, fmt::format("the .npy header: expected {} bytes, found {}", length, start.left()),
         "the file is cut short or damaged: write it again");
  }
  if (length > kMaxHeaderBytes) {
    fail(name, fmt::format("the .npy header: expected at most {} bytes, found {}", kMaxHeaderBytes,
                           length));
  }
  return start.take(length);
}

/// What the dtype says, into the place; the byte order of one-byte elements means nothing.
void read_type(std::string_view descr, const std::string& name, TensorPlace& place) {
  std::string_view text = descr;
  const bool has_order =
      !text.empty() && std::string_view("<>|=").find(text[0]) != std::string_view::npos;
  place.big_endian = has_order && text[0] == '>';
  if (has_order) text.remove_prefix(1);
  const auto* const known =
      std::find_if(kTypeNames.begin(), kTypeNames.end(),
                   [text](const TypeName& each) { return each.text == text; });
  if (known == kTypeNames.end()) {
    const bool complex = !text.empty() && text[0] == 'c';
    fail(name, fmt::format("expected {}, found {}", kReadableTypes, in_quotes(descr)),
         complex
             ? "save cos and sin in separate files, in Python: numpy.save('cos.npy', x.real) and "
               "numpy.save('sin.npy', x.imag)"
             : "in Python: numpy.save(name, x.astype('<f8'))");
  }
  place.type = known->type;
}

}  // namespace

std::string npy_header(ElementType type, const Shape& shape, Bfloat16Name bfloat16) {
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}",
                                   descr_of(type, bfloat16), shape_text(shape));
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
  out += kMagic;
  out += '\x01';
  out += '\x00';
  out += static_cast<char>(header.size() & 0xFFU);
  out += static_cast<char>(header.size() >> 8U);
  return out + header;
}

std::string to_npy(const Shape& shape, std::span<const double> values) {
  return write_array(ElementType::float64, shape, values);
}

std::string to_npy(const Shape& shape, std::span<const float> values) {
  return write_array(ElementType::float32, shape, values);
}

std::string to_npy(const Shape& shape, std::span<const std::int64_t> values) {
  return write_array(ElementType::int64, shape, values);
}

TensorPlace read_npy_header(const InputFile& file, bool int16_is_bfloat16) {
  Start start(file);
  const std::string text = take_header(start, file.name());
  Header header = HeaderReader(text, file.name()).read();
  TensorPlace place;
  read_type(*header.descr, file.name(), place);
  const bool integers = place.type == ElementType::uint16 || place.type == ElementType::int16;
  if (int16_is_bfloat16 && integers) place.type = ElementType::bfloat16;
  place.fortran_order = *header.fortran_order;
  place.offset = start.offset();
  const std::size_t size = size_of(place.type);
  const std::optional<std::size_t> count = element_count(*header.shape);
  // Divided, not multiplied: count times size could overflow.
  if (!count || start.left() % size != 0 || start.left() / size != *count) {
    fail(file.name(),
         fmt::format("expected shape {} of {} elements, found {} bytes of data",
                     printable(shape_text(*header.shape), 80), in_quotes(*header.descr),
                     start.left()),
         "the file is cut short or damaged: write it again");
  }
  place.shape = std::move(*header.shape);
  return place;
}

}  // namespace rope::io
