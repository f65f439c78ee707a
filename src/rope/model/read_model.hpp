#pragma once

// Models from their own files: config.json, params.json, keys of a GGUF file.
//
//     const rope::ModelRope model = rope::read_model(text, "config.json");
//     for (const std::string& warning : model.all_warnings()) std::cerr << warning << "\n";
//     const rope::RotaryEmbedding rotary = embedding_of(model.layers.front());

#include <cstddef>
#include <string>
#include <string_view>

#include "rope/model/engine.hpp"
#include "rope/model/model_rope.hpp"

namespace rope {

/// The size of the largest file that is read, in bytes: far larger than any published config.
inline constexpr std::size_t kMaxModelFile = std::size_t{4} << 20;

/// Reads a Hugging Face config.json (old schema and new), Meta's params.json, or the keys of a GGUF
/// file as gguf-dump and llama.cpp print them. The format is detected from the content.
///
/// `name` is what messages call the text. docs/models.md describes how a file is interpreted.
/// Throws    rope::Error (invalid input), with a remedy, for any other text, and for input that
///           transformers v5 refuses. Input that it accepts with a surprising result causes a
///           warning.
ModelRope read_model(std::string_view text, const std::string& name,
                     const ReadOptions& options = {});

}  // namespace rope
