#pragma once

// Used by the code that reads tensors; not meant for other code.

#include <memory>

#include "rope/io/input_file.hpp"
#include "rope/io/tensor_place.hpp"

namespace rope::io {

/// The elements of a tensor that is stored in Fortran order, presented as a file that contains them
/// in C order from its first byte on.
///
/// Cost      the file is traversed once for each 256 MiB of its elements, which are then held in
///           memory, so that reading them in order does not traverse the file again.
/// Edge      not thread-safe.
std::shared_ptr<const InputFile> in_c_order(const TensorPlace& place,
                                            std::shared_ptr<const InputFile> file);

}  // namespace rope::io
