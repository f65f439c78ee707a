#include "glossary/report.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "rope/io/json_value.hpp"
#include "usage/wrapped.hpp"

namespace rope::app {
namespace {

/// The signs of formulas alone, and how they are spelt without them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kSigns = {{{"π", "pi"},
                                                                                  {"Σ", "sum"},
                                                                                  {"γ", "gamma"},
                                                                                  {"ρ", "rho"},
                                                                                  {"σ", "sigma"},
                                                                                  {"β", "beta"},
                                                                                  {"ζ", "zeta"},
                                                                                  {"ω", "omega"},
                                                                                  {"→", "->"}}};

std::string spelt(std::string_view text, const Console& console) {
  std::string result(text);
  if (console.unicode()) return result;
  for (const auto& [sign, letters] : kSigns)
    for (std::size_t at = 0; (at = result.find(sign, at)) != std::string::npos;
         at += letters.size())
      result.replace(at, sign.size(), letters);
  return for_locale(result);
}

std::string line(std::string_view title, const std::vector<std::string>& items,
                 const Console& console) {
  if (items.empty()) return {};
  std::vector<std::string> told;
  told.reserve(items.size());
  for (const std::string& item : items) told.push_back(spelt(item, console));
  told.front().insert(0, std::string(title) + ": ");
  return wrapped_list(told, 0);
}

}  // namespace

std::string term_report(const Term& term, const Console& console) {
  const std::string title =
      spelt(std::string(term.name) + ": " + std::string(term.few_words), console);
  std::string text = wrapped(title) + "\n";
  if (!term.formula.empty()) text += wrapped(spelt(term.formula, console), 4) + "\n";
  text += wrapped(spelt(term.explanation, console)) + "\n";
  text += line("Also called", parts_of(term.aliases), console);
  text += line("See also", parts_of(term.related), console);
  return text + "Try: " + std::string(term.command) + "\n";
}

std::string term_list(const Console& console) {
  std::size_t indent = 0;
  for (const Term& term : terms())
    indent = std::max(indent, characters(spelt(term.name, console)) + 4);
  std::string text;
  for (const Term& term : terms())
    text += entry(spelt(term.name, console), spelt(term.few_words, console), indent);
  return text + "\nrope glossary TERM explains one, with its formula.\n";
}

std::string term_json(std::span<const Term> terms) {
  io::JsonValue document = {{"schema", "rope.glossary/1"}};
  document.add("terms", io::json_list(terms, [](const Term& term) {
                 return io::JsonValue{{"term", term.name},
                                      {"aliases", parts_of(term.aliases)},
                                      {"summary", term.few_words},
                                      {"formula", term.formula},
                                      {"explanation", term.explanation},
                                      {"related", parts_of(term.related)},
                                      {"command", term.command}};
               }));
  return document.document();
}

}  // namespace rope::app
