# cmake -DPREFIX=… -DCOMPILER=… -DEIGEN=… [-DWERROR=ON] [-DONLY=HEADER] -P headers.cmake
#
# Reads each installed header by itself, from the prefix alone. Fails when there are more than 46, when one that is
# promised is missing, when one does not compile, when one includes Boost, fmt, nlohmann's json, or Eigen without being
# named here, when one holds floating-point code: it would be compiled again with the flags of whoever includes it; and
# when one does not say at its top what it is, or the example there does not compile.
# WERROR: a warning is an error, as in the build; otherwise a compiler that is newer than this project could fail it.
# ONLY: what is tried is this header, as headers_self_test.cmake does.
cmake_policy(VERSION 3.25)
set(with_eigen rope/rotary/rotation_matrix.hpp)
set(problems "")

file(GLOB_RECURSE headers RELATIVE ${PREFIX}/include ${PREFIX}/include/*)
list(LENGTH headers count)
if(count GREATER 46)
  list(APPEND problems "expected at most 46 headers, found ${count}")
endif()
foreach(header IN ITEMS rope/rope.hpp ${with_eigen})
  if(NOT header IN_LIST headers)
    list(APPEND problems "${header} is missing")
  endif()
endforeach()
if(ONLY)
  set(headers ${ONLY})
endif()

set(source ${PREFIX}/headers.cpp)  # a header that is the main file would be warned of its #pragma once
set(options -std=c++20 -Wall -Wextra -I${PREFIX}/include)
if(WERROR)
  list(APPEND options -Werror)
endif()
set(all "")
foreach(header IN LISTS headers)
  set(more "")
  if(header IN_LIST with_eigen)
    set(more -isystem ${EIGEN})
  endif()
  file(WRITE ${source} "#include <${header}>\n")
  execute_process(COMMAND ${COMPILER} ${options} ${more} -fsyntax-only -MD -MF ${source}.d ${source}
    RESULT_VARIABLE result ERROR_VARIABLE said)
  if(NOT result EQUAL 0)
    list(APPEND problems "${header} does not compile by itself: ${said}")
    continue()
  endif()
  string(APPEND all "#include <${header}>\n")
  file(READ ${PREFIX}/include/${header} content)
  if(NOT content MATCHES "^#pragma once\n\n// [A-Z0-9]" AND NOT ONLY)
    list(APPEND problems "${header} does not say at its top what it is")
  endif()
  file(READ ${source}.d read)
  string(REGEX MATCHALL "/(boost|fmt|nlohmann|eigen3|mpfr[a-z]*)[/.]" foreign "${read}")
  list(REMOVE_DUPLICATES foreign)
  if(more)
    list(REMOVE_ITEM foreign "/eigen3/")
  endif()
  if(foreign)
    list(APPEND problems "${header} includes ${foreign}")
  endif()
endforeach()

# The examples at the top of headers, each in a function of its own, with what their readers have.
set(examples "#include <iostream>\n#include <rope/rope.hpp>\n
const rope::RotaryEmbedding embedding = rope::default_embedding(64, 10000);
const rope::Policy policy = *rope::find_policy(\"float32\");
const std::vector<std::size_t> shape = {8, 64};
const std::vector<std::int64_t> positions = {0, 1, 2, 3, 4, 5, 6, 7};
const std::vector<float> x(512);
std::vector<float> y(512);
const std::string text;\n")
set(count_of_examples 0)
foreach(header IN LISTS headers)
  file(READ ${PREFIX}/include/${header} content)
  string(REGEX MATCH "^#pragma once\n\n(//[^\n]*\n)+" top "${content}")
  string(REGEX REPLACE "\n//[^ \n][^\n]*|\n// ? ? ?[^ \n][^\n]*|\n//" "\n" top "${top}")
  string(REGEX REPLACE "^#pragma once" "" top "${top}")
  if(NOT top MATCHES "[^ \n]")
    continue()
  endif()
  math(EXPR count_of_examples "${count_of_examples} + 1")
  string(APPEND examples "void example_${count_of_examples}() {  // ${header}${top}}\n")
endforeach()
if(NOT ONLY)
  file(WRITE ${source} "${examples}")
  execute_process(COMMAND ${COMPILER} -std=c++20 -I${PREFIX}/include -fsyntax-only ${source}
    RESULT_VARIABLE result ERROR_VARIABLE said)
  if(NOT result EQUAL 0)
    list(APPEND problems "an example at the top of a header does not compile: ${said}")
  endif()
  if(count_of_examples LESS 12)
    list(APPEND problems "expected at least 12 headers with an example, found ${count_of_examples}")
  endif()
endif()

# Every inline function of all of them, whether used or not: none adds, multiplies, divides, rounds or takes a root.
# Only g++ can be asked to keep them, and the instructions are those of x86-64.
execute_process(COMMAND ${COMPILER} --version OUTPUT_VARIABLE version)
execute_process(COMMAND ${COMPILER} -dumpmachine OUTPUT_VARIABLE machine)
set(and_computes "")
if(version MATCHES "Free Software Foundation" AND machine MATCHES "^x86_64")
  set(and_computes ", none computes with real numbers")
  file(WRITE ${source} "${all}")
  execute_process(COMMAND ${COMPILER} ${options} -isystem ${EIGEN} -O1 -fkeep-inline-functions -S -o ${source}.s ${source}
    RESULT_VARIABLE result ERROR_VARIABLE said)
  if(NOT result EQUAL 0)
    list(APPEND problems "all of them together do not compile: ${said}")
  else()
    file(STRINGS ${source}.s lines
      REGEX "^_Z[A-Za-z0-9_.]*:|^\t(add|sub|mul|div|sqrt|min|max|round|cvt[a-z0-9]*2?)(sd|ss|pd|ps)|^\tcvtt?s[ids]2|^\tcall\t(pow|exp|log|sin|cos|fma|round|ldexp)")
    set(function "")
    set(functions 0)
    foreach(line IN LISTS lines)
      if(line MATCHES "^(_Z.*):")
        set(function ${CMAKE_MATCH_1})
        if(function MATCHES "^_ZN?K?4rope")
          math(EXPR functions "${functions} + 1")
        endif()
      elseif(function MATCHES "^_ZN?K?4rope")
        string(STRIP "${line}" line)
        list(APPEND problems "floating-point code in ${function}: ${line}")
      endif()
    endforeach()
    if(functions LESS 1)
      list(APPEND problems "no inline function of rope was found in what the compiler made")
    endif()
  endif()
endif()
file(REMOVE ${source} ${source}.d ${source}.s)

if(problems)
  list(JOIN problems "\n  " problems)
  message(FATAL_ERROR "installed headers:\n  ${problems}")
endif()
message("${count} installed headers, ${count_of_examples} with an example: each compiles by itself${and_computes}")
