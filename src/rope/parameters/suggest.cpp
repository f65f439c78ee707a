#include "rope/parameters/suggest.hpp"

#include <algorithm>

namespace rope {
std::string alternatives(std::span<const std::string_view> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

std::string plain_word(std::string_view word) {
  std::string plain(word);
  for (char& c : plain) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '_') c = '-';
  }
  return plain;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> two_above(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    two_above = above;
    above = row;
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + changed});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], two_above[j - 2] + 1);
    }
  }
  return row.back();
}

namespace {

/// The only known word that begins with `word`, or nothing.
std::string only_completion(std::string_view word, const std::vector<std::string>& known) {
  std::string found;
  for (const std::string& candidate : known) {
    if (!candidate.starts_with(word)) continue;
    if (!found.empty()) return {};
    found = candidate;
  }
  return found;
}

}  // namespace

std::string likely_word(std::string_view word, const std::vector<std::string>& known) {
  // An option's dashes tell nothing; a long word is no slip of the finger.
  const std::size_t dashes = std::min(word.find_first_not_of('-'), word.size());
  const std::size_t letters = word.size() - dashes;
  if (letters == 0 || letters > 40) return {};
  if (std::string completion = only_completion(word, known); !completion.empty()) return completion;
  std::size_t best = std::max<std::size_t>(1, letters / 3) + 1;
  std::string found;
  for (const std::string& candidate : known) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best) {
      best = distance;
      found = candidate;
    }
  }
  return found;
}

}  // namespace rope
