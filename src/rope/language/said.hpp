#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "rope/io/data_file.hpp"
#include "rope/language/language.hpp"

namespace rope {

io::DataFiles word_files();  ///< those of data/words

/// The entry in data/words/reports.zh.json for a text of a report: a heading, a word, or a sentence
/// with `{}` for each value. The text itself if there is no entry, and in English.
std::string_view translated(std::string_view english, Language language);

/// A sentence of a report with its values. Its entry names them {0}, {1} … where their order
/// differs.
template <typename... Values>
std::string said(Language language, fmt::format_string<Values...> english, Values&&... values) {
  const fmt::string_view text = english;
  return fmt::vformat(translated({text.data(), text.size()}, language),
                      fmt::make_format_args(values...));
}

}  // namespace rope
