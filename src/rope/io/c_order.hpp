#pragma once

// For reading tensors; not for other layers.

#include <memory>

#include "rope/io/input_file.hpp"
#include "rope/io/tensor_place.hpp"

namespace rope::io {

/// The elements of a tensor that is stored in Fortran order, as if a file held them in C order,
/// from its first byte on.
///
/// Cost      the file is traversed once for every 256 MiB of it, which are then held in memory:
///           reading in order takes time in proportion, not in proportion to the square of the
///           size.
/// Edge      not thread-safe.
std::shared_ptr<const InputFile> in_c_order(const TensorPlace& place,
                                            std::shared_ptr<const InputFile> file);

}  // namespace rope::io
