# What people install who build nothing: `cmake --workflow --preset package` makes it in dist/, for 64-bit ARM package-arm64. The target is left out
# where the program is not static, for then a package would not run elsewhere.
if(NOT ROPE_STATIC OR NOT ROPE_HARDEN OR NOT UNIX)
  return()
endif()
set(ROPE_PACKAGE ${CMAKE_COMMAND} -E env ROPE_EMULATOR=${CMAKE_CROSSCOMPILING_EMULATOR} ${CMAKE_CURRENT_LIST_DIR}/package/make
  ${PROJECT_BINARY_DIR} ${PROJECT_VERSION} ${CMAKE_SYSTEM_PROCESSOR} ${CMAKE_COMMAND} "${CMAKE_STRIP}")
add_custom_target(package
  COMMAND ${ROPE_PACKAGE} ${PROJECT_SOURCE_DIR}/dist
  DEPENDS rope printed_files
  USES_TERMINAL VERBATIM)
