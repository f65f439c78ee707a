#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace rope::io {

/// An array that was read from a .npy file.
struct NpyArray {
  std::vector<std::size_t> shape;  ///< empty for a single number
  /// The elements, the last index running fastest.
  std::variant<std::vector<double>, std::vector<float>, std::vector<std::int64_t>> values;
};

/// Returns the bytes of a .npy file (version 1.0, little-endian, C order) with these elements, the
/// last index running fastest. They read back bit for bit.
///
/// Throws    rope::ShapeError if the shape does not hold exactly as many elements as are given, or
///           has so many dimensions that the header cannot name them.
/// Source    the format is described in NumPy's NEP 1 and in numpy.lib.format.
std::string to_npy(const std::vector<std::size_t>& shape, std::span<const double> values);
std::string to_npy(const std::vector<std::size_t>& shape, std::span<const float> values);
std::string to_npy(const std::vector<std::size_t>& shape, std::span<const std::int64_t> values);

/// Reads the bytes of a .npy file: versions 1 to 3, dtypes '<f8', '<f4' and '<i8', C order. `name`
/// stands for the file in messages.
///
/// Nothing is allocated before the shape was found to match the bytes that are there.
///
/// Throws    rope::Error (invalid input) for anything else, naming what was found.
NpyArray parse_npy(std::string_view bytes, const std::string& name);

}  // namespace rope::io
