#include "rope/model/engine.hpp"

#include <algorithm>

namespace rope {

std::string_view name(Engine engine) { return kEngineNames.at(static_cast<std::size_t>(engine)); }

std::optional<Engine> engine_of(std::string_view name) {
  const auto* const found = std::ranges::find(kEngineNames, name);
  if (found == kEngineNames.end()) return std::nullopt;
  return static_cast<Engine>(found - kEngineNames.begin());
}

}  // namespace rope
