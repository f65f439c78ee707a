#pragma once

// A scaling rule and its parameters as data: what parse_scaling reads and RotaryEmbedding keeps.

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace rope {

/// A rule that changes frequencies, by name, and its parameters: yarn with factor 4 and original
/// 32768. rope/scaling/scaling.hpp lists the rules and what each takes.
struct ScalingSpec {
  std::string rule = "default";
  std::map<std::string, double, std::less<>> numbers;             ///< switches are 0 and 1
  std::map<std::string, std::vector<double>, std::less<>> lists;  ///< one number per pair

  friend bool operator==(const ScalingSpec&, const ScalingSpec&) = default;
};

}  // namespace rope
