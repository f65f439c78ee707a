#include "named/encoding_option.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "rope/language/said.hpp"

namespace rope::app {

void declare_encodings(OptionSet& options, std::vector<EncodingSpec>& specs,
                       std::string_view otherwise) {
  std::string names;
  for (const EncodingEntry& entry : encodings())
    names += (names.empty() ? "" : ", ") + std::string(entry.name);
  options
      .bound(
          "--encoding NAME:K=V,...",
          names +
              "; with parameters, for example t5:buckets=32,max_distance=128 (rope help encodings)",
          specs, parse_encoding, otherwise)
      .as_list();
  for (const EncodingEntry& entry : encodings())
    for (const Parameter& parameter : entry.parameters)
      options.add_parameter("--encoding", entry.name, parameter);
  options.take_words("--encoding", names_in(encodings()));
}

void check_different(const std::vector<EncodingSpec>& specs, const EncodingContext& context) {
  std::vector<std::pair<const EncodingEntry*, ParameterValues>> seen;
  for (const EncodingSpec& spec : specs) {
    std::pair found(spec.entry, encoding_values(spec, context));
    if (std::ranges::find(seen, found) != seen.end())
      refuse("--encoding", "different encodings", encoding_text(spec) + " twice",
             "Leave one of them out.");
    seen.push_back(std::move(found));
  }
}

std::string values_in_use(const std::vector<EncodingInUse>& encodings,
                          const EncodingContext& context, bool details, Language language) {
  std::vector<std::string> texts;
  for (const EncodingInUse& one : encodings) {
    const std::string values = rope::values_in_use(one.spec, one.values, details);
    if (values.empty()) continue;
    EncodingSpec given = one.spec;
    for (const auto& [name, value] : one.of_map.numbers)
      if (value == one.values.number(name)) given.given.numbers[name] = value;
    const std::string of_map = rope::values_in_use(given, one.of_map, false);
    const std::string_view title = translated(one.title, language);
    texts.push_back(of_map.empty() ? fmt::format("{} {}", title, values)
                                   : said(language, "{} {} (in maps {})", title, values, of_map));
  }
  if (texts.empty()) return {};
  return said(language, "In use, T = {}: {}.", context.trained,
              fmt::join(texts, word({"; ", "；"}, language)));
}

void warn_of_idle(const EncodingSpec& spec, const std::vector<std::string>& idle,
                  const EncodingContext& context, const Console& console) {
  for (const std::string& parameter : idle)
    console.warn(idle_text(
        spec, parameter,
        fmt::format("no score at these positions (T = {} tokens in training)", context.trained)));
}

}  // namespace rope::app
