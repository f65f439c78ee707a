#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "rope/io/input_file.hpp"
#include "rope/io/tensor_place.hpp"

namespace rope::io {

/// One tensor of a .safetensors file.
struct SafetensorsEntry {
  std::string name;
  std::string dtype;  ///< any type: "F32", "BF16"; only those in ElementType can be read as numbers
  Shape shape;
  std::uint64_t begin = 0;  ///< where its bytes begin, from the start of the file
  std::uint64_t end = 0;
};

/// The contents of the header of a .safetensors file.
struct SafetensorsHeader {
  std::vector<SafetensorsEntry> tensors;        ///< in the order of their bytes
  std::map<std::string, std::string> metadata;  ///< "__metadata__"
};

/// Reads the header of a .safetensors file.
///
/// Throws    rope::Error (invalid input) unless the tensors fill the file, one after another, and
///           each is as long as its shape and type require; also for a name that occurs twice, and
///           for a header of more than 32 MiB. The length of an unknown dtype is not checked.
/// Source    the format is described in the README of github.com/huggingface/safetensors.
SafetensorsHeader read_safetensors_header(const InputFile& file);

/// Where the elements of one tensor are.
///
/// Throws    rope::Error (invalid input) if its dtype cannot be read.
TensorPlace place_of(const SafetensorsEntry& entry, const std::string& file);

/// "F32" for float32.
std::string_view safetensors_dtype(ElementType type);

/// Returns the start of a .safetensors file with these tensors: their bytes follow it,
/// little-endian and in this order. `begin` and `end` are ignored: names, types and shapes suffice.
///
/// Throws    rope::ShapeError if the sizes do not fit into 64 bits.
std::string safetensors_header(const SafetensorsHeader& header);

}  // namespace rope::io
