// Every formula of data/glossary is that of docs/theory.md, scaling.md, accuracy.md or
// encodings.md.

#include "rope/glossary/term.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "rope/glossary/term_files.hpp"
#include "rope/io/json.hpp"

namespace rope::glossary {
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

}  // namespace

const std::vector<Term>& terms() {
  static const std::vector<Term> all = [] {
    std::vector<Term> read;
    for (const TermFile& file : term_files())
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

}  // namespace rope::glossary
