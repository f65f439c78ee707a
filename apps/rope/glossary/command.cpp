#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <optional>
#include <string>

#include "rope/documents/glossary.hpp"
#include "rope/glossary/term.hpp"
#include "shown/table.hpp"
#include "shown/text.hpp"
#include "usage/command.hpp"
#include "usage/language_option.hpp"
#include "usage/output.hpp"

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

/// A term with its formula, what it means, and where to go on.
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

/// All terms with a few words each.
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
  console.print(table, word({"Terms of the output", "输出中的术语"}, language));
  console.say(word(kEnd, language));
}

constexpr std::size_t kMostWords = 8;

struct Glossary final : Invocation {
  static constexpr std::array kFormats = {Format::json};
  static constexpr std::array<std::string_view, 4> kExamples = {
      "rope glossary", "rope glossary mean cosine", "rope glossary base --lang zh",
      "rope glossary theta --json"};

  std::vector<std::string> words;
  std::optional<Language> language;
  OutputOptions output{kFormats};

  void declare(OptionSet& options) override {
    options.operands("[TERM]", "a term of one or more words (default: list all terms)", kMostWords,
                     words);
    options.choice("--lang LANGUAGE", "English or Chinese", language, kLanguages,
                   "the term's own; en for the list");
    options.often_used({"--lang"});
    output.declare(options);
    options.operands_listed("rope glossary lists the terms.");
    options.operands_take([] {
      std::vector<std::string> names;
      for (const glossary::Term& term : glossary::terms())
        if (term.name.en.find(' ') == std::string::npos) names.push_back(term.name.en);
      return names;
    });
  }

  ExitCode run(Console& console) override {
    std::string wanted;
    for (const std::string& word : words) wanted.append(wanted.empty() ? "" : " ").append(word);
    const glossary::FoundTerm found =
        words.empty() ? glossary::FoundTerm{} : glossary::find_term(wanted);
    const OutputPlan plan = plan_output(output);
    Products products;
    products.text = true;
    products.report = [&](const Console& out) {
      if (words.empty())
        print_terms(language.value_or(Language::en), out);
      else
        print_term(*found.term, language.value_or(found.language), out);
    };
    products.json = [&] {
      return term_json(words.empty() ? std::span(glossary::terms()) : std::span(found.term, 1));
    };
    write_output(plan, products, console);
    return ExitCode::done;
  }
};

}  // namespace

extern constinit const Command glossary_command = command_of<Glossary>(
    "glossary", kLearn, "Explain a term used in the output, with its formula.");

}  // namespace rope::app
