#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rope/io/file.hpp"
#include "rope/io/npy.hpp"
#include "rope/io/tensor_place.hpp"

namespace rope::io {

/// The kind of file to write a tensor to.
struct TensorFormat {
  enum class Kind { npy, safetensors };
  Kind kind = Kind::npy;
  std::string tensor = "tensor";  ///< its name in a .safetensors file
  Bfloat16Name bfloat16 = Bfloat16Name::void2;
};

/// Writes one tensor piece by piece, in C order; the file appears whole or not at all (FileWriter).
class TensorWriter {
 public:
  /// Throws    what FileWriter throws; rope::ShapeError if the file cannot express the shape.
  TensorWriter(const std::string& path, const TensorFormat& format, ElementType type, Shape shape);

  /// Appends the next elements, rounded as `encode` rounds them. Not for integer types.
  void append(std::span<const double> values);

  /// Appends the next elements as bytes, little-endian.
  void append_bytes(std::span<const char> bytes);

  /// Finishes the file. Throws rope::ShapeError if the number of elements written does not match
  /// the shape.
  void commit();

 private:
  ElementType type_;
  Shape shape_;
  std::uint64_t bytes_ = 0;
  FileWriter file_;
  std::vector<char> buffer_;
};

}  // namespace rope::io
