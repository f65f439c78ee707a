# cmake -DFOLDER=data/models -DOUTPUT=FILE.cpp -DHEADER=rope/model/preset_files.hpp -DNAMESPACE=rope -DTYPE=PresetFile
#   -DFUNCTION=preset_files -P DataFiles.cmake
#
# Writes the .json files of a folder into a C++ source, so that the program needs no folder of its own.
cmake_policy(VERSION 3.25)
file(GLOB files ${FOLDER}/*.json)
list(SORT files)
list(LENGTH files count)
set(text "// Made by cmake/DataFiles.cmake.\n#include <array>\n\n#include \"${HEADER}\"\n\nnamespace ${NAMESPACE} {\n\n")
string(APPEND text "std::span<const ${TYPE}> ${FUNCTION}() {  // NOLINT(readability-function-size)\n")
string(APPEND text "  static const std::array<${TYPE}, ${count}> files = {{\n")
foreach(file IN LISTS files)
  get_filename_component(name ${file} NAME_WLE)
  file(READ ${file} content)
  if(content MATCHES "\\)json\"")
    message(FATAL_ERROR "${file} holds the end of a raw string")
  endif()
  string(APPEND text "      {\"${name}\", R\"json(${content})json\"},\n")
endforeach()
string(APPEND text "  }};\n  return files;\n}\n\n}  // namespace ${NAMESPACE}\n")
file(WRITE ${OUTPUT} "${text}")
