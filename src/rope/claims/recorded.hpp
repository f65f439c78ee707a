#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace rope::claims {

/// The output that a script once printed, and the versions it used: a file in data/claims/recorded.
/// The script is stored next to that file, so that anyone can run it again.
struct Record {
  std::string name;                            ///< "torch_calls"
  std::string script;                          ///< "torch_calls.py"
  std::map<std::string, std::string> made_by;  ///< versions: "torch" → "1.13.0a0"
  std::string date;                            ///< "2026-11"
  std::map<std::string, std::vector<double>, std::less<>> values;
};

/// Every record, as compiled into the program.
const std::vector<Record>& records();

/// The numbers stored under that name in a record.
///
/// Throws    DomainError if there is no such record or value.
const std::vector<double>& recorded(std::string_view record, std::string_view value);

/// Reads one record.
///
/// Throws    rope::Error that names the file and the field, for anything that is not such a
///           document.
Record read_record(std::string_view json, const std::string& file);

}  // namespace rope::claims
