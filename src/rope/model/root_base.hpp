#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rope/model/typed_root.hpp"

namespace rope {

/// The base that is meant where a file and its class name none.
inline constexpr double kUsualBase = 10000;

/// The base b of θ_i = b^(−2i/r) that the root of a config.json gives to all layers.
struct RootBase {
  double base = kUsualBase;
  std::string_view key = "rope_theta";  ///< that gives it
  std::optional<double> rope_theta;     ///< where the base is that key's
  std::vector<std::string> notes;
  std::string missing;  ///< a warning, due where no layer's own parameters give a base; or empty
};

/// Reads it under whichever key the class of the model has it, or takes the one that its code
/// holds.
RootBase read_root_base(const TypedRoot& root);

}  // namespace rope
