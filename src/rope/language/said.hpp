#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "rope/io/data_file.hpp"
#include "rope/language/language.hpp"

namespace rope {

io::DataFiles word_files();  ///< the files in data/words

/// The entry in data/words/reports.zh.json for a text in a report: a heading, a word, or a sentence
/// with `{}` for each value. Returns the text itself if there is no entry or the language is
/// English.
std::string_view translated(std::string_view english, Language language);

/// A sentence of a report with its values filled in. Its entry numbers the values {0}, {1} … if
/// their order differs in Chinese.
template <typename... Values>
std::string said(Language language, fmt::format_string<Values...> english, Values&&... values) {
  const fmt::string_view text = english;
  return fmt::vformat(translated({text.data(), text.size()}, language),
                      fmt::make_format_args(values...));
}

}  // namespace rope
