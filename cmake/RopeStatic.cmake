# What ROPE_STATIC needs: to load six shared libraries takes longer than all that `rope --help` does. Where a library
# is not there to be linked in, the program is linked with shared ones.
include(CheckLinkerFlag)
check_linker_flag(CXX -static ROPE_LINKS_STATIC)
check_linker_flag(CXX -static-pie ROPE_LINKS_STATIC_PIE)
set(ROPE_STATIC_LINK -static)
if(ROPE_LINKS_STATIC_PIE)
  set(ROPE_STATIC_LINK -static-pie)
endif()
find_library(ROPE_STATIC_MPFR libmpfr.a)
find_library(ROPE_STATIC_GMP libgmp.a)
if(NOT ROPE_LINKS_STATIC OR NOT ROPE_STATIC_MPFR OR NOT ROPE_STATIC_GMP)
  message(STATUS "ROPE_STATIC: libmpfr.a, libgmp.a or libc.a is not there: the program is linked with shared libraries")
  set(ROPE_STATIC OFF)
  return()
endif()
set_target_properties(PkgConfig::MPFR PROPERTIES INTERFACE_LINK_LIBRARIES "${ROPE_STATIC_MPFR};${ROPE_STATIC_GMP}")
set_target_properties(PkgConfig::GMP PROPERTIES INTERFACE_LINK_LIBRARIES ${ROPE_STATIC_GMP})

# Debian has fmt as a shared library and as headers; the headers, compiled once, are the other library.
set(source ${PROJECT_BINARY_DIR}/static/fmt.cpp)
file(CONFIGURE OUTPUT ${source} CONTENT [[
#include <fmt/format-inl.h>
FMT_BEGIN_NAMESPACE
namespace detail {
template auto dragonbox::to_decimal(float) noexcept -> dragonbox::decimal_fp<float>;
template auto dragonbox::to_decimal(double) noexcept -> dragonbox::decimal_fp<double>;
template auto locale_ref::get<std::locale>() const -> std::locale;
template auto thousands_sep_impl(locale_ref) -> thousands_sep_result<char>;
template auto decimal_point_impl(locale_ref) -> char;
template void buffer<char>::append(const char*, const char*);
template void vformat_to(buffer<char>&, string_view, basic_format_args<basic_format_context<appender, char>>, locale_ref);
}
FMT_END_NAMESPACE
]])
add_library(rope_static_fmt STATIC ${source})
target_include_directories(rope_static_fmt SYSTEM PRIVATE $<TARGET_PROPERTY:fmt::fmt,INTERFACE_INCLUDE_DIRECTORIES>)
target_link_libraries(rope_static_fmt PRIVATE rope_shipped_flags)
set_target_properties(rope_static_fmt PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_CLANG_TIDY "")
add_dependencies(fmt::fmt rope_static_fmt)
get_target_property(configurations fmt::fmt IMPORTED_CONFIGURATIONS)
foreach(configuration IN LISTS configurations)
  set_target_properties(fmt::fmt PROPERTIES
    IMPORTED_LOCATION_${configuration} ${PROJECT_BINARY_DIR}/${CMAKE_STATIC_LIBRARY_PREFIX}rope_static_fmt.a)
endforeach()
