#include <array>
#include <optional>
#include <string>

#include "glossary/report.hpp"
#include "rope/documents/glossary.hpp"
#include "rope/glossary/find_term.hpp"
#include "usage/command.hpp"
#include "usage/language_option.hpp"
#include "usage/output.hpp"

namespace rope::app {
namespace {

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
    options.operands("[TERM]", "a term, in one word or several; without one all are listed",
                     kMostWords, words);
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

extern constinit const Command glossary_command =
    command_of<Glossary>("glossary", kLearn, "Explain a term of the output, with its formula.");

}  // namespace rope::app
