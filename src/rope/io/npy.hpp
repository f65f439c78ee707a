#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "rope/io/input_file.hpp"
#include "rope/io/tensor_place.hpp"

namespace rope::io {

/// How a .npy file marks bfloat16, for which NumPy has no name.
enum class Bfloat16Name {
  void2,   ///< '|V2', as NumPy shows the '<V2' of ml_dtypes
  uint16,  ///< '<u2': the bits as integers
};

/// Returns the start of a .npy file (version 1.0, C order, little-endian): the elements follow it,
/// the last index running fastest.
///
/// Throws    rope::ShapeError if the shape has too many dimensions for the header.
/// Source    the format is described in NumPy's NEP 1 and in numpy.lib.format.
std::string npy_header(ElementType type, const Shape& shape,
                       Bfloat16Name bfloat16 = Bfloat16Name::void2);

/// Returns the bytes of a .npy file with these elements. They read back bit for bit.
///
/// Throws as npy_header does, and rope::ShapeError if the shape and the number of elements
/// disagree.
std::string to_npy(const Shape& shape, std::span<const double> values);
std::string to_npy(const Shape& shape, std::span<const float> values);
std::string to_npy(const Shape& shape, std::span<const std::int64_t> values);

/// Reads the header of a .npy file, and finds where its elements are.
///
/// Taken     versions 1 to 3; floating types of 2, 4 and 8 bytes, signed and unsigned integers of 1
///           to 8, bool, and bfloat16 as '|V2' or 'bfloat16'; either byte order; C and Fortran
///           order. `int16_is_bfloat16`: two-byte integers are the bits of bfloat16.
/// Throws    rope::Error (invalid input) for anything else, naming what was found, and if the
///           length of the data does not match the shape.
TensorPlace read_npy_header(const InputFile& file, bool int16_is_bfloat16 = false);

}  // namespace rope::io
