#include "rope/claims/recorded.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "rope/error.hpp"
#include "rope/io/data_file.hpp"
#include "rope/io/json.hpp"

namespace rope::claims {

io::DataFiles record_files();  // made by cmake/DataFiles.cmake

namespace {

constexpr std::array<std::string_view, 4> kFields = {"script", "made_by", "date", "values"};

[[noreturn]] void refuse_record(const std::string& file, const std::string& problem) {
  throw DomainError(file + ".json: " + problem, "Run the script in data/claims/recorded again.");
}

std::vector<double> numbers_in(const io::Json& value, const std::string& file,
                               const std::string& name) {
  const io::Json list = value.is_array() ? value : io::Json::array({value});
  std::vector<double> numbers;
  for (const io::Json& number : list) {
    if (!number.is_number()) refuse_record(file, "'" + name + "': expected numbers");
    numbers.push_back(number.get<double>());
  }
  if (numbers.empty()) refuse_record(file, "'" + name + "' is empty");
  return numbers;
}

std::string words_in(const io::Json& value, const std::string& file, const std::string& name) {
  if (!value.is_string()) refuse_record(file, "'" + name + "': expected text");
  return value.get<std::string>();
}

}  // namespace

Record read_record(std::string_view json, const std::string& file) {
  const io::Json document = io::parse_json(json, file + ".json", io::RepeatedKeys::refused);
  if (!document.is_object() || document.size() != kFields.size())
    refuse_record(file, "expected script, made_by, date and values");
  for (const std::string_view field : kFields)
    if (!document.contains(field)) refuse_record(file, "'" + std::string(field) + "' is missing");
  if (!document["made_by"].is_object() || !document["values"].is_object())
    refuse_record(file, "'made_by' and 'values': expected objects");
  Record record;
  record.name = file;
  record.script = words_in(document["script"], file, "script");
  record.date = words_in(document["date"], file, "date");
  for (const auto& [program, version] : document["made_by"].items())
    record.made_by[program] = words_in(version, file, program);
  for (const auto& [name, value] : document["values"].items())
    record.values[name] = numbers_in(value, file, name);
  return record;
}

const std::vector<Record>& records() {
  static const std::vector<Record> all = [] {
    std::vector<Record> read;
    for (const io::DataFile& file : record_files())
      read.push_back(read_record(file.text, std::string(file.name)));
    return read;
  }();
  return all;
}

const std::vector<double>& recorded(std::string_view record, std::string_view value) {
  const auto found = std::ranges::find(records(), record, &Record::name);
  if (found == records().end())
    throw DomainError("there is no record '" + std::string(record) + "'");
  const auto numbers = found->values.find(value);
  if (numbers == found->values.end())
    throw DomainError("the record '" + std::string(record) + "' has no '" + std::string(value) +
                      "'");
  return numbers->second;
}

}  // namespace rope::claims
