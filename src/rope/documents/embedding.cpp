#include "rope/documents/embedding.hpp"

namespace rope {
namespace {

/// A parameter as it is given: a number, true or false, or a word.
io::JsonValue parameter_json(const Parameter& parameter, double value) {
  switch (parameter.domain) {
    case ParameterDomain::choice:
      return parameter_text(parameter, value);
    case ParameterDomain::flag:
      return value != 0;
    case ParameterDomain::whole:
      return static_cast<std::int64_t>(value);
    default:
      return value;
  }
}

}  // namespace

io::JsonValue parameters_json(const EncodingSpec& spec, const ParameterValues& values) {
  io::JsonValue json = io::JsonValue::object();
  for (const Parameter& parameter : spec.entry->parameters)
    json.add(parameter.name, parameter_json(parameter, values.number(parameter.name)));
  return json;
}

io::JsonValue scaling_json(const ScalingSpec& spec) {
  io::JsonValue object = {{"rule", spec.rule}};
  object.add(spec.numbers);
  object.add(spec.lists);
  return object;
}

io::JsonValue axes_json(const Axes& axes) {
  std::vector<std::size_t> pairs;
  for (std::size_t axis = 0; axis < axes.count(); ++axis) pairs.push_back(axes.pairs_of(axis));
  const std::vector<int> of_pair(axes.of_pair.begin(), axes.of_pair.end());
  return {{"names", axes.names},
          {"pairs", pairs},
          {"of_pair", of_pair},
          {"own_series", axes.own_series},
          {"own_block", axes.own_block}};
}

io::JsonValue rotary_json(const RotaryEmbedding& embedding) {
  io::JsonValue json = {{"head_dim", embedding.head_dim},
                        {"rotary_dim", embedding.rotary_dim()},
                        {"base", embedding.base},
                        {"layout", name(embedding.layout)},
                        {"attention_factor", embedding.attention_factor},
                        {"scaling", scaling_json(embedding.scaling)},
                        {"max_positions", embedding.max_positions},
                        {"seq_len", embedding.seq_len}};
  if (embedding.axes.several()) json.add("axes", axes_json(embedding.axes));
  return json;
}

}  // namespace rope
