# Plants mistakes in a copy of the source and expects layers.cmake to name each.
cmake_policy(VERSION 3.25)

set(rule layers)
include(${CMAKE_CURRENT_LIST_DIR}/check_copy.cmake)

check_copy("")
check_copy("rotary does not depend on attention"
  src/rope/rotary/layout.cpp "#include \"rope/attention/decay.hpp\"")
check_copy("random does not depend on rotary"
  src/rope/random/random.hpp "#  include <rope/rotary/layout.hpp>")
check_copy("io does not depend on rotary"
  src/rope/io/csv.cpp "#include \"rope/rotary/layout.hpp\"")
check_copy("error does not depend on io" src/rope/error.hpp "#include \"rope/io/csv.hpp\"")
check_copy("layout.hpp is not a path below src/"
  src/rope/rotary/turns.cpp "#include \"layout.hpp\"")
check_copy("there is no src/rope/rotary/absent.hpp"
  src/rope/attention/decay.cpp "#include \"rope/rotary/absent.hpp\"")
check_copy("src/rope/rotary/stray.hpp: not listed" src/rope/rotary/stray.hpp "#pragma once")
check_copy("src/rope/stray/stray.hpp: not listed" src/rope/stray/stray.hpp "#pragma once")
check_copy("io may know error alone, and depends on rotary"
  src/rope/CMakeLists.txt "rope_layer(io DEPENDS rope::rotary)")
check_copy("rotary depends on itself"
  src/rope/CMakeLists.txt "rope_layer(error DEPENDS rope::rotary)")
file(REMOVE_RECURSE ${SCRATCH_DIR})
