#pragma once

#include <array>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rope/io/json.hpp"
#include "rope/model/engine.hpp"
#include "rope/model/model_rope.hpp"

namespace rope {

/// Whether the text looks like the keys of a GGUF file, one `key = value` per line.
bool is_gguf_dump(std::string_view text);

/// Interprets the keys of a GGUF file, as printed by gguf-dump or llama.cpp, the way llama.cpp
/// does. The keys do not include the layout, which comes from llama.cpp's table of architectures.
///
/// Throws    rope::Error (invalid input) as read_model does; also if the frequencies are in tensors
///           (longrope), which no such text contains.
ModelRope read_gguf_dump(std::string_view text, const std::string& name,
                         const ReadOptions& options = {});

/// Tensors of a GGUF file whose numbers, one per pair, divide the frequencies. The first applies at
/// any length (Llama 3, Gemma 4); the other two belong to LongRoPE.
inline constexpr std::array<std::string_view, 3> kDivisorTensors = {
    "rope_freqs.weight", "rope_factors_short.weight", "rope_factors_long.weight"};

/// The keys of a GGUF file, together with the divisors.
struct GgufDocument {
  io::Json keys;
  bool factors = false;  ///< whether rope_freqs.weight is listed with the keys
  /// The divisors by tensor name; empty if they are not available.
  std::map<std::string, std::vector<double>, std::less<>> divisors = {};
};

/// The GGUF keys in a JSON document: under model_info (ollama's API), under metadata with their
/// types (`gguf-dump --json`), or at the top level. Nothing if there are none.
std::optional<GgufDocument> gguf_keys_in(const io::Json& document);

/// Interprets GGUF keys as read_gguf_dump does.
ModelRope read_gguf_keys(const GgufDocument& document, const std::string& name,
                         const ReadOptions& options = {});

}  // namespace rope
