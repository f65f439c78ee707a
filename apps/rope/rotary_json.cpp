#include "rotary_json.hpp"

#include <nlohmann/json.hpp>
#include <string>

namespace rope::app {

io::Json rotary_json(const RotaryEmbedding& embedding) {
  io::Json object;
  object["head_dim"] = embedding.head_dim;
  object["rotary_dim"] = embedding.rotary_dim();
  object["base"] = embedding.base ? io::Json(*embedding.base) : nullptr;
  object["layout"] = std::string(name(embedding.layout));
  object["scaling"] = embedding.scaling.rule;
  return object;
}

}  // namespace rope::app
