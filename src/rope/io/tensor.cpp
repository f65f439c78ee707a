#include "rope/io/tensor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "rope/error.hpp"
#include "rope/io/c_order.hpp"
#include "rope/io/matrix_text.hpp"
#include "rope/io/npy.hpp"
#include "rope/io/quote.hpp"
#include "rope/io/safetensors.hpp"
#include "rope/io/zip.hpp"

namespace rope::io {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{256} << 10;
constexpr std::string_view kSafetensors = ".safetensors", kNpz = ".npz";

[[noreturn]] void fail(const std::string& what, std::string remedy = {}) {
  throw Error(ErrorKind::invalid_input, what, std::move(remedy));
}

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

std::string ending_of(const std::string& path) {
  return lower(std::filesystem::path(path).extension().string());
}

/// A file, and the tensor meant in it; empty where none is named.
struct TensorName {
  std::string file;
  std::string tensor;
};

TensorName split_name(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) return {path, {}};
  for (const std::string_view ending : {kSafetensors, kNpz}) {
    const std::size_t colon = lower(path).find(std::string(ending) + ":");
    if (colon == std::string::npos) continue;
    const std::size_t end = colon + ending.size();
    return {path.substr(0, end), path.substr(end + 1)};
  }
  return {path, {}};
}

/// "'a', 'b', 'c' and 288 more"
std::string listed(const std::vector<std::string>& tensors) {
  constexpr std::size_t kMostNames = 12;
  std::string names;
  for (std::size_t i = 0; i < std::min(tensors.size(), kMostNames); ++i)
    names += (i == 0 ? "" : ", ") + io::in_quotes(tensors[i]);
  if (tensors.size() > kMostNames)
    names += fmt::format(" and {} more", tensors.size() - kMostNames);
  return names;
}

/// What the first bytes of a file are, which is none of those that hold a tensor.
std::string kind_of(const InputFile& file) {
  struct Beginning {
    std::string_view bytes, kind;
  };
  using namespace std::string_view_literals;
  constexpr std::array<Beginning, 7> kBeginnings = {
      {{"\x1f\x8b"sv, "a gzip file"},
       {"PK\x03\x04"sv, "a zip archive, as PyTorch's files are"},
       {"\x89PNG"sv, "a PNG picture"},
       {"%PDF"sv, "a PDF"},
       {"\x89HDF"sv, "an HDF5 file"},
       {"\x80\x02"sv, "a Python pickle"},
       {"\x80\x04"sv, "a Python pickle"}}};
  std::string first(static_cast<std::size_t>(std::min<std::uint64_t>(file.size(), 512)), '\0');
  file.read(0, first);
  for (const Beginning& one : kBeginnings)
    if (first.starts_with(one.bytes)) return std::string(one.kind);
  const bool text = std::ranges::all_of(first, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 || (c >= '\t' && c <= '\r');
  });
  return text ? "text" : "bytes of another kind";
}

/// How a file of that kind comes to be one that is read.
std::string remedy_for_kind(const std::string& kind, bool standard_input) {
  if (kind == "a gzip file") return "Unpack it first: gunzip.";
  if (kind.ends_with("PyTorch's files are") || kind.ends_with("pickle"))
    return "In Python: from safetensors.torch import save_file; "
           "save_file(torch.load(FILE), 'x.safetensors').";
  if (standard_input)
    return "Standard input is read only as a .npy file: give other files by name.";
  if (kind == "bytes of another kind")
    return "The file extension selects the format; for bare numbers, use --raw TYPE:SHAPE if the "
           "command has that option.";
  return "The file extension selects the format; a .npy file may have any name.";
}

/// Which of the tensors of an archive is meant.
std::size_t find_tensor(const TensorName& name, const std::vector<std::string>& tensors) {
  if (tensors.empty()) fail(name.file + ": expected a tensor, found none");
  if (name.tensor.empty()) {
    if (tensors.size() == 1) return 0;
    fail(fmt::format("{}: expected the name of one of its {} tensors, got no name; it holds {}",
                     name.file, tensors.size(), listed(tensors)),
         fmt::format("Name one: {}:{}", name.file, printable(tensors.front(), 100)));
  }
  const auto found = std::ranges::find(tensors, name.tensor);
  if (found == tensors.end())
    fail(fmt::format("{}: expected the name of one of its tensors, found {}", name.file,
                     io::in_quotes(name.tensor)),
         "It holds " + listed(tensors) + ".");
  return static_cast<std::size_t>(found - tensors.begin());
}

