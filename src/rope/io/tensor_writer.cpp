#include "rope/io/tensor_writer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rope/error.hpp"
#include "rope/io/safetensors.hpp"

namespace rope::io {
namespace {

std::string header_of(const TensorFormat& format, ElementType type, const Shape& shape) {
  if (format.kind == TensorFormat::Kind::npy) return npy_header(type, shape, format.bfloat16);
  SafetensorsEntry entry;
  entry.name = format.tensor;
  entry.dtype = safetensors_dtype(type);
  entry.shape = shape;
  return safetensors_header({{entry}, {}});
}

}  // namespace

TensorWriter::TensorWriter(const std::string& path, const TensorFormat& format, ElementType type,
                           Shape shape)
    : type_(type), shape_(std::move(shape)), file_(path) {
  file_.append(header_of(format, type_, shape_));
}

void TensorWriter::append(std::span<const double> values) {
  constexpr std::size_t kStep = std::size_t{32} << 10;
  const std::size_t size = size_of(type_);
  buffer_.resize(std::min(values.size(), kStep) * size);
  while (!values.empty()) {
    const std::size_t now = std::min(values.size(), kStep);
    encode(type_, values.first(now), buffer_.data());
    append_bytes(std::span(buffer_).first(now * size));
    values = values.subspan(now);
  }
}

void TensorWriter::append_bytes(std::span<const char> bytes) {
  file_.append({bytes.data(), bytes.size()});
  bytes_ += bytes.size();
}

void TensorWriter::commit() {
  const std::uint64_t written = bytes_ / size_of(type_);
  if (element_count(shape_) != written)
    throw ShapeError(
        fmt::format("a tensor to write: shape {} does not match the {} elements written",
                    shape_text(shape_), written));
  file_.commit();
}

}  // namespace rope::io
