#include "glossary/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "glossary/find_term.hpp"
#include "rope/io/json_value.hpp"
#include "shown/table.hpp"

namespace rope::app {
namespace {

std::string list_of(std::string_view items) {
  return fmt::format("{}", fmt::join(parts_of(items), ", "));
}

}  // namespace

void print_term(const Term& term, const Console& console) {
  console.say(console.paint(Ink::strong, fmt::format("{}: {}", term.name, term.few_words)));
  console.print("\n");
  if (!term.formula.empty()) {
    console.say(term.formula, 4);
    console.print("\n");
  }
  console.say(term.explanation);
  console.print("\n");
  if (!term.aliases.empty()) console.say("Also called: " + list_of(term.aliases));
  if (!term.related.empty()) console.say("See also: " + list_of(term.related));
  console.print(fmt::format("Try: {}\n", term.command));
}

void print_terms(const Console& console) {
  Table table({{"", Table::Align::left}, {"", Table::Align::left}});
  for (const Term& term : terms())
    table.add_row({std::string(term.name), std::string(term.few_words)});
  console.print(table);
  console.say("rope glossary TERM explains one, with its formula.");
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
