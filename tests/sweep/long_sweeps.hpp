#pragma once

#include <cstdint>

namespace rope::sweep {

/// Documented bounds beside the stated ones (support/documented_check.hpp), on all processors;
/// prints what was compared. Whether all was right.
bool run_documented(std::uint64_t first, std::uint64_t settings, std::uint64_t positions,
                    std::uint64_t cases);

/// Errors of cos_sin, on all processors; prints the largest. Whether none is beyond kCosSinError.
bool run_kernel(std::uint64_t angles);

}  // namespace rope::sweep
