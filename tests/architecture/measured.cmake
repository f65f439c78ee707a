# cmake -DSOURCE_DIR=… -P measured.cmake
#
# A NaN that gets lost is a check that passes. std::max, std::min and their kin lose one that comes
# second, so precision, verify and diagnose compare real numbers by rope/precision/largest.hpp
# alone: the standard's are for whole numbers there, and say so: std::min<std::size_t>(a, b).
cmake_policy(VERSION 3.25)
set(whole "<(std::)?(u?int(8|16|32|64)_t|size_t|ptrdiff_t|int|unsigned|long)>")
set(problems "")
set(count 0)
foreach(layer precision verify diagnose)
  file(GLOB_RECURSE files RELATIVE ${SOURCE_DIR} ${SOURCE_DIR}/src/rope/${layer}/*.?pp)
  foreach(path IN LISTS files)
    file(READ ${SOURCE_DIR}/${path} text)
    string(REGEX REPLACE "//[^\n]*" "" text "${text}")
    string(REGEX REPLACE "(std|ranges)::(max|min|clamp|minmax)[ \n]*${whole}" "" text "${text}")
    string(REGEX MATCHALL
      "(f(max|min)[fl]?[ \n]*\\(|(std|ranges)::(max|min|clamp|minmax|max_element|min_element|minmax_element)[^a-z_:])"
      found "${text}")
    foreach(use IN LISTS found)
      string(STRIP "${use}" use)
      list(APPEND problems "${path}: ${use}")
    endforeach()
    math(EXPR count "${count} + 1")
  endforeach()
endforeach()
if(count LESS 40)
  message(FATAL_ERROR "measured: only ${count} files of precision, verify and diagnose were found")
endif()
if(problems)
  list(JOIN problems "\n  " problems)
  message(FATAL_ERROR "may lose a NaN; rope/precision/largest.hpp keeps it:\n  ${problems}")
endif()
message("measured: ${count} files keep every NaN")
