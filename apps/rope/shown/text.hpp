#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rope/language/language.hpp"
#include "rope/words/sentence.hpp"

namespace rope::app {

/// Columns that a text takes on the screen: its characters, Chinese ones twice, without colour
/// codes.
std::size_t display_width(std::string_view text);

/// The sentences in lines of at most `width` columns, each indented by `indent` blanks and ended by
/// a newline. Lines break between words and beside Chinese characters; a word that is longer than a
/// line, a path say, stays whole. A newline in the text begins a paragraph of its own.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent = 0);

/// The text as a word that a shell reads as meant.
std::string shell_word(const std::string& text);

/// "linear, yarn, llama3", in Chinese with its own separator.
std::string joined(const std::vector<std::string>& words, Language language);

/// "Source: text", in Chinese with its own colon.
std::string labelled(const Phrase& label, std::string_view text, Language language);

}  // namespace rope::app
