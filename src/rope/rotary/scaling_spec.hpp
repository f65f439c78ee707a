#pragma once

// A scaling rule and its parameters as data, as read by parse_scaling and kept in RotaryEmbedding.

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace rope {

/// The name and parameters of a rule that changes frequencies, such as yarn with factor=4 and
/// original=32768. rope/scaling/scaling.hpp lists the rules and their parameters.
struct ScalingSpec {
  std::string rule = "default";
  std::map<std::string, double, std::less<>> numbers;             ///< switches are 0 and 1
  std::map<std::string, std::vector<double>, std::less<>> lists;  ///< one number per pair

  friend bool operator==(const ScalingSpec&, const ScalingSpec&) = default;
};

}  // namespace rope
