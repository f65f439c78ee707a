#include "rope/pictures/chinese.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "rope/error.hpp"
#include "rope/io/json.hpp"
#include "rope/language/said.hpp"

namespace rope {
namespace {

constexpr std::string_view kPart = "{}";
/// Divides sentences: no entry without it reaches across one.
constexpr std::string_view kSentences = "; ";
/// Divides phrases, and what a phrase lists: "in the planes of pairs 0, 20 and 63". So an entry
/// that begins with words may reach across one, an entry that begins with a part may not.
constexpr std::string_view kPhrases = ", ";

std::vector<std::string> pieces_of(std::string_view text) {
  std::vector<std::string> pieces;
  for (;;) {
    const std::size_t at = text.find(kPart);
    pieces.emplace_back(text.substr(0, at));
    if (at == std::string_view::npos) return pieces;
    text.remove_prefix(at + kPart.size());
  }
}

/// Whether every bracket that is opened is closed again: a comma within "(1, 2)" or "e^{iθ}" parts
/// nothing.
bool is_whole(std::string_view part) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kBrackets = {
      {{"(", ")"}, {"{", "}"}, {"⟨", "⟩"}}};
  for (const auto& [opening, closing] : kBrackets) {
    int open = 0;
    for (std::size_t i = 0; i < part.size() && open >= 0; ++i) {
      if (part.substr(i).starts_with(opening)) ++open;
      if (part.substr(i).starts_with(closing)) --open;
    }
    if (open != 0) return false;
  }
  return true;
}

bool stands_outside_brackets(std::string_view division, std::string_view text) {
  for (std::size_t at = text.find(division); at != std::string_view::npos;
       at = text.find(division, at + 1))
    if (is_whole(text.substr(0, at))) return true;
  return false;
}

bool reaches_across(const std::vector<std::string>& pieces, std::string_view text) {
  const auto have = [&](std::string_view division) {
    return std::ranges::any_of(pieces, [&](const std::string& piece) {
      return piece.find(division) != std::string::npos;
    });
  };
  if (have(kSentences)) return false;
  if (stands_outside_brackets(kSentences, text)) return true;
  return pieces.front().empty() && !have(kPhrases) && stands_outside_brackets(kPhrases, text);
}

/// What stands between the pieces, each as short as possible; none is empty.
std::optional<std::vector<std::string_view>> parts_of(std::string_view text,
                                                      const std::vector<std::string>& pieces) {
  std::vector<std::string_view> parts;
  if (pieces.size() == 1)
    return text == pieces.front() ? std::optional(std::move(parts)) : std::nullopt;
  if (!text.starts_with(pieces.front()) || reaches_across(pieces, text)) return std::nullopt;
  text.remove_prefix(pieces.front().size());
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    const std::string& piece = pieces[i];
    const bool last = i + 1 == pieces.size();
    if (text.size() <= piece.size() || (last && !text.ends_with(piece))) return std::nullopt;
    std::size_t at = last ? text.size() - piece.size() : text.find(piece, 1);
    while (!last && at != std::string_view::npos && !is_whole(text.substr(0, at)))
      at = text.find(piece, at + 1);
    if (at == std::string_view::npos || !is_whole(text.substr(0, at))) return std::nullopt;
    parts.push_back(text.substr(0, at));
    text.remove_prefix(at + piece.size());
  }
  return parts;
}

/// The translation with its parts in their places.
std::string filled(std::string_view translation, const std::vector<std::string>& parts) {
  std::string text;
  std::size_t next = 0;
  for (std::size_t i = 0; i < translation.size(); ++i) {
    const std::string_view rest = translation.substr(i);
    const bool numbered =
        rest.size() > 2 && rest[0] == '{' && rest[1] >= '0' && rest[1] <= '9' && rest[2] == '}';
    const std::size_t part = numbered ? static_cast<std::size_t>(rest[1] - '0') : next;
    if ((!numbered && !rest.starts_with(kPart)) || part >= parts.size()) {
      text += translation[i];
      continue;
    }
    text += parts[part];
    i += numbered ? 2 : 1;
    ++next;
  }
  return text;
}

}  // namespace

Dictionary::Dictionary(std::string_view json) {
  const io::Json document = io::parse_json(json, "a dictionary", io::RepeatedKeys::refused);
  if (!document.is_object())
    throw Error(ErrorKind::invalid_input, "a dictionary: expected an object");
  for (const auto& [text, translation] : document.items()) {
    Entry entry{pieces_of(text), {}, 0};
    for (const std::string& piece : entry.pieces) entry.letters += piece.size();
    if (!translation.is_string() || entry.letters == 0)
      throw Error(ErrorKind::invalid_input, "a dictionary: expected a text for \"" + text + "\"");
    entry.translation = translation.get<std::string>();
    entries_.push_back(std::move(entry));
  }
  std::ranges::stable_sort(entries_, std::ranges::greater(), &Entry::letters);
}

std::string Dictionary::translated(std::string_view text) const {
  for (const Entry& entry : entries_) {
    const auto parts = parts_of(text, entry.pieces);
    if (!parts) continue;
    std::vector<std::string> translations;
    translations.reserve(parts->size());
    for (const std::string_view part : *parts) translations.push_back(translated(part));
    return filled(entry.translation, translations);
  }
  return std::string(text);
}

const Dictionary& chinese_words() {
  static const Dictionary words(
      std::ranges::find(word_files(), "pictures.zh", &io::DataFile::name)->text);
  return words;
}

plot::Figure in_chinese(plot::Figure figure, const Dictionary& words) {
  figure.language = plot::Language::zh;
  plot::for_each_text(&figure, [&](const char*, plot::Role role, plot::Text* text) {
    if (role == plot::Role::words) *text = text->with_bytes(words.translated(text->bytes()));
  });
  return figure;
}

}  // namespace rope
