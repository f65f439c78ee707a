# Plants comparisons that lose a NaN in a copy of the source and expects measured.cmake to name each.
cmake_policy(VERSION 3.25)
set(rule measured)
include(${CMAKE_CURRENT_LIST_DIR}/check_copy.cmake)

check_copy("")
check_copy("src/rope/precision/bounds.cpp: std::max(" src/rope/precision/bounds.cpp
  "double a = std::max(b, c);")
check_copy("src/rope/verify/verdict.cpp: std::min<" src/rope/verify/verdict.cpp
  "double a = std::min<double>(b, c);")
check_copy("src/rope/diagnose/verdict/judge.cpp: std::clamp(" src/rope/diagnose/verdict/judge.cpp
  "double a = std::clamp(b, 0.0, 1.0);")
check_copy("src/rope/verify/case_check.cpp: ranges::max_element(" src/rope/verify/case_check.cpp
  "double a = *std::ranges::max_element(b);")
check_copy("src/rope/verify/scheme.hpp: fmax(" src/rope/verify/scheme.hpp
  "double a = std::fmax(b, c);")
check_copy("" src/rope/verify/scheme.hpp
  "std::size_t a = std::min<std::size_t>(b, c);  // not std::min(b, c)")
file(REMOVE_RECURSE ${SCRATCH_DIR})
