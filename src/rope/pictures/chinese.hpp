#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rope/plot/figure.hpp"

namespace rope {

/// Translations of the texts in pictures.
///
/// An entry is a text, with `{}` for each part that varies, and its translation, which has the
/// parts in the same order or numbers them {0}, {1} … The parts are translated separately, so "{},
/// {}" is a valid entry. A part cannot contain an unclosed bracket; it can contain "; " only if the
/// entry does. If several entries match a text, the one with the most characters outside its `{}`
/// is used; if several have equally many, the first of them is used.
class Dictionary {
 public:
  /// Throws    rope::Error (invalid input) if `json` is not a single object whose values are
  ///           strings.
  explicit Dictionary(std::string_view json);

  /// The translation; a text or a part without an entry stays as it is.
  std::string translated(std::string_view text) const;

 private:
  struct Entry {
    std::vector<std::string> pieces;  ///< the fixed pieces of the text, between its varying parts
    std::string translation;
    std::size_t letters = 0;
  };
  std::vector<Entry> entries_;
};

/// The dictionary in data/words/pictures.zh.json.
const Dictionary& chinese_words();

/// The figure with its words in Chinese; tick labels, which repeat the user's input, stay as they
/// are.
plot::Figure in_chinese(plot::Figure figure, const Dictionary& words = chinese_words());

}  // namespace rope
