# What `cmake --install` puts where, so that other projects can find_package(rope). Packages hold the component program.
include(CMakePackageConfigHelpers)
set(rope_config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/rope)

# (1) The layers with their public headers, and pages; apps/rope installs the program.
get_property(rope_layers GLOBAL PROPERTY ROPE_INSTALLED_LAYERS)
install(TARGETS ${rope_layers} EXPORT ropeTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library
  FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library)
install(FILES LICENSE README.md README.zh.md CHANGELOG.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program
  FILES_MATCHING PATTERN "*.md" PATTERN "docs/figures/*" PATTERN page EXCLUDE)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)

# (2) What find_package(rope) reads.
install(EXPORT ropeTargets NAMESPACE rope:: DESTINATION ${rope_config_dir} COMPONENT library)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/ropeConfig.cmake.in
  ${PROJECT_BINARY_DIR}/ropeConfig.cmake INSTALL_DESTINATION ${rope_config_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ropeConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/ropeConfig.cmake ${PROJECT_BINARY_DIR}/ropeConfigVersion.cmake
  DESTINATION ${rope_config_dir} COMPONENT library)

# (3) What pkg-config reads: every archive, those first that use others; all of it relative to the file itself.
set(ROPE_PC_LIBS "")
foreach(layer IN LISTS rope_layers)
  get_target_property(type ${layer} TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    string(PREPEND ROPE_PC_LIBS "-l${layer} ")
  endif()
endforeach()
string(STRIP "${ROPE_PC_LIBS}" ROPE_PC_LIBS)
set(rope_pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH ROPE_PC_PREFIX /prefix/${rope_pc_dir} /prefix)
string(PREPEND ROPE_PC_PREFIX "\${pcfiledir}/")
string(REGEX REPLACE "/$" "" ROPE_PC_PREFIX "${ROPE_PC_PREFIX}")
configure_file(${CMAKE_CURRENT_LIST_DIR}/rope.pc.in ${PROJECT_BINARY_DIR}/rope.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/rope.pc DESTINATION ${rope_pc_dir} COMPONENT library)
