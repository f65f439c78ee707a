#include "rope/language/said.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "rope/io/json.hpp"

namespace rope {
namespace {

using Entries = std::map<std::string, std::string, std::less<>>;

const Entries& chinese_entries() {
  static const Entries entries =
      io::parse_json(std::ranges::find(word_files(), "reports.zh", &io::DataFile::name)->text,
                     "reports.zh.json", io::RepeatedKeys::refused)
          .get<Entries>();
  return entries;
}

}  // namespace

std::string_view translated(std::string_view english, Language language) {
  if (language == Language::en) return english;
  const auto entry = chinese_entries().find(english);
  return entry == chinese_entries().end() ? english : entry->second;
}

}  // namespace rope
