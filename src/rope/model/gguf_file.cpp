#include "rope/model/gguf_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "rope/error.hpp"
#include "rope/io/element_type.hpp"
#include "rope/io/quote.hpp"

namespace rope {
namespace {

/// The types of values, by their numbers in the file.
enum class ValueType : std::uint32_t {
  uint8,
  int8,
  uint16,
  int16,
  uint32,
  int32,
  float32,
  boolean,
  text,
  array,
  uint64,
  int64,
  float64,
};

constexpr std::uint32_t kFloat32Tensor = 0;  // GGML_TYPE_F32
constexpr std::uint64_t kAlignment = 32;     // unless general.alignment says otherwise
constexpr std::uint64_t kMostKeyBytes = 65535;
constexpr std::uint64_t kMostTextBytes = std::uint64_t{1} << 20;
constexpr std::uint64_t kMostNumbers = std::uint64_t{1} << 16;
constexpr std::uint32_t kMostDimensions = 4;

/// The bytes of a file from its first on, a piece at a time.
class Cursor {
 public:
  explicit Cursor(const io::InputFile& file) : file_(file) {}

  std::uint64_t at() const { return at_; }

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorKind::invalid_input, io::printable(file_.name(), 200) + ": " + what,
                "Download the file again, or inspect the config.json that it was made from.");
  }

  void skip(std::uint64_t bytes) {
    if (bytes > file_.size() - at_) fail("expected a GGUF file, found a truncated one");
    at_ += bytes;
  }

  void read(char* to, std::size_t bytes) {
    const std::uint64_t from = at_;
    skip(bytes);
    if (from < start_ || at_ > start_ + buffer_.size()) {
      start_ = from;
      buffer_.resize(
          std::min<std::uint64_t>(std::max<std::uint64_t>(kPiece, bytes), file_.size() - start_));
      file_.read(start_, buffer_);
    }
    std::memcpy(to, buffer_.data() + (from - start_), bytes);
  }

  template <typename Number>
  Number number() {
    static_assert(std::endian::native == std::endian::little);
    Number value;
    read(reinterpret_cast<char*>(&value), sizeof value);
    return value;
  }

  std::string text(std::uint64_t most) {
    const auto size = number<std::uint64_t>();
    if (size > most)
      fail(fmt::format("expected a string of at most {} bytes, found {}", most, size));
    std::string value(size, '\0');
    read(value.data(), value.size());
    return value;
  }

 private:
  static constexpr std::uint64_t kPiece = std::uint64_t{64} << 10;

  const io::InputFile& file_;
  std::uint64_t at_ = 0, start_ = 0;
  std::string buffer_;
};

std::size_t bytes_of(ValueType type) {
  switch (type) {
    case ValueType::uint8:
    case ValueType::int8:
    case ValueType::boolean:
      return 1;
    case ValueType::uint16:
    case ValueType::int16:
      return 2;
    case ValueType::uint32:
    case ValueType::int32:
    case ValueType::float32:
      return 4;
    default:
      return 8;
  }
}

ValueType value_type(Cursor& cursor) {
  const auto number = cursor.number<std::uint32_t>();
  if (number > static_cast<std::uint32_t>(ValueType::float64))
    cursor.fail(fmt::format("expected a value type from 0 to 12, found {}", number));
  return static_cast<ValueType>(number);
}

io::Json float_value(float value) {
  // 0.1 for the float32 nearest to it.
  if (!std::isfinite(value)) return fmt::format("{}", value);
  return std::stod(fmt::format("{}", value));
}

/// A number, a truth or a text.
io::Json plain_value(ValueType type, Cursor& cursor) {
  switch (type) {
    case ValueType::uint8:
      return cursor.number<std::uint8_t>();
    case ValueType::int8:
      return cursor.number<std::int8_t>();
    case ValueType::uint16:
      return cursor.number<std::uint16_t>();
    case ValueType::int16:
      return cursor.number<std::int16_t>();
    case ValueType::uint32:
      return cursor.number<std::uint32_t>();
    case ValueType::int32:
      return cursor.number<std::int32_t>();
    case ValueType::float32:
      return float_value(cursor.number<float>());
    case ValueType::boolean:
      return cursor.number<std::uint8_t>() != 0;
    case ValueType::text:
      return cursor.text(kMostTextBytes);
    case ValueType::uint64:
      return cursor.number<std::uint64_t>();
    case ValueType::int64:
      return cursor.number<std::int64_t>();
    case ValueType::float64:
      return cursor.number<double>();
    case ValueType::array:
      break;
  }
  cursor.fail("expected no array in an array");
}

