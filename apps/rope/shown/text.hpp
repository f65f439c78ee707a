#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rope/language/language.hpp"
#include "rope/words/sentence.hpp"

namespace rope::app {

/// The number of columns that a text takes up on the screen: Chinese characters count as two,
/// colour codes as none.
std::size_t display_width(std::string_view text);

/// The sentences in lines of at most `width` columns, each indented by `indent` spaces and ended by
/// a newline. Lines break between words and next to Chinese characters; a word that is longer than
/// a line, such as a path, stays whole. A newline in the text begins a new paragraph.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent = 0);

/// The text as one shell word, quoted if needed.
std::string shell_word(const std::string& text);

/// "linear, yarn, llama3"; in Chinese, with the Chinese separator.
std::string joined(const std::vector<std::string>& words, Language language);

/// "Source: text"; in Chinese, with the Chinese colon.
std::string labelled(const Phrase& label, std::string_view text, Language language);

}  // namespace rope::app
