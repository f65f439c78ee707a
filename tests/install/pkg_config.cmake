# cmake -DPREFIX=… -DLIBDIR=… -DDOCDIR=… -DPKG_CONFIG=… -DCOMPILER=… -DFLAGS=… [-DFMT_ARCHIVE=…] -DVERSION=…
#   -DSCRATCH_DIR=… -P pkg_config.cmake
#
# Compiles an installed example by what pkg-config says of the installed library, from where it was installed and from
# where it was moved to; with FMT_ARCHIVE, fmt as an archive, linked with nothing shared too. Each program runs.
cmake_policy(VERSION 3.25)
file(REMOVE_RECURSE ${SCRATCH_DIR})
file(MAKE_DIRECTORY ${SCRATCH_DIR}/archives)
separate_arguments(FLAGS)

function(run)  # its output is in `said`
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE complaint)
  if(NOT result STREQUAL "0")
    message(FATAL_ERROR "${ARGN}: exit ${result}: ${complaint}${output}")
  endif()
  string(STRIP "${output}" output)
  set(said "${output}" PARENT_SCOPE)
endfunction()

# build(NAME PREFIX [OPTIONS OF PKG-CONFIG] [LINK FLAGS OF THE COMPILER])
function(build name at)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "OPTIONS;LINK")
  set(ENV{PKG_CONFIG_PATH} ${at}/${LIBDIR}/pkgconfig)
  run(${PKG_CONFIG} --modversion rope)
  if(NOT said STREQUAL VERSION)
    message(FATAL_ERROR "rope.pc: expected version ${VERSION}, found ${said}")
  endif()
  run(${PKG_CONFIG} --cflags --libs ${arg_OPTIONS} rope)
  separate_arguments(said)
  run(${COMPILER} -std=c++20 ${FLAGS} ${at}/${DOCDIR}/examples/certify.cpp -o ${SCRATCH_DIR}/${name} ${arg_LINK} ${said})
  run(${SCRATCH_DIR}/${name})
  if(NOT said MATCHES "^pass: ")
    message(FATAL_ERROR "${name} printed: ${said}")
  endif()
  message("${name}: ${said}")
endfunction()

build(shared ${PREFIX})
file(COPY ${PREFIX}/ DESTINATION ${SCRATCH_DIR}/elsewhere)
build(moved ${SCRATCH_DIR}/elsewhere)
build(with_static_flags ${PREFIX} OPTIONS --static)
if(FMT_ARCHIVE)
  file(COPY_FILE ${FMT_ARCHIVE} ${SCRATCH_DIR}/archives/libfmt.a)
  build(static ${PREFIX} OPTIONS --static LINK -static -L${SCRATCH_DIR}/archives)
else()
  message("not linked with nothing shared: this build has no archive of fmt (ROPE_STATIC)")
endif()
file(REMOVE_RECURSE ${SCRATCH_DIR})
