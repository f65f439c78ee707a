#pragma once

#include <span>
#include <string>
#include <string_view>

namespace rope::app {

/// Refuses to write to a file that is read, since the output would replace its own input. `words`:
/// words that may name input files: FILE, FILE:TENSOR, RULE:key=@FILE.
///
/// Throws    rope::Error (invalid input).
void refuse_replacing(std::string_view option, const std::string& written,
                      std::span<const std::string> words);

}  // namespace rope::app
