# Flags that build this project and are never exported to its users.
add_library(rope_build_flags INTERFACE)
target_compile_options(rope_build_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wdouble-promotion
  -Wold-style-cast -Wnon-virtual-dtor -Woverloaded-virtual
  $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond -Wlogical-op -Wuseless-cast>
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>   # g++ 12 warns of its own std::string (GCC bug 105651)
  $<$<BOOL:${ROPE_WERROR}>:-Werror>
  -ffp-contract=off   # the same bits from g++ and clang++, with FMA units or without
  -fno-math-errno)    # lets std::sqrt become one instruction, and so a vector of them
if(ROPE_SANITIZE)     # may hold a comma, which a generator expression cannot
  target_compile_options(rope_build_flags INTERFACE
    -fsanitize=${ROPE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
    -fno-sanitize=vptr)   # needs a file descriptor to look at memory; a test takes all of them away
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

# rope_layer(NAME HEADERS … SOURCES … DEPENDS … [PRIVATE_DEPENDS …])
#
# One layer of the library: the static library rope_NAME, known to others as rope::NAME. Its headers
# install under the path they have below src/, and each is compiled alone by the target
# all_verify_interface_header_sets. A layer without sources is header-only.
function(rope_layer name)
  cmake_parse_arguments(arg "" "" "HEADERS;SOURCES;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  if(arg_SOURCES)
    set(kind "")
    set(scope PUBLIC)
    add_library(rope_${name} STATIC ${arg_SOURCES})
    target_link_libraries(rope_${name} PRIVATE $<BUILD_INTERFACE:rope_build_flags> ${arg_PRIVATE_DEPENDS})
  else()
    set(scope INTERFACE)
    add_library(rope_${name} INTERFACE)
  endif()
  add_library(rope::${name} ALIAS rope_${name})
  set_target_properties(rope_${name} PROPERTIES
    EXPORT_NAME ${name} VERIFY_INTERFACE_HEADER_SETS ON POSITION_INDEPENDENT_CODE ON)
  target_sources(rope_${name} ${scope} FILE_SET HEADERS
    BASE_DIRS ${PROJECT_SOURCE_DIR}/src FILES ${arg_HEADERS})
  target_compile_features(rope_${name} ${scope} cxx_std_20)
  target_link_libraries(rope_${name} ${scope} ${arg_DEPENDS})
  set_property(GLOBAL APPEND PROPERTY ROPE_LAYERS rope_${name})
endfunction()
