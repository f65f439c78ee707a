#pragma once

#include <span>
#include <string>
#include <string_view>

namespace rope::app {

/// Refuses to write a file in place of one that is read: the output would replace its own input.
/// `words` may name files that are read: FILE, FILE:TENSOR, RULE:key=@FILE.
///
/// Throws    rope::Error (invalid input).
void refuse_replacing(std::string_view option, const std::string& written,
                      std::span<const std::string> words);

}  // namespace rope::app
