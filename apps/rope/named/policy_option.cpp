#include "named/policy_option.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
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

std::string stages_text(const Policy& policy) {
  std::string text;
  const auto add = [&](std::string_view stage, rope::Format format) {
    text += fmt::format("{}{} {}", text.empty() ? "" : " → ", stage, limits(format).name);
  };
  add("θ", policy.frequency);
  text += fmt::format(", position {}", limits(policy.position).name);
  add("angle", policy.angle);
  if (policy.angle_rule == AngleRule::recurrence) text += " by k products";
  if (policy.angle_rule == AngleRule::scale_power) text += " by s^k";
  if (policy.reduced) text += " reduced";
  add("cos, sin", policy.table);
  add("rotate", policy.apply);
  add("store", policy.store);
  add(policy.sum == SumOrder::pairwise ? "sum pairwise" : "sum", policy.accumulate);
  return text;
}

io::Json policy_json(const Policy& policy) {
  const bool exact = policy.angle_rule == AngleRule::exact;
  return {{"name", policy.name},
          {"frequency", exact ? std::string_view("exact") : limits(policy.frequency).name},
          {"position", exact ? std::string_view("exact") : limits(policy.position).name},
          {"angle", exact ? std::string_view("exact") : limits(policy.angle).name},
          {"reduced", policy.reduced},
          {"table", limits(policy.table).name},
          {"apply", limits(policy.apply).name},
          {"store", limits(policy.store).name},
          {"accumulate", limits(policy.accumulate).name},
          {"dot", policy.sum == SumOrder::pairwise ? "pairwise" : "sequential"}};
}

}  // namespace rope::app
