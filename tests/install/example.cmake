# cmake -DPROGRAM=… -DFOLDER=… -DPAGE=… -P example.cmake
#
# Runs one of the programs of examples/. It succeeds, and prints what the page says it does, behind
# "$ ./PROGRAM".
cmake_policy(VERSION 3.25)
execute_process(COMMAND ${FOLDER}/${PROGRAM} WORKING_DIRECTORY ${FOLDER}
  RESULT_VARIABLE result OUTPUT_VARIABLE printed ERROR_VARIABLE complaint)
if(NOT result STREQUAL "0" OR NOT complaint STREQUAL "")
  message(FATAL_ERROR "${PROGRAM}: exit ${result}: ${complaint}${printed}")
endif()
file(READ ${PAGE} page)
string(FIND "${page}" "\n$ ./${PROGRAM}\n${printed}```\n" place)
if(printed STREQUAL "" OR place EQUAL -1)
  message(FATAL_ERROR "${PAGE} does not say that ${PROGRAM} prints:\n${printed}")
endif()
if(PROGRAM STREQUAL "tables")
  foreach(file cos.f32 sin.f32)
    file(SIZE ${FOLDER}/${file} size)
    if(NOT size EQUAL 2097152)
      message(FATAL_ERROR "${file}: expected 8192 · 64 floats, got ${size} bytes")
    endif()
  endforeach()
endif()
