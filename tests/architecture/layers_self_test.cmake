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
check_copy("io may know print, error, language, system and io alone, and depends on rotary"
  src/rope/CMakeLists.txt "rope_layer(io DEPENDS rope::rotary)")
check_copy("rotary depends on itself"
  src/rope/CMakeLists.txt "rope_layer(error DEPENDS rope::rotary)")
check_copy("shown does not open usage" apps/rope/shown/table.cpp "#include \"usage/arguments.hpp\"")
check_copy("usage does not open named" apps/rope/usage/help.hpp "#include \"named/positions.hpp\"")
check_copy("decay does not open inspect" apps/rope/decay/report.cpp "#include \"inspect/report.hpp\"")
check_copy("apply does not open report" apps/rope/apply/golden.cpp "#include \"report.hpp\"")
check_copy("there is no apps/rope/shown/absent.hpp"
  apps/rope/named/positions.cpp "#include \"shown/absent.hpp\"")
check_copy("apps/rope/decay/stray.cpp: not listed" apps/rope/decay/stray.cpp "")
check_copy("usage opens later, which does not stand above it"
  apps/rope/CMakeLists.txt "rope_room(usage OPENS later FILES help.cpp)")
check_copy("")  # each file is as it was
file(REMOVE_RECURSE ${SCRATCH_DIR})
