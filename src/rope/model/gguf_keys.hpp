#pragma once

#include <string>
#include <string_view>

#include "rope/io/json.hpp"
#include "rope/model/engine.hpp"
#include "rope/model/model_rope.hpp"

namespace rope {

/// Whether the text looks like the keys of a GGUF file, one `key = value` a line.
bool is_gguf_dump(std::string_view text);

/// Reads the keys of a GGUF file as gguf-dump and llama.cpp print them, as llama.cpp does. The
/// layout does not stand there; llama.cpp's table of architectures tells it.
///
/// Throws    rope::Error (invalid input) as read_model; also where the frequencies are in tensors
///           (longrope), which no such text holds.
ModelRope read_gguf_dump(std::string_view text, const std::string& name,
                         const ReadOptions& options = {});

/// The keys of a GGUF file in a JSON document, as `ollama show` gives them under model_info; or
/// nullptr.
const io::Json* gguf_keys_in(const io::Json& document);

/// Reads such keys, as read_gguf_dump.
ModelRope read_gguf_keys(const io::Json& keys, const std::string& name,
                         const ReadOptions& options = {});

}  // namespace rope
