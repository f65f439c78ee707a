#include "named/encoding_option.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace rope::app {

void declare_encodings(OptionSet& options, std::vector<EncodingSpec>& specs,
                       std::string_view otherwise) {
  std::string names;
  for (const EncodingEntry& entry : encodings())
    names += (names.empty() ? "" : ", ") + std::string(entry.name);
  options
      .bound("--encoding NAME:K=V,...",
             names + "; parameters below, for example t5:buckets=32,max_distance=128", specs,
             parse_encoding, otherwise)
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

}  // namespace rope::app
