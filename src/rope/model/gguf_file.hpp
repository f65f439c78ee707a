#pragma once

#include "rope/io/input_file.hpp"
#include "rope/model/gguf_keys.hpp"

namespace rope {

/// The first four bytes of a GGUF file.
inline constexpr std::string_view kGgufMagic = "GGUF";

/// Reads the keys of a GGUF file, and the frequency divisors among its tensors. The strings of the
/// vocabulary are omitted; 32-bit numbers become the shortest decimals that read back as the same
/// numbers, which is how gguf-dump prints them. The keys of a file that is cut off after its header
/// can still be read.
///
/// Throws    rope::Error (invalid input) for a version other than 2 and 3, and for big-endian or
///           damaged files; rope::SystemError if the file cannot be read.
/// Source    ggml-org/ggml, docs/gguf.md.
GgufDocument read_gguf_file(const io::InputFile& file);

}  // namespace rope
