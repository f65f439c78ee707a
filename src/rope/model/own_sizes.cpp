#include "rope/model/own_sizes.hpp"

#include <algorithm>
#include <cmath>

namespace rope {

std::size_t rotary_dim_of_clvp(const Fields& root, std::int64_t heads_of_class,
                               std::size_t head_dim) {
  constexpr std::int64_t kProjection = 768;  // of its class
  constexpr std::int64_t kLeast = 32;
  const auto heads = root.positive_integer("num_attention_heads").value_or(heads_of_class);
  const auto projection = root.positive_integer("projection_dim").value_or(kProjection);
  return std::min(static_cast<std::size_t>(std::max(projection / (2 * heads), kLeast)), head_dim);
}

bool is_long_zamba(const Fields& root, double base, std::size_t head_dim) {
  if (!root.flag("use_long_context").value_or(false)) return false;
  // configuration_zamba2.py of 4.55
  constexpr double kRaise = 8;
  const auto d = static_cast<double>(head_dim);
  root.warn(root.path() + "use_long_context sets " + std::to_string(kContextOfLongZamba) +
            " tokens, and in v4 raises the base to " +
            shown(std::round(base * std::pow(kRaise, d / (d - 2)))) +
            ", which v5 and this report do not: look which version it was trained with");
  return true;
}

}  // namespace rope
