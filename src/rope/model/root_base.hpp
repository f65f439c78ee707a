#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rope/model/typed_root.hpp"

namespace rope {

/// The base that is assumed if neither a file nor its class specifies one.
inline constexpr double kUsualBase = 10000;

/// The base b of θ_i = b^(−2i/r) that the root of a config.json sets for all layers.
struct RootBase {
  double base = kUsualBase;
  std::string_view key = "rope_theta";  ///< the key that sets it
  std::optional<double> rope_theta;     ///< the base, if it comes from rope_theta
  std::vector<std::string> notes;
  /// The warning to issue if no layer's own parameters contain a base; or empty.
  std::string missing;
};

/// Reads the base from whichever key the class of the model uses, or takes the base fixed in its
/// code.
RootBase read_root_base(const TypedRoot& root);

}  // namespace rope
