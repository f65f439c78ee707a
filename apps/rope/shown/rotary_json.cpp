#include "shown/rotary_json.hpp"

namespace rope::app {

io::JsonValue scaling_json(const ScalingSpec& spec) {
  io::JsonValue object = {{"rule", spec.rule}};
  object.add(spec.numbers);
  object.add(spec.lists);
  return object;
}

io::JsonValue rotary_json(const RotaryEmbedding& embedding) {
  return {{"head_dim", embedding.head_dim},
          {"rotary_dim", embedding.rotary_dim()},
          {"base", embedding.base},
          {"layout", name(embedding.layout)},
          {"attention_factor", embedding.attention_factor},
          {"scaling", scaling_json(embedding.scaling)},
          {"max_positions", embedding.max_positions},
          {"seq_len", embedding.seq_len}};
}

}  // namespace rope::app