std::vector<std::string> names_in(const SafetensorsHeader& header) {
  std::vector<std::string> names;
  names.reserve(header.tensors.size());
  for (const SafetensorsEntry& entry : header.tensors) names.push_back(entry.name);
  return names;
}

/// The array x of an archive stands in the file x.npy.
std::vector<std::string> names_in(const std::vector<ZipEntry>& entries) {
  constexpr std::string_view kNpy = ".npy";
  std::vector<std::string> names;
  names.reserve(entries.size());
  for (const ZipEntry& entry : entries)
    names.push_back(entry.name.ends_with(kNpy)
                        ? entry.name.substr(0, entry.name.size() - kNpy.size())
                        : entry.name);
  return names;
}

Tensor open_safetensors(const TensorName& name, std::shared_ptr<const InputFile> file) {
  const SafetensorsHeader header = read_safetensors_header(*file);
  const SafetensorsEntry& entry = header.tensors[find_tensor(name, names_in(header))];
  return {name.file + ":" + entry.name, place_of(entry, name.file), std::move(file)};
}

Tensor open_npy(std::shared_ptr<const InputFile> file, const TensorOptions& options) {
  TensorPlace place = read_npy_header(*file, options.int16_is_bfloat16);
  std::string name = file->name();
  return {std::move(name), std::move(place), std::move(file)};
}

Tensor open_npz(const TensorName& name, std::shared_ptr<const InputFile> file,
                const TensorOptions& options) {
  const std::vector<ZipEntry> entries = read_zip_directory(*file);
  const std::vector<std::string> names = names_in(entries);
  const std::size_t chosen = find_tensor(name, names);
  const std::string shown = name.file + ":" + names[chosen];
  return open_npy(open_entry(std::move(file), entries[chosen], shown), options);
}

/// A file of elements and nothing else.
Tensor open_raw(std::shared_ptr<const InputFile> file, const RawLayout& raw) {
  const std::optional<std::size_t> count = element_count(raw.shape);
  const std::size_t size = size_of(raw.type);
  if (!count || *count > file->size() / size || *count * size != file->size())
    fail(fmt::format("{}: expected {} bytes for each element of {} {}, found {} bytes in all",
                     printable(file->name(), 200), size, name(raw.type), shape_text(raw.shape),
                     file->size()),
         fmt::format("The data holds {} elements.", file->size() / size));
  std::string shown = file->name();
  return {std::move(shown), {.type = raw.type, .shape = raw.shape}, std::move(file)};
}

bool starts_like_npy(const InputFile& file) {
  std::string magic(std::min<std::uint64_t>(6, file.size()), '\0');
  file.read(0, magic);
  return magic == "\x93NUMPY";
}

Tensor open_matrix(const InputFile& file) {
  constexpr std::uint64_t kMostText = std::uint64_t{1} << 29;
  if (file.size() > kMostText)
    fail(fmt::format("{}: expected at most 512 MiB of text, found {} bytes", file.name(),
                     file.size()),
         "Save such a matrix as .npy.");
  std::string text(file.size(), '\0');
  file.read(0, text);
  const NumberMatrix matrix = parse_matrix(text, file.name());
  return npy_tensor(to_npy({matrix.rows, matrix.columns}, matrix.values), file.name());
}

}  // namespace

Tensor::Tensor(std::string name, TensorPlace place, std::shared_ptr<const InputFile> file)
    : name_(std::move(name)),
      place_(std::move(place)),
      count_(element_count(place_.shape).value_or(0)),
      file_(std::move(file)) {
  // Axes of length 1 and single axes are in both orders alike.
  const auto long_axes = std::count_if(place_.shape.begin(), place_.shape.end(),
                                       [](std::size_t size) { return size != 1; });
  if (!place_.fortran_order || long_axes < 2 || count_ == 0) return;
  file_ = in_c_order(place_, std::move(file_));
  place_.offset = 0;
}

Tensor Tensor::reshaped(const Shape& shape) const {
  if (element_count(shape) != count_)
    throw ShapeError(fmt::format("{}: expected a shape with {} elements, found {}", name_, count_,
                                 shape_text(shape)));
  Tensor other = *this;
  other.place_.shape = shape;
  return other;
}

