#pragma once

#include "rope/io/suggest.hpp"

namespace rope::app {

using io::likely_word;

}  // namespace rope::app
