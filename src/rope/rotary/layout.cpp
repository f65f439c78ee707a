#include "rope/rotary/layout.hpp"

namespace rope {

std::string_view name(PairLayout layout) {
  return layout == PairLayout::interleaved ? "interleaved" : "half";
}

std::optional<PairLayout> pair_layout(std::string_view name) {
  for (const PairLayout layout : {PairLayout::interleaved, PairLayout::half})
    if (name == rope::name(layout)) return layout;
  return std::nullopt;
}

}  // namespace rope
