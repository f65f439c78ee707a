#pragma once

// What a scaling rule did to each pair: RotaryEmbedding::bands and Scaled::bands list it by pair.

#include <string_view>

#include "rope/print.hpp"

namespace rope {

/// What a context extension did to the frequency of a pair.
enum class Band {
  kept,     ///< θ_i is unchanged
  blended,  ///< θ_i lies between the kept and the scaled value
  scaled,   ///< θ_i is divided by the whole factor, or replaced by a value from the rule
  off,      ///< θ_i is set to 0: the pair never turns
};

constexpr std::string_view name(Band band) {
  switch (band) {
    case Band::blended:
      return "blended";
    case Band::scaled:
      return "scaled";
    case Band::off:
      return "off";
    case Band::kept:
      break;
  }
  return "kept";
}

}  // namespace rope
