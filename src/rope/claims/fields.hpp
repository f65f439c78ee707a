#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "rope/claims/clause.hpp"
#include "rope/io/json.hpp"

namespace rope::claims {

/// Reads the members of a JSON object from data/ by name. `where` is the place that messages
/// mention: "S0-35, checks". The JSON object must outlive this one.
///
/// Throws    DomainError from all functions, for members that are missing, of the wrong type, or
///           left unread.
class Fields {
 public:
  Fields(const io::Json& object, std::string where);

  [[noreturn]] void refuse(const std::string& problem) const;

  const io::Json* find(const char* field);  ///< nullptr if it is missing
  const io::Json& need(const char* field);

  std::string words(const char* field);
  std::string words_if(const char* field);              ///< empty if it is missing
  std::vector<std::string> list_if(const char* field);  ///< one text or a list of them
  Text text(const char* field);                         ///< in both languages, or one text for both
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

/// Reads the fields `measure` and `of`.
Measurement read_measurement(Fields& fields);

/// Reads a comparison from an object that may contain nothing else.
Clause read_clause(Fields fields);

}  // namespace rope::claims
