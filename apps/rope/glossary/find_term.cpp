#include "glossary/find_term.hpp"

#include <algorithm>

#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "rope/parameters/suggest.hpp"

namespace rope::app {
namespace {

/// Lower case, with blanks for hyphens and underscores and without commas.
std::string as_typed(std::string_view text) {
  std::string result(text);
  std::erase(result, ',');
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '-' || c == '_') c = ' ';
  }
  return result;
}

/// Its name and its aliases.
std::vector<std::string> names_of(const Term& term) {
  std::vector<std::string> names = parts_of(term.aliases);
  names.insert(names.begin(), std::string(term.name));
  return names;
}

[[noreturn]] void refuse_term(const std::string& word) {
  std::vector<std::string> known, near;
  for (const Term& term : terms()) {
    const std::vector<std::string> names = names_of(term);
    const auto holds = [&](const std::string& name) {
      return as_typed(name).find(as_typed(word)) != std::string::npos;
    };
    if (!word.empty() && std::ranges::any_of(names, holds)) near.emplace_back(term.name);
    for (const std::string& name : names) known.push_back(as_typed(name));
  }
  if (near.empty())
    if (const std::string likely = likely_word(as_typed(word), known); !likely.empty())
      near.emplace_back(find_term(likely).name);
  const std::vector<std::string_view> candidates(near.begin(), near.end());
  throw Error(ErrorKind::invalid_input, "unknown term " + io::in_quotes(word),
              near.empty() ? "rope glossary lists the terms."
                           : "Did you mean " + alternatives(candidates) + "?");
}

}  // namespace

std::vector<std::string> parts_of(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find("; "), text.size());
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 2, text.size()));
  }
  return parts;
}

const Term& find_term(const std::string& word) {
  const std::span<const Term> all = terms();
  const auto find = [&](const auto& is_meant) {
    return std::ranges::find_if(
        all, [&](const Term& term) { return std::ranges::any_of(names_of(term), is_meant); });
  };
  auto found = find([&](const std::string& name) { return name == word; });  // R is not r
  if (found == all.end())
    found = find([&](const std::string& name) { return as_typed(name) == as_typed(word); });
  if (found == all.end()) refuse_term(word);
  return *found;
}

}  // namespace rope::app
