#include "rope/scaling/rules.hpp"
#include "rope/scaling/scaling.hpp"

namespace rope {

ScalingSpec parse_scaling(std::string_view text) {
  constexpr ParameterGrammar kGrammar = {
      "scaling", "a rule",
      "Write RULE or RULE:key=value,…, for example yarn:factor=4,original=32768."};
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

}  // namespace rope
