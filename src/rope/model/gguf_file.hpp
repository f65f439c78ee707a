#pragma once

#include "rope/io/input_file.hpp"
#include "rope/model/gguf_keys.hpp"

namespace rope {

/// What the first four bytes of a GGUF file are.
inline constexpr std::string_view kGgufMagic = "GGUF";

/// Reads the keys of a GGUF file, and the divisors of frequencies among its tensors. Texts of the
/// vocabulary are left out; numbers of 32 bits become the shortest decimal that means them, as
/// gguf-dump prints them. A file that is cut off behind its header has keys all the same.
///
/// Throws    rope::Error (invalid input) for a version but 2 and 3, big-endian files and damaged
///           ones; rope::SystemError if it cannot be read.
/// Source    ggml-org/ggml, docs/gguf.md.
GgufDocument read_gguf_file(const io::InputFile& file);

}  // namespace rope
