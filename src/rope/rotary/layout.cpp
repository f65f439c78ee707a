#include "rope/rotary/layout.hpp"

namespace rope {

std::string_view name(PairLayout layout) {
  return layout == PairLayout::interleaved ? "interleaved" : "half";
}

std::string pair_text(PairLayout layout, std::size_t rotary_dim) {
  return layout == PairLayout::interleaved ? "(2i, 2i+1)"
                                           : "(i, i+" + std::to_string(rotary_dim / 2) + ")";
}

std::optional<PairLayout> pair_layout(std::string_view name) {
  for (const PairLayout layout : {PairLayout::interleaved, PairLayout::half})
    if (name == rope::name(layout)) return layout;
  return std::nullopt;
}

}  // namespace rope
