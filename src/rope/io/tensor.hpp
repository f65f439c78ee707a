#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rope/io/input_file.hpp"
#include "rope/io/tensor_place.hpp"

namespace rope::io {

/// A tensor in a file. Any part of it can be read at any time, and the file may be larger than
/// memory. Elements are counted in C order, the last index running fastest, however they are
/// stored.
class Tensor {
 public:
  /// `name` identifies the tensor in messages. `place` must come from one of the functions that
  /// read headers.
  Tensor(std::string name, TensorPlace place, std::shared_ptr<const InputFile> file);

  const std::string& name() const { return name_; }
  ElementType type() const { return place_.type; }
  const Shape& shape() const { return place_.shape; }
  std::uint64_t count() const { return count_; }

  /// The same elements in another shape, which must have the same number of elements.
  Tensor reshaped(const Shape& shape) const;

  /// The elements first … first + values.size() − 1 as doubles: see `decode`.
  ///
  /// Throws    rope::SystemError if they cannot be read; rope::ShapeError if there are not that
  ///           many.
  void read(std::uint64_t first, std::span<double> values) const;

  /// The same for an integer tensor; throws DomainError for an element that does not fit in a
  /// signed 64-bit integer.
  void read(std::uint64_t first, std::span<std::int64_t> values) const;

  /// The bytes of the elements from `first` on, little-endian: bytes.size() must be a multiple of
  /// the element size.
  void read_bytes(std::uint64_t first, std::span<char> bytes) const;

  /// All elements.
  ///
  /// Throws    what read throws; rope::Error (invalid input) if there are more than
  ///           kMaxHeldElements, or if `integers` is called for a tensor of another type.
  std::vector<double> doubles() const;
  std::vector<std::int64_t> integers() const;

  /// All elements as stored in the file, but in the byte order of this machine: `floats` for a
  /// float32 tensor, `bits` for one with 16-bit elements.
  ///
  /// Throws    what doubles throws; rope::ShapeError if the elements have another size.
  std::vector<float> floats() const;
  std::vector<std::uint16_t> bits() const;

 private:
  template <typename Value>
  void read_values(std::uint64_t first, std::span<Value> values) const;
  template <typename Value>
  std::vector<Value> all() const;
  template <typename Value>
  std::vector<Value> as_they_stand() const;
  void check_held() const;

  std::string name_;
  TensorPlace place_;
  std::uint64_t count_;
  std::shared_ptr<const InputFile> file_;
};

/// The most elements that `doubles` and similar functions return at once: two gigabytes of doubles.
inline constexpr std::uint64_t kMaxHeldElements = std::uint64_t{1} << 28;

/// The type and shape of a file of bare elements, which are little-endian, the last index running
/// fastest.
struct RawLayout {
  ElementType type = ElementType::float32;
  Shape shape;
};

/// How a tensor is to be read.
struct TensorOptions {
  bool int16_is_bfloat16 = false;     ///< for a .npy file: its 16-bit integers are bits of bfloat16
  std::optional<RawLayout> raw = {};  ///< for a file whose name shows no known format
};

/// Opens the tensor that a user named.
///
///     FILE.npy                 its array
///     FILE.safetensors         its only tensor
///     FILE.safetensors:NAME    the tensor of that name
///     FILE.npz, FILE.npz:NAME  likewise; the arrays of numpy.savez, stored or deflated
///     FILE.csv, FILE.txt       a matrix: see parse_matrix
///     FILE, -                  another name or standard input: .npy if its first bytes show it,
///                              else bare elements if `raw` is set
///
/// Throws    rope::SystemError if the file cannot be read; rope::Error (invalid input) if it is
///           malformed, or contains several tensors and `path` names none; the message then lists
///           them.
Tensor open_tensor(const std::string& path, const TensorOptions& options = {});

/// Whether `path` names a .safetensors file, or a tensor in one.
bool names_safetensors(const std::string& path);

/// Whether `path` names a whole file of several tensors, judging by its extension: .safetensors or
/// .npz.
bool names_archive(const std::string& path);

/// Whether `path` has the extension of a tensor file, .npy, .npz or .safetensors, or names a tensor
/// in one.
bool names_tensors(const std::string& path);

/// The names of the tensors in a .safetensors or .npz file.
///
/// Throws    what open_tensor throws; rope::Error (invalid input) for any other kind of file.
std::vector<std::string> tensor_names(const std::string& path);

/// The tensor in a .npy file with these bytes.
Tensor npy_tensor(std::string bytes, const std::string& name, const TensorOptions& options = {});

}  // namespace rope::io
