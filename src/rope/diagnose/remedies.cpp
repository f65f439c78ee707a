#include "rope/diagnose/remedies.hpp"

#include <algorithm>
#include <cstdlib>

#include "rope/diagnose/frequencies/round_numbers.hpp"
#include "rope/scaling/scaling.hpp"

namespace rope {
namespace {

std::string in_config(std::string_view key, double number, ParameterDomain domain) {
  const std::string value =
      domain == ParameterDomain::flag ? (number != 0 ? "true" : "false") : all_digits(number);
  return ", \"" + std::string(key) + "\": " + value;
}

}  // namespace

std::string either(const std::string& in_y, const std::string& to_follow_y) {
  return "if y is your own, " + in_y + "; if it is the reference, " + to_follow_y;
}

std::string all_digits(double number) {
  constexpr int kEnough = 17;  // for every double
  int digits = 6;
  while (digits < kEnough && std::strtod(plain_number(number, digits).c_str(), nullptr) != number)
    ++digits;
  return plain_number(number, digits);
}

std::string follow_factor(const ScalingSpec& spec, double factor) {
  const ScalingRule* const rule = find_scaling_rule(spec.rule);
  const bool has_key = rule != nullptr && rule->in_config &&
                       std::ranges::any_of(rule->parameters, [](const Parameter& parameter) {
                         return parameter.name == "attention_factor";
                       });
  return has_key ? "set \"attention_factor\": " + all_digits(factor) + " in rope_scaling"
                 : "multiply your cos and sin by " + all_digits(factor);
}

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
                               ? "new row j·" + half + " + i is the old row 2i + j"
                               : "new row 2i + j is the old row j·" + half + " + i";
  std::string line =
      "rope convert model.safetensors --from " + std::string(from) + " --to " + std::string(to);
  if (shape.heads > 0) line += " --heads " + std::to_string(shape.heads);
  if (shape.head_dim > 0) line += " --head-dim " + std::to_string(shape.head_dim);
  if (shape.head_dim > rotary_dim) line += " --rotary-dim " + std::to_string(rotary_dim);
  return "in every head of q_proj and k_proj, " + rows + " (j = 0, 1): " + line +
         " -o converted.safetensors (and --kv-heads if keys have fewer heads)";
}

}  // namespace rope
