#pragma once

#include <string_view>

#include "rope/io/json.hpp"

namespace rope {

/// The keys in all `key = value` lines of the text, as gguf-dump and llama.cpp print them, except
/// for those of the tokenizer.
io::Json gguf_keys_of(std::string_view text);

}  // namespace rope
