#pragma once

#include <cstddef>
#include <cstdint>

#include "rope/model/fields.hpp"

namespace rope {

/// How much of a head CLVP rotates: modeling_clvp.py takes half of what would be a head of the
/// projection, at least 32.
std::size_t rotary_dim_of_clvp(const Fields& root, std::int64_t heads_of_class,
                               std::size_t head_dim);

/// Whether a Zamba 2 is one of long context; warns that versions differ on its base then.
bool is_long_zamba(const Fields& root, double base, std::size_t head_dim);

/// Its length, which its class sets whatever max_position_embeddings says.
inline constexpr std::int64_t kContextOfLongZamba = 16384;

}  // namespace rope
