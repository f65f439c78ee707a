# Plants mistakes in a copy of the installed headers and expects headers.cmake to name each.
cmake_policy(VERSION 3.25)

# check_copy(EXPECTED TEXT [OPTION …]): TEXT is what a further header, rope/stray.hpp, says; there is none if it is empty.
function(check_copy expected text)
  file(REMOVE_RECURSE ${SCRATCH_DIR}/include/rope/stray.hpp)
  if(text)
    file(WRITE ${SCRATCH_DIR}/include/rope/stray.hpp "#pragma once\n${text}\n")
  endif()
  execute_process(
    COMMAND ${CMAKE_COMMAND} -DPREFIX=${SCRATCH_DIR} -DCOMPILER=${COMPILER} -DEIGEN=${EIGEN} -DONLY=rope/stray.hpp ${ARGN}
      -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/headers.cmake
    RESULT_VARIABLE result ERROR_VARIABLE said OUTPUT_VARIABLE said)
  string(REGEX REPLACE "[ \n]+" " " said "${said}")
  string(FIND "${said}" "${expected}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "expected '${expected}' for '${text}', got: ${said}")
  endif()
endfunction()

file(REMOVE_RECURSE ${SCRATCH_DIR})
file(COPY ${PREFIX}/include DESTINATION ${SCRATCH_DIR})
check_copy("each compiles by itself" "namespace rope { inline int one() { return 1; } }")
check_copy("rope/stray.hpp does not compile by itself" "#include \"rope/rotary/turns_kernel.hpp\"")
check_copy("rope/stray.hpp does not compile by itself" "#include <Eigen/Core>")
check_copy("rope/stray.hpp does not compile by itself" "std::vector<int> numbers();")
set(warned_of "namespace rope { inline int one(int unused) { return 1; } }")
check_copy("each compiles by itself" "${warned_of}")
check_copy("rope/stray.hpp does not compile by itself" "${warned_of}" -DWERROR=ON)
check_copy("rope/stray.hpp includes /fmt/" "#include <fmt/core.h>")
check_copy("rope/stray.hpp includes /boost/" "#include <boost/version.hpp>")
execute_process(COMMAND ${COMPILER} --version OUTPUT_VARIABLE version)
execute_process(COMMAND ${COMPILER} -dumpmachine OUTPUT_VARIABLE machine)
if(version MATCHES "Free Software Foundation" AND machine MATCHES "^x86_64")
  check_copy("none computes with real numbers" "namespace rope { inline int one() { return 1; } }")
  check_copy("floating-point code in _ZN4rope3sumEdd: addsd"
    "namespace rope { inline double sum(double a, double b) { return a + b; } }")
  check_copy("floating-point code in _ZNK4rope4Part5valueEv: divsd"
    "namespace rope { struct Part { double a, b; double value() const { return a / b; } }; }")
endif()
foreach(number RANGE 1 10)
  file(WRITE ${SCRATCH_DIR}/include/rope/stray_${number}.hpp "")
endforeach()
check_copy("expected at most 46 headers" "#pragma once")
file(REMOVE ${SCRATCH_DIR}/include/rope/rope.hpp)
check_copy("rope/rope.hpp is missing" "#pragma once")
file(REMOVE_RECURSE ${SCRATCH_DIR})
