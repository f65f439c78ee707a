#include "rope/documents/glossary.hpp"

#include "rope/documents/text.hpp"
#include "rope/io/json_value.hpp"

namespace rope {

std::string term_json(std::span<const glossary::Term> terms) {
  io::JsonValue document = {{"schema", "rope.glossary/2"}};
  document.add("terms", io::json_list(terms, [](const glossary::Term& term) {
                 return io::JsonValue{
                     {"term", text_json(term.name)},
                     {"aliases", io::JsonValue{{"zh", term.also.zh}, {"en", term.also.en}}},
                     {"summary", text_json(term.few_words)},
                     {"formula", text_json(term.formula)},
                     {"explanation", text_json(term.explanation)},
                     {"related", term.related},
                     {"command", term.command}};
               }));
  return document.document();
}

}  // namespace rope
