#include "named/policy_option.hpp"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "rope/parameters/suggest.hpp"
#include "usage/numbers.hpp"

namespace rope::app {

Policy policy_option(std::string_view option, const std::string& text) {
  const std::string word = text.substr(0, text.find(','));
  if (word.find('=') == std::string::npos && !find_policy(word)) {
    std::vector<std::string> names;
    for (const Policy& policy : policies()) names.push_back(policy.name);
    const std::string likely = likely_word(word, names);
    refuse(option, fmt::format("one of {}, or key=format,...", fmt::join(names, ", ")),
           io::in_quotes(word), likely.empty() ? "" : fmt::format("Did you mean '{}'?", likely));
  }
  try {
    return parse_policy(text);
  } catch (const Error& error) {
    // "policy: table: expected …" becomes "--policy: table: expected …".
    const std::string what = error.what();
    throw Error(error.kind(), std::string(option) + what.substr(what.find(':')), error.remedy());
  }
}

Hypotheses read_hypotheses(const Arguments& arguments) {
  Hypotheses hypotheses;
  if (const std::optional<std::string> text = arguments.value("--libm-ulp")) {
    hypotheses.libm_ulp = real_option("--libm-ulp", *text, "a number from 0.5 to 1024");
    if (!(hypotheses.libm_ulp >= 0.5 && hypotheses.libm_ulp <= 1024))
      refuse("--libm-ulp", "a number from 0.5 to 1024", io::in_quotes(*text));
  }
  return hypotheses;
}

}  // namespace rope::app
