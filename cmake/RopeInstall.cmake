# What `cmake --install` puts where, so that other projects can find_package(rope). Packages hold the component program.
include(CMakePackageConfigHelpers)
set(rope_config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/rope)

# (1) The layers with their public headers, and pages; apps/rope installs the program.
get_property(rope_layers GLOBAL PROPERTY ROPE_INSTALLED_LAYERS)
install(TARGETS ${rope_layers} EXPORT ropeTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library
  FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library)
install(FILES LICENSE README.md README.zh.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
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
