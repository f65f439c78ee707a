#include "rope/model/rule_input.hpp"

#include <nlohmann/json.hpp>

#include "rope/error.hpp"
#include "rope/model/rope_keys.hpp"
#include "rope/scaling/rules.hpp"

namespace rope {

const Parameter& RuleInput::declared(std::string_view name) const {
  return *find_parameter(rule.parameters, name);
}

std::string RuleInput::key(std::string_view name) const {
  return fields.path() + std::string(config_key(name));
}

std::optional<double> RuleInput::number(std::string_view name) const {
  return optional_number(layer.spec, name);
}

std::string RuleInput::context_text() const {
  return facts.context ? std::to_string(*facts.context) : "unknown";
}

double RuleInput::implied_factor() const {
  require_context();
  return static_cast<double>(*facts.context) / static_cast<double>(*layer.original_context);
}

void RuleInput::require(std::string_view name, std::string_view expected) const {
  if (fields.has(config_key(name))) return;
  throw Error(ErrorKind::invalid_input,
              key(name) + ": expected " + std::string(expected) + " with rope_type " +
                  layer.rope_type + ", found nothing" + near_key(fields, config_key(name)),
              "transformers rejects this too: add " + std::string(config_key(name)) + ".");
}

void RuleInput::require_context() const {
  if (facts.context) return;
  throw Error(ErrorKind::invalid_input,
              "max_position_embeddings: expected a number of positions for rope_type " +
                  layer.rope_type + ", found nothing",
              "The rule needs this number: add max_position_embeddings.");
}

void RuleInput::take(std::string_view name) const {
  const Parameter& parameter = declared(name);
  if (name == "original") return take_original();
  if (parameter.list) return take_list(parameter);
  std::optional<double> value;
  if (parameter.domain == ParameterDomain::flag)
    value = fields.flag(parameter.config_key);
  else
    value = fields.number(parameter.config_key);
  if (value) layer.spec.numbers.insert_or_assign(std::string(name), *value);
  if (name == "factor") check_factor();
  if (name == "attention_factor") check_attention_factor();
}

void RuleInput::take_all() const {
  for (const Parameter& parameter : rule.parameters) {
    if (parameter.config_key.empty() || number(parameter.name)) continue;
    if (parameter.required && parameter.name == "factor") require_factor();
    if (parameter.required) require(parameter.name, expected_value(parameter));
    take(parameter.name);
    if (parameter.required && !parameter.list && !number(parameter.name))
      fields.refuse(parameter.config_key, "a number", "Write " + expected_value(parameter) + ".");
  }
}

/// The length before extension: the root's counts, then the rule's own, then the whole context.
void RuleInput::take_original() const {
  const std::optional<std::int64_t> own = fields.positive_integer(config_key("original"));
  if (own && facts.root_original && *own != *facts.root_original)
    warn(key("original") + ": " + std::to_string(*facts.root_original) +
         " at the root takes precedence, and " + std::to_string(*own) +
         " here is ignored: keep only one");
  layer.original_context = facts.root_original ? facts.root_original : own;
  if (!layer.original_context) {
    require_context();
    layer.original_context = facts.context;
    warn(key("original") + " is missing, so max_position_embeddings, " + context_text() +
         ", is used as the length before extension: set the trained length" +
         near_key(fields, config_key("original")));
  }
  layer.spec.numbers["original"] = static_cast<double>(*layer.original_context);
}

void RuleInput::take_list(const Parameter& parameter) const {
  const auto list = fields.numbers(parameter.config_key);
  if (list) layer.spec.lists.insert_or_assign(std::string(parameter.name), *list);
}

void RuleInput::check_factor() const {
  const std::optional<double> factor = number("factor");
  if (factor && *factor < 1)
    warn(key("factor") + ": " + shown(*factor) + " is below 1, so " +
         (rule.name == "dynamic" ? "the pairs slow down by less than the growth in length"
                                 : "the pairs turn faster and the context shrinks") +
         ": write the ratio of the new length to the old, above 1");
  const bool implied = !declared("factor").otherwise.empty();
  if (!factor && !implied && fields.has("factor"))
    fields.refuse("factor", "a number", "Write the ratio of the new length to the old.");
}

void RuleInput::check_attention_factor() const {
  const std::optional<double> value = number("attention_factor");
  if (value && !(*value > 0))
    throw Error(ErrorKind::invalid_input,
                key("attention_factor") + ": expected a number above 0, found " + shown(*value),
                "This factor scales cos and sin; leave it out to have it computed from factor.");
}

}  // namespace rope
