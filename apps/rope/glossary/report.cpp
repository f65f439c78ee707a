#include "glossary/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "shown/table.hpp"
#include "shown/text.hpp"

namespace rope::app {
namespace {

using glossary::Term;

constexpr Phrase kColon = {": ", "："};
constexpr Phrase kAlso = {"Also called", "又称"};
constexpr Phrase kRelated = {"See also", "参见"};
constexpr Phrase kCommand = {"Try", "亲自看"};
constexpr Phrase kEnd = {"rope glossary TERM explains one, with its formula.",
                         "rope glossary 底数 解释其中一个，并给出公式。"};

/// Its name; in Chinese with the one that reports write: 底数（base）.
std::string heading(const Term& term, Language language) {
  if (language == Language::en || term.name.zh == term.name.en) return term.name.en;
  return term.name.zh + "（" + term.name.en + "）";
}

/// What else it is called; in Chinese in both languages.
std::vector<std::string> other_names(const Term& term, Language language) {
  if (language == Language::en) return term.also.en;
  std::vector<std::string> names = term.also.zh;
  names.insert(names.end(), term.also.en.begin(), term.also.en.end());
  return names;
}

std::vector<std::string> related_names(const Term& term, Language language) {
  std::vector<std::string> names;
  for (const std::string& name : term.related)
    names.push_back(in(language, glossary::term_named(name).name));
  return names;
}

}  // namespace

void print_term(const Term& term, Language language, const Console& console) {
  const std::string& few_words = in(language, term.few_words);
  console.say(console.paint(
      Ink::strong, heading(term, language) + std::string(word(kColon, language)) + few_words));
  console.print("\n");
  if (const std::string& formula = in(language, term.formula); !formula.empty()) {
    console.say(formula, 4);
    console.print("\n");
  }
  console.say(in(language, term.explanation));
  console.print("\n");
  if (const std::vector<std::string> names = other_names(term, language); !names.empty())
    console.say(labelled(kAlso, joined(names, language), language));
  console.say(labelled(kRelated, joined(related_names(term, language), language), language));
  console.print(labelled(kCommand, term.command, language) + "\n");
}

void print_terms(Language language, const Console& console) {
  const bool chinese = language == Language::zh;
  constexpr auto kLeft = Table::Align::left;
  Table table(chinese ? std::vector<Table::Column>{{"", kLeft}, {"", kLeft}, {"", kLeft}}
                      : std::vector<Table::Column>{{"", kLeft}, {"", kLeft}});
  for (const Term& term : glossary::terms()) {
    std::vector<std::string> row = {term.name.en, in(language, term.few_words)};
    if (chinese) row.insert(row.begin(), term.name.zh);
    table.add_row(std::move(row));
  }
  console.print(table);
  console.say(word(kEnd, language));
}

}  // namespace rope::app
