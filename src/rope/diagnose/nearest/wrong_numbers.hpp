#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "rope/diagnose/nearest/best_fit.hpp"
#include "rope/diagnose/tensors.hpp"
#include "rope/precision/format.hpp"

namespace rope {

/// Which numbers of y are wrong, if the others follow one convention up to rounding. Nothing if no
/// number is right, or if some are neither right nor far off, as with noise or another convention.
///
/// `convention`: has one position per token. `storage`: the narrowest format that holds y.
std::optional<WrongNumbers> wrong_numbers(const RotatedTensors& tensors, const FitPart& convention,
                                          Format storage);

}  // namespace rope
