#pragma once

#include <nlohmann/json.hpp>
#include <optional>
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

/// The keys of a GGUF file that a JSON document holds.
struct GgufDocument {
  io::Json keys;
  bool factors = false;  ///< a tensor of divisors is listed beside them
};

/// Those that ollama's API gives under model_info, `gguf-dump --json` under metadata with their
/// types, or that stand there by themselves; or nothing.
std::optional<GgufDocument> gguf_keys_in(const io::Json& document);

/// Reads such keys, as read_gguf_dump.
ModelRope read_gguf_keys(const GgufDocument& document, const std::string& name,
                         const ReadOptions& options = {});

}  // namespace rope