void Tensor::read_bytes(std::uint64_t first, std::span<char> bytes) const {
  const std::size_t size = size_of(place_.type);
  const std::uint64_t wanted = bytes.size() / size;
  if (bytes.size() % size != 0 || first > count_ || wanted > count_ - first)
    throw ShapeError(fmt::format("{}: expected a range within its elements, got {} to {} of {}",
                                 name_, first, first + wanted, count_));
  file_->read(place_.offset + first * size, bytes);
  if (place_.big_endian) swap_byte_order(place_.type, bytes);
}

template <typename Value>
void Tensor::read_values(std::uint64_t first, std::span<Value> values) const {
  const std::size_t size = size_of(place_.type);
  const std::size_t step = kBufferBytes / size;
  std::vector<char> bytes(std::min(values.size(), step) * size);
  while (!values.empty()) {
    const std::size_t now = std::min(values.size(), step);
    read_bytes(first, std::span(bytes).first(now * size));
    decode(place_.type, bytes.data(), values.first(now));
    values = values.subspan(now);
    first += now;
  }
}

void Tensor::read(std::uint64_t first, std::span<double> values) const {
  read_values(first, values);
}

void Tensor::read(std::uint64_t first, std::span<std::int64_t> values) const {
  if (is_floating(place_.type))
    throw DomainError(fmt::format("{}: expected integers, found elements of type {}", name_,
                                  io::name(place_.type)));
  read_values(first, values);
}

void Tensor::check_held() const {
  if (count_ > kMaxHeldElements)
    fail(
        fmt::format("{}: expected at most {} elements, found {}", name_, kMaxHeldElements, count_));
}

template <typename Value>
std::vector<Value> Tensor::all() const {
  check_held();
  std::vector<Value> values(count_);
  read(0, std::span<Value>(values));
  return values;
}

std::vector<double> Tensor::doubles() const { return all<double>(); }
std::vector<std::int64_t> Tensor::integers() const { return all<std::int64_t>(); }

template <typename Value>
std::vector<Value> Tensor::as_they_stand() const {
  check_held();
  if (size_of(place_.type) != sizeof(Value))
    throw ShapeError(fmt::format("{}: expected elements of {} bytes, found {}", name_,
                                 sizeof(Value), io::name(place_.type)));
  std::vector<Value> values(count_);
  read_bytes(0, {reinterpret_cast<char*>(values.data()), values.size() * sizeof(Value)});
  return values;
}

std::vector<float> Tensor::floats() const { return as_they_stand<float>(); }
std::vector<std::uint16_t> Tensor::bits() const { return as_they_stand<std::uint16_t>(); }

bool names_safetensors(const std::string& path) {
  return lower(split_name(path).file).ends_with(kSafetensors);
}

bool names_archive(const std::string& path) {
  return ending_of(path) == kSafetensors || ending_of(path) == kNpz;
}

bool names_tensors(const std::string& path) {
  const std::string file = lower(split_name(path).file);
  return file.ends_with(".npy") || file.ends_with(kNpz) || file.ends_with(kSafetensors);
}

std::vector<std::string> tensor_names(const std::string& path) {
  const std::shared_ptr<const InputFile> file = open_input(path);
  if (ending_of(path) == kSafetensors) return names_in(read_safetensors_header(*file));
  if (ending_of(path) == kNpz) return names_in(read_zip_directory(*file));
  fail(printable(path, 200) + ": expected a .safetensors or .npz file, found another extension");
}

Tensor npy_tensor(std::string bytes, const std::string& name, const TensorOptions& options) {
  return open_npy(input_from_bytes(std::move(bytes), name), options);
}

Tensor open_tensor(const std::string& path, const TensorOptions& options) {
  const TensorName name = split_name(path);
  std::shared_ptr<const InputFile> file = open_input(name.file);
  const std::string ending = ending_of(name.file);
  if (ending == kSafetensors) return open_safetensors(name, std::move(file));
  if (ending == kNpz) return open_npz(name, std::move(file), options);
  if (ending == ".npy" || starts_like_npy(*file)) return open_npy(std::move(file), options);
  if (ending == ".csv" || ending == ".txt") return open_matrix(*file);
  const bool standard_input = path == "-";
  const std::string expected =
      standard_input
          ? "standard input: expected a .npy file, found "
          : printable(path, 200) + ": expected a .npy, .npz, .safetensors or .csv file, found ";
  if (file->size() == 0)
    fail(expected + "nothing: it is empty", "Give a file that holds a tensor.");
  if (options.raw) return open_raw(std::move(file), *options.raw);
  const std::string kind = kind_of(*file);
  fail(expected + kind, remedy_for_kind(kind, standard_input));
}

}  // namespace rope::io
