#include "rope/io/safetensors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "rope/error.hpp"
#include "rope/io/json.hpp"
#include "rope/io/quote.hpp"

namespace rope::io {
namespace {

constexpr std::uint64_t kMaxHeaderBytes = std::uint64_t{32} << 20;
constexpr std::size_t kAlignment = 8;  // of the data, so that it can be mapped into memory

struct Dtype {
  std::string_view name;
  std::size_t size;
  std::optional<ElementType> type;
};

constexpr std::array kDtypes = {
    Dtype{"F64", 8, ElementType::float64},  Dtype{"F32", 4, ElementType::float32},
    Dtype{"F16", 2, ElementType::float16},  Dtype{"BF16", 2, ElementType::bfloat16},
    Dtype{"I64", 8, ElementType::int64},    Dtype{"I32", 4, ElementType::int32},
    Dtype{"I16", 2, ElementType::int16},    Dtype{"I8", 1, ElementType::int8},
    Dtype{"U64", 8, ElementType::uint64},   Dtype{"U32", 4, ElementType::uint32},
    Dtype{"U16", 2, ElementType::uint16},   Dtype{"U8", 1, ElementType::uint8},
    Dtype{"BOOL", 1, ElementType::boolean}, Dtype{"F8_E4M3", 1, std::nullopt},
    Dtype{"F8_E5M2", 1, std::nullopt},      Dtype{"F8_E8M0", 1, std::nullopt},
    Dtype{"C64", 8, std::nullopt}};

const Dtype* find_dtype(std::string_view name) {
  const auto* const found = std::find_if(kDtypes.begin(), kDtypes.end(),
                                         [name](const Dtype& each) { return each.name == name; });
  return found == kDtypes.end() ? nullptr : found;
}

[[noreturn]] void fail(const std::string& file, std::string_view what,
                       std::string remedy = "is it a .safetensors file?") {
  throw Error(ErrorKind::invalid_input, fmt::format("{}: {}", file, what), std::move(remedy));
}

/// The number of bytes, or nothing if it does not fit into 64 bits.
std::optional<std::uint64_t> byte_count(const Shape& shape, std::size_t size) {
  std::optional<std::size_t> count = element_count(shape);
  if (!count || __builtin_mul_overflow(*count, size, &*count)) return std::nullopt;
  return *count;
}

/// Reads one header, of which `data` is where the bytes of the tensors start.
class HeaderReader {
 public:
  HeaderReader(const InputFile& file, std::uint64_t data) : file_(file), data_(data) {}

  SafetensorsHeader read(const Json& document) const {
    if (!document.is_object()) refuse("an object", "something else");
    SafetensorsHeader header;
    for (const auto& [name, value] : document.items()) {
      if (name == "__metadata__") {
        header.metadata = read_metadata(value);
      } else {
        header.tensors.push_back(read_entry(name, value));
      }
    }
    std::stable_sort(header.tensors.begin(), header.tensors.end(),
                     [](const auto& a, const auto& b) {
                       return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
                     });
    check_places(header.tensors);
    return header;
  }

 private:
  [[noreturn]] void refuse(std::string_view expected, std::string_view found) const {
    fail(file_.name(),
         fmt::format("the safetensors header: expected {}, found {}", expected, found),
         "the file is corrupt or malicious: download it again");
  }

  std::map<std::string, std::string> read_metadata(const Json& value) const {
    std::map<std::string, std::string> metadata;
    if (!value.is_object()) refuse("'__metadata__' to be an object", "something else");
    for (const auto& [key, text] : value.items()) {
      if (!text.is_string())
        refuse("strings in '__metadata__'", "something else at " + io::in_quotes(key));
      metadata[key] = text.get<std::string>();
    }
    return metadata;
  }

  /// The whole numbers of an array: a shape, or the two offsets.
  std::vector<std::uint64_t> read_integers(const std::string& name, std::string_view key,
                                           const Json& entry) const {
    const auto found = entry.find(key);
    if (found == entry.end() || !found->is_array())
      refuse(fmt::format("{} of {} to be an array", io::in_quotes(key), io::in_quotes(name)),
             "none");
    std::vector<std::uint64_t> integers;
    for (const Json& value : *found) {
      if (!value.is_number_unsigned())
        refuse(fmt::format("whole numbers of at least 0 in {} of {}", io::in_quotes(key),
                           io::in_quotes(name)),
               io::in_quotes(value.dump(-1, ' ', false, Json::error_handler_t::replace), 40));
      integers.push_back(value.get<std::uint64_t>());
    }
    return integers;
  }

