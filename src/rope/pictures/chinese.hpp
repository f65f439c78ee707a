#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rope/plot/figure.hpp"

namespace rope {

/// Translations of the texts in pictures.
///
/// An entry is a text, with `{}` for each part that varies, and its translation, where the parts
/// are in the same order, or {0}, {1} … say which. The parts are translated separately, so "{}, {}"
/// is an entry like any other. No part contains an open bracket, or "; " unless the entry has one.
/// Of several entries that fit a text, the one with the most letters of its own counts, and of
/// those the first.
class Dictionary {
 public:
  /// Throws    rope::Error (invalid input) if `json` is not one object of texts.
  explicit Dictionary(std::string_view json);

  /// The translation; a text or a part without an entry stays as it is.
  std::string translated(std::string_view text) const;

 private:
  struct Entry {
    std::vector<std::string> pieces;  ///< of the text, between its varying parts
    std::string translation;
    std::size_t letters = 0;
  };
  std::vector<Entry> entries_;
};

/// The dictionary of data/words/pictures.zh.json.
const Dictionary& chinese_words();

/// The figure with its words in Chinese; tick labels, which hold what was given, stay as they are.
plot::Figure in_chinese(plot::Figure figure, const Dictionary& words = chinese_words());

}  // namespace rope
