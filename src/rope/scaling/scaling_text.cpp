#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <string>
#include <system_error>
#include <utility>

#include "rope/error.hpp"
#include "rope/parameters/parameters.hpp"
#include "rope/scaling/rules.hpp"
#include "rope/scaling/scaling.hpp"

namespace rope {
namespace {

/// "yarn:factor=4,original=32768" for yarn:4: a number alone is that of the first parameter.
std::string example_with(std::string_view name, std::string_view first) {
  const ScalingRule* const rule = find_scaling_rule(name);
  double number = 0;
  const char* const end = first.data() + first.size();
  const auto [stop, error] = std::from_chars(first.data(), end, number);
  if (rule == nullptr || rule->parameters.empty() || rule->parameters.front().list ||
      error != std::errc{} || stop != end)
    return {};
  return completed_example(
      {std::string(name), {{std::string(rule->parameters.front().name), number}}, {}});
}

}  // namespace

std::string completed_example(const ScalingSpec& given) {
  const ScalingRule* const rule = find_scaling_rule(given.rule);
  if (rule == nullptr) return {};
  std::string_view example = rule->example;
  std::string text(example.substr(0, example.find(':')));
  char mark = ':';
  std::map<std::string, double, std::less<>> others = given.numbers;
  for (example.remove_prefix(std::min(text.size() + 1, example.size())); !example.empty();) {
    const std::string_view item = example.substr(0, example.find(','));
    const std::string_view key = item.substr(0, item.find('='));
    const auto own = others.find(key);
    text.append(1, mark).append(own == others.end()
                                    ? std::string(item)
                                    : std::string(key) + "=" + number_text(own->second));
    if (own != others.end()) others.erase(own);
    mark = ',';
    example.remove_prefix(std::min(item.size() + 1, example.size()));
  }
  for (const auto& [key, value] : others)
    text.append(1, std::exchange(mark, ',')).append(key).append("=").append(number_text(value));
  return text;
}

ScalingSpec parse_scaling(std::string_view text) {
  constexpr ParameterGrammar kGrammar = {
      "scaling", "a rule",
      "Write RULE or RULE:key=value,…, for example yarn:factor=4,original=32768.", example_with};
  NamedValues named =
      parse_named_values(text, kGrammar, [](std::string_view name) -> std::span<const Parameter> {
        const ScalingRule* const rule = find_scaling_rule(name);
        return rule == nullptr ? std::span<const Parameter>() : rule->parameters;
      });
  return {std::move(named.name), std::move(named.values.numbers), std::move(named.values.lists)};
}

std::string scaling_text(const ScalingSpec& spec) {
  return named_values_text({spec.rule, {spec.numbers, spec.lists}});
}

std::string brief_scaling_text(const ScalingSpec& spec) {
  if (has_one_list(spec))
    return "divisors (" + std::to_string(spec.lists.begin()->second.size()) + ", one per pair)";
  std::string text = named_values_text({spec.rule, {spec.numbers, {}}});
  char mark = spec.numbers.empty() ? ':' : ',';
  for (const auto& [key, values] : spec.lists) {
    text += mark + key + "=(" + std::to_string(values.size()) + " numbers)";
    mark = ',';
  }
  return text;
}

}  // namespace rope
