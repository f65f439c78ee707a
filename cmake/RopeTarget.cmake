# Flags that build this project and are never exported to its users.
add_library(rope_build_flags INTERFACE)
target_compile_options(rope_build_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wdouble-promotion
  -Wold-style-cast -Wnon-virtual-dtor -Woverloaded-virtual
  $<$<CXX_COMPILER_ID:Clang>:-Wreserved-identifier>
  $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond -Wlogical-op -Wuseless-cast>
  # g++ 12 warns of its own std::string (GCC bug 105651), the more so where it is precompiled.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict -Wno-array-bounds -Wno-stringop-overread -Wno-stringop-overflow>
  $<$<BOOL:${ROPE_WERROR}>:-Werror>
  -ffp-contract=off   # the same bits from g++ and clang++, with FMA units or without
  -fno-math-errno)    # lets std::sqrt become one instruction, and so a vector of them
if(ROPE_SANITIZE)     # may hold a comma, which a generator expression cannot
  target_compile_options(rope_build_flags INTERFACE
    -fsanitize=${ROPE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
    -fno-sanitize=vptr    # needs a file descriptor to look at memory; a test takes all of them away
    # Half of the build's time. AddressSanitizer sees a null pointer used; the fuzzers look at alignment.
    $<$<CXX_COMPILER_ID:GNU>:-fno-sanitize=null,alignment>)
  target_link_options(rope_build_flags INTERFACE -fsanitize=${ROPE_SANITIZE})
endif()
if(ROPE_FUZZ)
  target_compile_options(rope_build_flags INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(rope_build_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(ROPE_COVERAGE)
  target_compile_options(rope_build_flags INTERFACE --coverage -fprofile-abs-path)
  target_link_options(rope_build_flags INTERFACE --coverage)
endif()

# What is shipped, and so not the tests, which are compiled without optimization.
add_library(rope_shipped_flags INTERFACE)
if(ROPE_HARDEN)
  target_compile_options(rope_shipped_flags INTERFACE
    -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
    -ffile-prefix-map=${PROJECT_SOURCE_DIR}=. -ffile-prefix-map=${PROJECT_BINARY_DIR}=build)
endif()

# rope_precompile(NAME LIBRARIES … [OPTIONS …] HEADERS …): headers of others that are read once a build and not
# once a source, for targets that say `target_precompile_headers(… REUSE_FROM NAME)`. A build with
# CMAKE_DISABLE_PRECOMPILE_HEADERS shows an #include that is missing (the analyzer preset is one).
function(rope_precompile name)
  cmake_parse_arguments(arg "" "" "LIBRARIES;OPTIONS;HEADERS" ${ARGN})
  set(source ${PROJECT_BINARY_DIR}/precompiled/${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "// A target needs a source.\n")
  add_library(${name} OBJECT ${source})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} rope_build_flags)
  target_precompile_headers(${name} PRIVATE ${arg_HEADERS})
  target_compile_options(${name} PRIVATE ${arg_OPTIONS})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_CLANG_TIDY "")
endfunction()

set(rope_common_headers <algorithm> <array> <cmath> <cstddef> <cstdint> <functional> <limits> <memory>
  <numeric> <optional> <span> <string> <string_view> <utility> <vector>)
rope_precompile(rope_precompiled_numbers
  LIBRARIES Eigen3::Eigen rope_shipped_flags
  HEADERS ${rope_common_headers} <Eigen/Core>)
set(rope_text_options
  $<$<CONFIG:Release>:-O1>   # nothing there is worth more time
  # Without any, fmt switches some on for itself, and g++ 12 then cannot compile Eigen after the precompiled header.
  $<$<CONFIG:Debug>:-Og>)
rope_precompile(rope_precompiled_text
  OPTIONS ${rope_text_options}
  LIBRARIES fmt::fmt nlohmann_json::nlohmann_json rope_shipped_flags
  HEADERS ${rope_common_headers} <fmt/format.h> <nlohmann/json.hpp>)

# rope_layer(NAME HEADERS … PRIVATE_HEADERS … SOURCES … DEPENDS … [PRIVATE_DEPENDS …] [PRECOMPILED text] [NOT_INSTALLED])
#
# One layer of the library: the static library rope_NAME, known to others as rope::NAME. Its HEADERS install under the
# path they have below src/; its PRIVATE_HEADERS are for this project alone. The preset `alone` compiles every source by
# itself, and each of these headers that has none of its name; tests/install does so with the others, as they are
# installed. A layer without sources is header-only. What is NOT_INSTALLED serves the program alone.
function(rope_layer name)
  cmake_parse_arguments(arg "NOT_INSTALLED" "PRECOMPILED" "HEADERS;PRIVATE_HEADERS;SOURCES;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  if(NOT arg_PRECOMPILED)
    set(arg_PRECOMPILED numbers)
  endif()
  if(arg_SOURCES)
    set(scope PUBLIC)
    add_library(rope_${name} STATIC ${arg_SOURCES})
    target_link_libraries(rope_${name} PRIVATE $<BUILD_INTERFACE:rope_build_flags> $<BUILD_INTERFACE:rope_shipped_flags> ${arg_PRIVATE_DEPENDS})
    target_precompile_headers(rope_${name} REUSE_FROM rope_precompiled_${arg_PRECOMPILED})
    target_compile_options(rope_${name} PRIVATE ${rope_${arg_PRECOMPILED}_options})
  else()
    set(scope INTERFACE)
    add_library(rope_${name} INTERFACE)
  endif()
  add_library(rope::${name} ALIAS rope_${name})
  set_target_properties(rope_${name} PROPERTIES
    EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
  if(arg_HEADERS)
    target_sources(rope_${name} ${scope} FILE_SET HEADERS
      BASE_DIRS ${PROJECT_SOURCE_DIR}/src FILES ${arg_HEADERS})
  endif()
  target_include_directories(rope_${name} ${scope} $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>)
  target_compile_features(rope_${name} ${scope} cxx_std_20)
  target_link_libraries(rope_${name} ${scope} ${arg_DEPENDS})
  # A source includes the header of its name before all others, and so shows what that lacks.
  set(without_source ${arg_PRIVATE_HEADERS})
  foreach(source IN LISTS arg_SOURCES)
    string(REGEX REPLACE "\\.cpp$" ".hpp" header ${source})
    list(REMOVE_ITEM without_source ${header})
  endforeach()
  if(without_source)  # a set of the layer itself would have to be installed with it
    add_library(rope_${name}_private INTERFACE)
    set_target_properties(rope_${name}_private PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
    target_sources(rope_${name}_private INTERFACE FILE_SET HEADERS
      BASE_DIRS ${PROJECT_SOURCE_DIR}/src FILES ${without_source})
    target_link_libraries(rope_${name}_private INTERFACE rope_${name})
  endif()
  if(NOT arg_NOT_INSTALLED)
    set_property(GLOBAL APPEND PROPERTY ROPE_INSTALLED_LAYERS rope_${name})
  endif()
endfunction()