/// A list of numbers, of which there are as many as layers; null for another one, as the
/// vocabulary.
io::Json array_value(Cursor& cursor) {
  const ValueType type = value_type(cursor);
  const auto count = cursor.number<std::uint64_t>();
  if (type == ValueType::text) {
    for (std::uint64_t i = 0; i < count; ++i) cursor.skip(cursor.number<std::uint64_t>());
    return nullptr;
  }
  if (type == ValueType::array) cursor.fail("expected no array in an array");
  if (count > kMostNumbers) {
    if (count > ~std::uint64_t{0} / sizeof(double)) cursor.fail("expected a shorter array");
    cursor.skip(count * bytes_of(type));
    return nullptr;
  }
  io::Json list = io::Json::array();
  for (std::uint64_t i = 0; i < count; ++i) list.push_back(plain_value(type, cursor));
  return list;
}

io::Json keys_of(Cursor& cursor, std::uint64_t count) {
  io::Json keys = io::Json::object();
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string key = cursor.text(kMostKeyBytes);
    const ValueType type = value_type(cursor);
    io::Json value = type == ValueType::array ? array_value(cursor) : plain_value(type, cursor);
    if (keys.contains(key)) cursor.fail(io::in_quotes(key, 80) + " appears twice");
    if (!value.is_null()) keys[key] = std::move(value);
  }
  return keys;
}

/// A tensor of divisors that the file lists.
struct ListedTensor {
  std::string name;
  std::uint64_t count = 0, offset = 0;
  std::uint32_t type = 0;
};

std::vector<ListedTensor> divisors_listed(Cursor& cursor, std::uint64_t tensors) {
  std::vector<ListedTensor> found;
  for (std::uint64_t i = 0; i < tensors; ++i) {
    ListedTensor tensor{.name = cursor.text(kMostKeyBytes)};
    const auto dimensions = cursor.number<std::uint32_t>();
    if (dimensions > kMostDimensions)
      cursor.fail(fmt::format("expected tensors of at most {} axes, found {}", kMostDimensions,
                              dimensions));
    tensor.count = 1;
    for (std::uint32_t axis = 0; axis < dimensions; ++axis)
      if (__builtin_mul_overflow(tensor.count, cursor.number<std::uint64_t>(), &tensor.count))
        cursor.fail("expected tensors of at most 2^64 elements");
    tensor.type = cursor.number<std::uint32_t>();
    tensor.offset = cursor.number<std::uint64_t>();
    if (std::ranges::count(kDivisorTensors, tensor.name) > 0) found.push_back(std::move(tensor));
  }
  return found;
}

/// What the data and each tensor in it begin at a multiple of.
std::uint64_t alignment_of(const io::Json& keys, const Cursor& cursor) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 20;
  const auto given = keys.find("general.alignment");
  if (given == keys.end()) return kAlignment;
  if (!given->is_number_unsigned() || *given == 0U || *given > kMost)
    cursor.fail("expected general.alignment from 1 to 2^20, found " + given->dump());
  return given->get<std::uint64_t>();
}

/// Its elements; none where they are no float32, or not in the file.
std::vector<double> elements_of(const ListedTensor& tensor, std::uint64_t data,
                                const io::InputFile& file) {
  const std::uint64_t size = file.size();
  const std::uint64_t bytes = tensor.count * sizeof(float);
  if (tensor.type != kFloat32Tensor || tensor.count > kMostNumbers || data > size ||
      tensor.offset > size - data || bytes > size - data - tensor.offset)
    return {};
  std::string buffer(bytes, '\0');
  file.read(data + tensor.offset, buffer);
  std::vector<double> values(tensor.count);
  io::decode(io::ElementType::float32, buffer.data(), values);
  return values;
}

}  // namespace

GgufDocument read_gguf_file(const io::InputFile& file) {
  Cursor cursor(file);
  std::array<char, kGgufMagic.size()> magic{};
  cursor.read(magic.data(), magic.size());
  if (std::string_view(magic.data(), magic.size()) != kGgufMagic)
    cursor.fail("expected a GGUF file, found a different header");
  const auto version = cursor.number<std::uint32_t>();
  if (version != 2 && version != 3)
    cursor.fail(fmt::format("expected version 2 or 3 of little-endian GGUF, found {}", version));
  const auto tensors = cursor.number<std::uint64_t>();
  const auto keys = cursor.number<std::uint64_t>();
  GgufDocument document{.keys = io::printable_document(keys_of(cursor, keys))};
  const std::vector<ListedTensor> divisors = divisors_listed(cursor, tensors);
  const std::uint64_t alignment = alignment_of(document.keys, cursor);
  const std::uint64_t data = (cursor.at() + alignment - 1) / alignment * alignment;
  for (const ListedTensor& tensor : divisors) {
    if (tensor.name == kDivisorTensors.front()) document.factors = true;
    if (std::vector<double> values = elements_of(tensor, data, file); !values.empty())
      document.divisors[tensor.name] = std::move(values);
  }
  return document;
}

}  // namespace rope
