# Plants mistakes in a copy of the source and expects layers.cmake to name each.
cmake_policy(VERSION 3.25)

# check_copy(EXPECTED [FILE TEXT]): copies the source, appends TEXT to FILE there, runs layers.cmake
# and expects it to fail with EXPECTED, or to pass if EXPECTED is empty.
function(check_copy expected)
  file(REMOVE_RECURSE ${SCRATCH_DIR})
  file(COPY ${SOURCE_DIR}/src/rope DESTINATION ${SCRATCH_DIR}/src)
  if(ARGC GREATER 1)
    file(APPEND ${SCRATCH_DIR}/${ARGV1} "${ARGV2}\n")
  endif()
  execute_process(
    COMMAND ${CMAKE_COMMAND} -DSOURCE_DIR=${SCRATCH_DIR} -P ${CMAKE_CURRENT_LIST_DIR}/layers.cmake
    RESULT_VARIABLE result ERROR_VARIABLE said OUTPUT_VARIABLE said)
  if(expected STREQUAL "")
    if(NOT result EQUAL 0)
      message(FATAL_ERROR "a clean copy was refused: ${said}")
    endif()
  elseif(result EQUAL 0)
    message(FATAL_ERROR "nobody noticed '${ARGV2}' in ${ARGV1}")
  else()
    string(REGEX REPLACE "[ \n]+" " " said "${said}")
    string(FIND "${said}" "${expected}" at)
    if(at EQUAL -1)
      message(FATAL_ERROR "expected '${expected}' for '${ARGV2}' in ${ARGV1}, got: ${said}")
    endif()
  endif()
endfunction()

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
