#include "shown/rotary_json.hpp"

#include <string>
#include <utility>

namespace rope::app {
namespace {

void add_scaling(io::Json& object, const RotaryEmbedding& embedding) {
  io::Json parameters = io::Json::object();
  for (const auto& [key, value] : embedding.scaling.numbers) parameters[key] = value;
  for (const auto& [key, values] : embedding.scaling.lists) parameters[key] = values;
  object["scaling_parameters"] = std::move(parameters);
  object["max_positions"] = or_null(embedding.max_positions);
  object["seq_len"] = or_null(embedding.seq_len);
  object["attention_factor"] = embedding.attention_factor;
}

}  // namespace

io::Json scaling_json(const ScalingSpec& spec) {
  io::Json object;
  object["rule"] = spec.rule;
  for (const auto& [name, value] : spec.numbers) object[name] = value;
  for (const auto& [name, values] : spec.lists) object[name] = values;
  return object;
}

io::Json rotary_json(const RotaryEmbedding& embedding) {
  io::Json object;
  object["head_dim"] = embedding.head_dim;
  object["rotary_dim"] = embedding.rotary_dim();
  object["base"] = or_null(embedding.base);
  object["layout"] = std::string(name(embedding.layout));
  object["scaling"] = embedding.scaling.rule;
  if (embedding.scaling.rule != "default") add_scaling(object, embedding);
  return object;
}

}  // namespace rope::app
