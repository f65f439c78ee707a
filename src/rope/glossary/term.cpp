// Every formula of data/glossary is that of docs/theory.md, scaling.md, accuracy.md or
// encodings.md.

#include "rope/glossary/term.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "rope/error.hpp"
#include "rope/io/data_file.hpp"
#include "rope/io/json.hpp"
#include "rope/io/quote.hpp"
#include "rope/parameters/suggest.hpp"

namespace rope::glossary {

io::DataFiles term_files();  // made by cmake/DataFiles.cmake

namespace {

/// In both languages, or one text for both.
Text text_of(const io::Json& value) {
  if (value.is_string()) return {value.get<std::string>(), value.get<std::string>()};
  return {value.at("zh").get<std::string>(), value.at("en").get<std::string>()};
}

Term term_of(const io::Json& entry) {
  Term term;
  term.name = text_of(entry.at("term"));
  term.also.zh = entry.at("also").at("zh").get<std::vector<std::string>>();
  term.also.en = entry.at("also").at("en").get<std::vector<std::string>>();
  term.few_words = text_of(entry.at("summary"));
  if (entry.contains("formula")) term.formula = text_of(entry.at("formula"));
  term.explanation = text_of(entry.at("explanation"));
  term.related = entry.at("related").get<std::vector<std::string>>();
  term.command = entry.at("command").get<std::string>();
  return term;
}

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

const std::vector<Term>& terms() {
  static const std::vector<Term> all = [] {
    std::vector<Term> read;
    for (const io::DataFile& file : term_files())
      for (const io::Json& entry : io::parse_json(file.text, std::string(file.name)))
        read.push_back(term_of(entry));
    return read;
  }();
  return all;
}

const Term& term_named(const std::string& name) {
  const auto found =
      std::ranges::find_if(terms(), [&](const Term& term) { return term.name.en == name; });
  if (found == terms().end()) throw std::logic_error("no term " + name);  // a mistake of ours
  return *found;
}

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
