#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "rope/claims/clause.hpp"
#include "rope/io/json.hpp"

namespace rope::claims {

/// A JSON object of data/ whose members are asked for by name, and the place of it that messages
/// name: "S0-35, checks". The object must outlive it.
///
/// Throws    DomainError throughout, for what is missing, of another kind, or left that nobody
///           asked for.
class Fields {
 public:
  Fields(const io::Json& object, std::string where);

  [[noreturn]] void refuse(const std::string& problem) const;

  const io::Json* find(const char* field);  ///< nullptr where it is not there
  const io::Json& need(const char* field);

  std::string words(const char* field);
  std::string words_if(const char* field);              ///< empty where it is not there
  std::vector<std::string> list_if(const char* field);  ///< one text or a list of them
  Text text(const char* field);                         ///< in both languages, or one for both
  Text text_if(const char* field);
  std::size_t whole(const char* field);  ///< an integer of at least 0

  Fields inside(const std::string& field, const io::Json& value) const;

  void all_taken() const;

 private:
  std::string words_of(const char* field, const io::Json& value) const;

  const io::Json* object_;
  std::string where_;
  std::set<std::string, std::less<>> taken_;
};

/// `measure` and `of`.
Measurement read_measurement(Fields& fields);

/// A comparison; nothing else may stand in its object.
Clause read_clause(Fields fields);

}  // namespace rope::claims
