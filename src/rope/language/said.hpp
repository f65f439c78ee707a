#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "rope/io/data_file.hpp"
#include "rope/language/language.hpp"

namespace rope {

io::DataFiles word_files();  ///< the files in data/words

/// The translation, from data/words/reports.zh.json, of a text in a report: a heading, a word, or a
/// sentence with `{}` for each value. Returns the text itself if it has no entry there or the
/// language is English.
std::string_view translated(std::string_view english, Language language);

/// A sentence of a report with its values filled in. If the order of the values differs in Chinese,
/// the entry for the sentence numbers them {0}, {1} …
template <typename... Values>
std::string said(Language language, fmt::format_string<Values...> english, Values&&... values) {
  const fmt::string_view text = english;
  return fmt::vformat(translated({text.data(), text.size()}, language),
                      fmt::make_format_args(values...));
}

}  // namespace rope
