// The family `model`: what published models rotate, as the presets know it.
#include "rope/model/model_rope.hpp"

#include <array>

#include "rope/claims/families/families.hpp"
#include "rope/claims/families/outcomes.hpp"
#include "rope/claims/parameters.hpp"
#include "rope/error.hpp"
#include "rope/model/presets.hpp"

namespace rope::claims {
namespace model_family {
namespace {

LayerRope layer_of(Parameters& given) {
  const std::string name = given.word("model");
  if (!find_preset(name)) throw DomainError("there is no preset '" + name + "'");
  return preset_model(*find_preset(name)).layers.front();
}

Outcome base(Parameters& given) { return {{layer_of(given).base}, 0}; }
Outcome head_dim(Parameters& given) { return outcomes::whole(layer_of(given).head_dim); }
Outcome rotary_dim(Parameters& given) { return outcomes::whole(layer_of(given).rotary_dim); }

/// Of so many heads.
Outcome width(Parameters& given) {
  return outcomes::whole(given.count("heads") * layer_of(given).head_dim);
}

constexpr std::array kQuantities = {
    Quantity{"model.base", "b", base},
    Quantity{"model.head_dim", "size d of a head", head_dim},
    Quantity{"model.rotary_dim", "dimensions that are rotated together", rotary_dim},
    Quantity{"model.width", "heads × d", width},
};

}  // namespace
}  // namespace model_family

std::span<const Quantity> model_quantities() { return model_family::kQuantities; }

}  // namespace rope::claims