  SafetensorsEntry read_entry(const std::string& name, const Json& value) const {
    if (!value.is_object()) refuse(io::in_quotes(name) + " to be an object", "something else");
    SafetensorsEntry entry;
    entry.name = name;
    const auto dtype = value.find("dtype");
    if (dtype == value.end() || !dtype->is_string())
      refuse("'dtype' of " + io::in_quotes(name) + " to be a string", "none");
    entry.dtype = dtype->get<std::string>();
    for (const std::uint64_t size : read_integers(name, "shape", value))
      entry.shape.push_back(size);
    if (entry.shape.size() > kMaxAxes)
      refuse(fmt::format("a shape of at most {} axes for {}", kMaxAxes, io::in_quotes(name)),
             std::to_string(entry.shape.size()));
    const std::vector<std::uint64_t> offsets = read_integers(name, "data_offsets", value);
    const std::uint64_t bytes = file_.size() - data_;
    if (offsets.size() != 2 || offsets[0] > offsets[1] || offsets[1] > bytes)
      refuse(fmt::format("two offsets of {} in ascending order, within {} bytes",
                         io::in_quotes(name), bytes),
             fmt::format("[{}]", fmt::join(offsets, ", ")));
    entry.begin = data_ + offsets[0];
    entry.end = data_ + offsets[1];
    check_length(entry);
    return entry;
  }

  void check_length(const SafetensorsEntry& entry) const {
    const Dtype* const dtype = find_dtype(entry.dtype);
    if (dtype == nullptr) return;
    if (byte_count(entry.shape, dtype->size) != entry.end - entry.begin)
      refuse(fmt::format("{} to be as long as shape {} of {}", io::in_quotes(entry.name),
                         printable(shape_text(entry.shape), 80), entry.dtype),
             fmt::format("{} bytes", entry.end - entry.begin));
  }

  /// One behind the other, from the first byte to the last: no overlap, no hole.
  void check_places(const std::vector<SafetensorsEntry>& tensors) const {
    std::uint64_t end = data_;
    for (const SafetensorsEntry& entry : tensors) {
      if (entry.begin != end)
        refuse(fmt::format("{} to start at byte {} of the data", io::in_quotes(entry.name),
                           end - data_),
               fmt::format("{}", entry.begin - data_));
      end = entry.end;
    }
    if (end != file_.size())
      refuse(fmt::format("{} bytes of data", end - data_), fmt::format("{}", file_.size() - data_));
  }

  const InputFile& file_;
  std::uint64_t data_;
};

}  // namespace

SafetensorsHeader read_safetensors_header(const InputFile& file) {
  constexpr std::uint64_t kLengthBytes = 8;
  if (file.size() < kLengthBytes)
    fail(file.name(),
         fmt::format("expected a .safetensors file, found only {} bytes", file.size()));
  std::array<char, kLengthBytes> length_bytes{};
  file.read(0, length_bytes);
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < kLengthBytes; ++i)
    length |= std::uint64_t{static_cast<unsigned char>(length_bytes.at(i))} << (8 * i);
  if (length > file.size() - kLengthBytes)
    fail(file.name(),
         fmt::format("the safetensors header: expected {} bytes, found {}", length,
                     file.size() - kLengthBytes),
         "the file is cut short or not a .safetensors file: download it again");
  if (length > kMaxHeaderBytes)
    fail(file.name(), fmt::format("the safetensors header: expected at most {} bytes, found {}",
                                  kMaxHeaderBytes, length));
  std::string text(length, '\0');
  file.read(kLengthBytes, text);
  if (!text.starts_with('{'))
    fail(file.name(), fmt::format("the safetensors header: expected '{{' first, found {}",
                                  text.empty() ? "nothing" : io::in_quotes(text.substr(0, 8))));
  const Json document =
      parse_json(text, file.name() + ": the safetensors header", RepeatedKeys::refused);
  return HeaderReader(file, kLengthBytes + length).read(document);
}

TensorPlace place_of(const SafetensorsEntry& entry, const std::string& file) {
  const Dtype* const dtype = find_dtype(entry.dtype);
  if (dtype == nullptr || !dtype->type)
    fail(file,
         fmt::format("{}: expected a dtype of floats (F64, F32, F16, BF16) or integers, found {}",
                     io::in_quotes(entry.name), io::in_quotes(entry.dtype)),
         "rope cannot compute with numbers of other types");
  TensorPlace place;
  place.type = *dtype->type;
  place.shape = entry.shape;
  place.offset = entry.begin;
  return place;
}

std::string_view safetensors_dtype(ElementType type) {
  return std::find_if(kDtypes.begin(), kDtypes.end(),
                      [type](const Dtype& each) { return each.type == type; })
      ->name;
}

std::string safetensors_header(const SafetensorsHeader& header) {
  Json document = Json::object();
  if (!header.metadata.empty()) document["__metadata__"] = header.metadata;
  std::uint64_t offset = 0;
  for (const SafetensorsEntry& entry : header.tensors) {
    const Dtype* const dtype = find_dtype(entry.dtype);
    const std::optional<std::uint64_t> bytes =
        dtype == nullptr ? entry.end - entry.begin : byte_count(entry.shape, dtype->size);
    std::uint64_t end = 0;
    if (!bytes || __builtin_add_overflow(offset, *bytes, &end))
      throw ShapeError("the tensors to write: expected fewer than 2^64 bytes, found more");
    document[entry.name] = {
        {"dtype", entry.dtype}, {"shape", entry.shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = document.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.append((kAlignment - text.size() % kAlignment) % kAlignment, ' ');
  std::string out;
  for (std::size_t i = 0; i < 8; ++i)
    out += static_cast<char>((std::uint64_t{text.size()} >> (8 * i)) & 0xFFU);
  return out + text;
}

}  // namespace rope::io
