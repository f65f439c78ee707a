# What `cmake --install` puts where, so that other projects can find_package(rope), and the packages.
include(CMakePackageConfigHelpers)
set(rope_config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/rope)

# (1) The layers with their public headers, and the program.
get_property(rope_layers GLOBAL PROPERTY ROPE_INSTALLED_LAYERS)
install(TARGETS ${rope_layers} EXPORT ropeTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET rope)
  install(TARGETS rope RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# (2) What find_package(rope) reads.
install(EXPORT ropeTargets NAMESPACE rope:: DESTINATION ${rope_config_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/ropeConfig.cmake.in
  ${PROJECT_BINARY_DIR}/ropeConfig.cmake INSTALL_DESTINATION ${rope_config_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ropeConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/ropeConfig.cmake ${PROJECT_BINARY_DIR}/ropeConfigVersion.cmake
  DESTINATION ${rope_config_dir})

# (3) Packages: cpack in the build directory.
set(CPACK_GENERATOR "TGZ;DEB")
set(CPACK_PACKAGE_CONTACT "the rope maintainers")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "gnuplot-nox, fonts-inter")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS  # Chinese words in pictures; what projects that use the library build with
  "fonts-noto-cjk, libeigen3-dev, libfmt-dev, libmpfr-dev")
include(CPack)
