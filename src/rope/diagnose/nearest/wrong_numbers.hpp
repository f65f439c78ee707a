#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "rope/diagnose/nearest/best_fit.hpp"
#include "rope/diagnose/tensors.hpp"
#include "rope/precision/format.hpp"

namespace rope {

/// Which numbers of y are wrong, if the others are those of one convention up to rounding. Nothing
/// if none is right, or if some are neither right nor far off, as noise or another convention
/// leaves them.
///
/// `convention`: with one position per token. `storage`: the narrowest format that holds y.
std::optional<WrongNumbers> wrong_numbers(const RotatedTensors& tensors, const FitPart& convention,
                                          Format storage);

}  // namespace rope
