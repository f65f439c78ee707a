#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "rope/io/file.hpp"
#include "rope/io/json.hpp"
#include "rope/io/tensor.hpp"

namespace rope::test {

/// The bytes of a file below data/reference.
inline std::string reference_bytes(const std::string& path) {
  return io::read_file(std::string(ROPE_REFERENCE_DIR "/") + path, std::size_t{1} << 20);
}

inline io::Json reference_json(const std::string& path) {
  return io::parse_json(reference_bytes(path), path);
}

inline io::Tensor reference_array(const std::string& path) {
  return io::npy_tensor(reference_bytes(path), path);
}

}  // namespace rope::test
