#include "named/policy_option.hpp"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "rope/parameters/suggest.hpp"

namespace rope::app {

Policy read_policy(const std::string& text) {
  const std::string word = text.substr(0, text.find(','));
  if (word.find('=') == std::string::npos && !find_policy(word)) {
    std::vector<std::string> names;
    for (const Policy& policy : policies()) names.push_back(policy.name);
    const std::string likely = likely_word(word, names);
    refuse("--policy", fmt::format("one of {}, or key=format,...", fmt::join(names, ", ")),
           io::in_quotes(word), likely.empty() ? "" : fmt::format("Did you mean '{}'?", likely));
  }
  return parse_policy(text);
}

Option& declare_libm_ulp(OptionSet& options, double& ulp) {
  return options.real("--libm-ulp X", "error of cos and sin that the bounds assume, in ulp", ulp,
                      {.least = 0.5, .most = 1024}, "1; CUDA 2");
}

}  // namespace rope::app
