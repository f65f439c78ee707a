# The exact path refuses to be compiled with -ffast-math, and compiles without.
cmake_policy(VERSION 3.25)
set(compile ${COMPILER} -std=c++20 -fsyntax-only -I${SOURCE_DIR}/src -x c++
  ${SOURCE_DIR}/src/rope/rotary/turns_kernel.hpp)
execute_process(COMMAND ${compile} RESULT_VARIABLE plain ERROR_VARIABLE said)
if(NOT plain EQUAL 0)
  message(FATAL_ERROR "does not compile: ${said}")
endif()
execute_process(COMMAND ${compile} -ffast-math RESULT_VARIABLE fast ERROR_VARIABLE said)
if(fast EQUAL 0 OR NOT said MATCHES "without -ffast-math")
  message(FATAL_ERROR "compiled with -ffast-math, or failed for another reason: ${said}")
endif()
