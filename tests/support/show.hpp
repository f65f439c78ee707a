#pragma once

#include <cstdio>
#include <string>

namespace rope::test {

/// A number as people read it and as the machine holds it.
inline std::string show(double value) {
  char text[80];
  std::snprintf(text, sizeof text, "%.17g (%a)", value, value);
  return text;
}

}  // namespace rope::test
