#include "rope/markup/characters.hpp"

namespace rope::markup {

std::vector<std::string> characters_of(std::string_view text) {
  std::vector<std::string> characters;
  for (const char c : text)
    if ((static_cast<unsigned char>(c) & 0xC0U) == 0x80U && !characters.empty())
      characters.back() += c;
    else
      characters.emplace_back(1, c);
  return characters;
}

}  // namespace rope::markup
