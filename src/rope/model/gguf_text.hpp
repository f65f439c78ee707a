#pragma once

#include <string_view>

#include "rope/io/json.hpp"

namespace rope {

/// All lines of the text that are `key = value`, as gguf-dump and llama.cpp print them, but for
/// those of the tokenizer.
io::Json gguf_keys_of(std::string_view text);

}  // namespace rope
