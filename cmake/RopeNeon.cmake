# The same bits from 64-bit ARM: see unfused_eigen.hpp. Who includes <Eigen/…> finds a header that reads it first.
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  return()
endif()
foreach(module Cholesky Core Dense Eigenvalues Geometry LU QR SVD)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/unfused/Eigen/${module} CONTENT [[
#include "@CMAKE_CURRENT_LIST_DIR@/unfused_eigen.hpp"
#include_next <Eigen/@module@>
]] @ONLY)
endforeach()
target_include_directories(Eigen3::Eigen BEFORE INTERFACE ${PROJECT_BINARY_DIR}/unfused)
