#include <array>
#include <string>

#include "glossary/find_term.hpp"
#include "glossary/report.hpp"
#include "usage/command.hpp"
#include "usage/output.hpp"

namespace rope::app {
namespace {

constexpr std::size_t kMostWords = 8;

struct Glossary final : Invocation {
  static constexpr std::array kFormats = {Format::json};
  static constexpr std::array<std::string_view, 3> kExamples = {
      "rope glossary", "rope glossary mean cosine", "rope glossary theta --json"};

  std::vector<std::string> words;
  OutputOptions output{kFormats};

  void declare(OptionSet& options) override {
    options.operands("[TERM]", "a term, in one word or several; without one all are listed",
                     kMostWords, words);
    output.declare(options);
    std::vector<std::string> names;
    for (const Term& term : terms())
      if (term.name.find(' ') == std::string_view::npos) names.emplace_back(term.name);
    options.operands_take(false, std::move(names));
  }

  ExitCode run(Console& console) override {
    std::string wanted;
    for (const std::string& word : words) wanted.append(wanted.empty() ? "" : " ").append(word);
    const std::span<const Term> chosen =
        words.empty() ? terms() : std::span<const Term>(&find_term(wanted), 1);
    const OutputPlan plan = plan_output(output);
    Products products;
    products.report = [&](const Console& out) {
      words.empty() ? print_terms(out) : print_term(chosen.front(), out);
    };
    products.json = [&] { return term_json(chosen); };
    write_output(plan, products, console);
    return ExitCode::done;
  }
};

}  // namespace

extern constinit const Command glossary_command =
    command_of<Glossary>("glossary", "Explain a term of the output, with its formula.");

}  // namespace rope::app
