#include "rope/diagnose/remedies.hpp"

#include "rope/diagnose/frequencies/round_numbers.hpp"
#include "rope/scaling/scaling.hpp"

namespace rope {
namespace {

constexpr int kAllDigits = 15;

std::string in_config(std::string_view key, double number, ParameterDomain domain) {
  const std::string value = domain == ParameterDomain::flag ? (number != 0 ? "true" : "false")
                                                            : plain_number(number, kAllDigits);
  return ", \"" + std::string(key) + "\": " + value;
}

}  // namespace

std::string config_keys(const ScalingSpec& spec) {
  if (spec.rule == "default") return R"(remove "rope_scaling" from config.json)";
  const ScalingRule* const rule = find_scaling_rule(spec.rule);
  if (rule == nullptr || !rule->in_config)
    return "config.json has no key for " + spec.rule + ": pass --scaling " + scaling_text(spec);
  std::string text = R"(write "rope_scaling": {"rope_type": ")" + std::string(rule->name) + "\"";
  for (const Parameter& parameter : rule->parameters) {
    if (parameter.config_key.empty()) continue;
    const std::string name(parameter.name);
    if (const auto number = spec.numbers.find(name); number != spec.numbers.end())
      text += in_config(parameter.config_key, number->second, parameter.domain);
    if (const auto list = spec.lists.find(name); list != spec.lists.end())
      text += ", \"" + std::string(parameter.config_key) + "\": [" +
              std::to_string(list->second.size()) + " numbers, as --json lists them]";
  }
  return text + "} into config.json";
}

std::string reorder_rows(std::string_view from, std::string_view to, std::size_t rotary_dim,
                         const HeadShape& shape) {
  const std::string half = std::to_string(rotary_dim / 2);
  const std::string rows = from == "interleaved"
                               ? "row j·" + half + " + k becomes the old row 2k + j"
                               : "row 2k + j becomes the old row j·" + half + " + k";
  std::string line =
      "rope convert model.safetensors --from " + std::string(from) + " --to " + std::string(to);
  if (shape.heads > 0) line += " --heads " + std::to_string(shape.heads);
  if (shape.head_dim > 0) line += " --head-dim " + std::to_string(shape.head_dim);
  if (shape.head_dim > rotary_dim) line += " --rotary-dim " + std::to_string(rotary_dim);
  return "in every head of q_proj and k_proj, " + rows + " (j = 0, 1): " + line +
         " -o converted.safetensors (and --kv-heads, if keys have fewer)";
}

}  // namespace rope
