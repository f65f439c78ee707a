#include "rope/glossary/find_term.hpp"

#include <algorithm>

#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "rope/parameters/suggest.hpp"

namespace rope::glossary {
namespace {

/// A name of a term.
struct Name {
  const std::string* text;
  FoundTerm found;
};

/// Every name of every term: all English ones, then the Chinese ones.
std::vector<Name> all_names() {
  std::vector<Name> names;
  for (const Term& term : terms()) {
    names.push_back({&term.name.en, {&term, Language::en}});
    for (const std::string& other : term.also.en) names.push_back({&other, {&term, Language::en}});
  }
  for (const Term& term : terms()) {
    names.push_back({&term.name.zh, {&term, Language::zh}});
    for (const std::string& other : term.also.zh) names.push_back({&other, {&term, Language::zh}});
  }
  return names;
}

/// Lower case, without blanks, hyphens, underscores and commas.
std::string as_typed(std::string_view text) {
  std::string result(text);
  std::erase_if(result, [](char c) { return c == ',' || c == ' ' || c == '-' || c == '_'; });
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

[[noreturn]] void refuse_term(const std::string& word, const std::vector<Name>& names) {
  std::vector<std::string_view> near;
  const auto suggest = [&](const FoundTerm& found) {
    const std::string& name = in(found.language, found.term->name);
    if (std::ranges::count(near, name) == 0) near.emplace_back(name);
  };
  const std::string wanted = as_typed(word);
  std::vector<std::string> known;
  for (const Name& name : names) {
    known.push_back(as_typed(*name.text));
    if (!wanted.empty() && known.back().find(wanted) != std::string::npos) suggest(name.found);
  }
  if (near.empty())
    if (const std::string likely = likely_word(wanted, known); !likely.empty())
      suggest(find_term(likely));
  throw Error(
      ErrorKind::invalid_input, "unknown term " + io::in_quotes(word),
      near.empty() ? "rope glossary lists the terms." : "Did you mean " + alternatives(near) + "?");
}

}  // namespace

FoundTerm find_term(const std::string& word) {
  const std::vector<Name> names = all_names();
  auto found = std::ranges::find_if(  // R is not r
      names, [&](const Name& name) { return *name.text == word; });
  if (found == names.end())
    found = std::ranges::find_if(
        names, [&](const Name& name) { return as_typed(*name.text) == as_typed(word); });
  if (found == names.end()) refuse_term(word, names);
  // YaRN is as much an English name as a Chinese one.
  const auto english = std::ranges::find_if(names, [&](const Name& name) {
    return name.found.term == found->found.term && name.found.language == Language::en &&
           as_typed(*name.text) == as_typed(word);
  });
  return english == names.end() ? found->found : english->found;
}

}  // namespace rope::glossary
