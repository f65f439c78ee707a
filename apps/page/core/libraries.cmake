# What the program uses, for WebAssembly. Headers are the system's: a folder of links to them, as /usr/include itself
# would mix in the host's C library. GMP and MPFR are compiled from Debian's sources.
set(headers ${CMAKE_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${headers})
foreach(folder boost CLI fmt nlohmann Random123)
  file(CREATE_LINK /usr/include/${folder} ${headers}/${folder} SYMBOLIC)
endforeach()
set(mpfr ${CMAKE_BINARY_DIR}/mpfr)
if(NOT EXISTS ${mpfr}/lib/libmpfr.a)
  message(STATUS "GMP and MPFR for WebAssembly, from Debian's sources: a few minutes, once")
  execute_process(COMMAND ${CMAKE_CURRENT_LIST_DIR}/mpfr.sh ${mpfr} COMMAND_ERROR_IS_FATAL ANY)
endif()

function(page_library name)
  add_library(${name} INTERFACE IMPORTED)
  target_include_directories(${name} SYSTEM INTERFACE ${headers} ${ARGN})
endfunction()
page_library(Eigen3::Eigen /usr/include/eigen3)
page_library(Boost::headers)
page_library(Threads::Threads)  # none there: see rope/parallel/parallel.cpp
page_library(fmt::fmt)
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY)
page_library(nlohmann_json::nlohmann_json)
page_library(CLI11::CLI11)
page_library(PkgConfig::GMP ${mpfr}/include)
target_link_libraries(PkgConfig::GMP INTERFACE ${mpfr}/lib/libgmp.a)
page_library(PkgConfig::MPFR ${mpfr}/include)
target_link_libraries(PkgConfig::MPFR INTERFACE ${mpfr}/lib/libmpfr.a PkgConfig::GMP)

# Boost's headers name their own files in messages; the same bytes in every folder.
add_compile_options(-ffile-prefix-map=${CMAKE_BINARY_DIR}/= -ffile-prefix-map=${CMAKE_SOURCE_DIR}/=../../)
add_compile_options(-fwasm-exceptions -fno-pic)
include_directories(SYSTEM ${headers})
