#include "rope/claims/fields.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "rope/error.hpp"

namespace rope::claims {
namespace {

/// What the quantity is compared with.
void read_compared(Fields& fields, const char* relation, Clause& clause) {
  const io::Json& value = fields.need(relation);
  if (clause.relation == Relation::explained) {
    if (value != true) fields.refuse("'explained' must be true or absent");
  } else if (value.is_object()) {
    Fields other = fields.inside(relation, value);
    clause.other = read_measurement(other);
    other.all_taken();
  } else {
    clause.says = fields.list_if(relation);
    if (clause.says.empty()) fields.refuse(std::string("'") + relation + "' is empty");
  }
  const bool needs_other = clause.relation == Relation::equals;
  const bool takes_other =
      needs_other || clause.relation == Relation::at_most || clause.relation == Relation::at_least;
  if (clause.other && !takes_other)
    fields.refuse(std::string("'") + relation + "' expects numbers as text");
  if (needs_other && !clause.other) fields.refuse("'equals' expects another quantity");
}

}  // namespace

Fields::Fields(const io::Json& object, std::string where)
    : object_(&object), where_(std::move(where)) {
  if (!object.is_object()) refuse("expected an object, found " + object.dump());
}

void Fields::refuse(const std::string& problem) const {
  throw DomainError(where_ + ": " + problem, "Correct the file in data.");
}

const io::Json* Fields::find(const char* field) {
  const auto found = object_->find(field);
  if (found == object_->end()) return nullptr;
  taken_.insert(field);
  return &*found;
}

const io::Json& Fields::need(const char* field) {
  if (const io::Json* value = find(field)) return *value;
  refuse(std::string("'") + field + "' is missing");
}

std::string Fields::words(const char* field) { return words_of(field, need(field)); }

std::string Fields::words_if(const char* field) {
  const io::Json* const value = find(field);
  return value == nullptr ? "" : words_of(field, *value);
}

std::vector<std::string> Fields::list_if(const char* field) {
  std::vector<std::string> all;
  const io::Json* const value = find(field);
  if (value == nullptr) return all;
  if (!value->is_array()) return {words_of(field, *value)};
  for (const io::Json& element : *value) all.push_back(words_of(field, element));
  return all;
}

Text Fields::text_if(const char* field) {
  const io::Json* const value = find(field);
  if (value == nullptr) return {};
  if (value->is_string()) return {value->get<std::string>(), value->get<std::string>()};
  Fields both = inside(field, *value);
  Text text{both.words("zh"), both.words("en")};
  both.all_taken();
  return text;
}

Text Fields::text(const char* field) {
  need(field);
  return text_if(field);
}

std::size_t Fields::whole(const char* field) {
  const io::Json& value = need(field);
  if (!value.is_number_unsigned())
    refuse(std::string("'") + field + "': expected an integer of at least 0");
  return value.get<std::size_t>();
}

Fields Fields::inside(const std::string& field, const io::Json& value) const {
  return {value, where_ + ", " + field};
}

void Fields::all_taken() const {
  for (const auto& [field, value] : object_->items())
    if (!taken_.contains(field)) refuse("no field is called '" + field + "'");
}

std::string Fields::words_of(const char* field, const io::Json& value) const {
  if (!value.is_string())
    refuse(std::string("'") + field + "': expected text, found " + value.dump());
  return value.get<std::string>();
}

Measurement read_measurement(Fields& fields) {
  Measurement measured{fields.words("measure"), "{}"};
  if (const io::Json* of = fields.find("of")) measured.parameters = of->dump();
  return measured;
}

Clause read_clause(Fields fields) {
  Clause clause;
  clause.measured = read_measurement(fields);
  const char* relation = nullptr;
  for (const auto& [word, value] : relations()) {
    if (fields.find(word.data()) == nullptr) continue;
    if (relation != nullptr) fields.refuse("give only one comparison at a time");
    relation = word.data();
    clause.relation = value;
  }
  if (relation == nullptr) fields.refuse("no comparison is given");
  read_compared(fields, relation, clause);
  if (const io::Json* changed = fields.find("fails_with")) clause.fails_with = changed->dump();
  clause.as = fields.text_if("as");
  fields.all_taken();
  return clause;
}

}  // namespace rope::claims
