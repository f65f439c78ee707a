# For tests of the rules themselves: is a mistake that is planted in the source noticed?
# check_copy(EXPECTED [FILE TEXT]): copies the source, appends TEXT to FILE there, runs ${rule}.cmake
# and expects it to fail with EXPECTED, or to pass if EXPECTED is empty.
function(check_copy expected)
  file(REMOVE_RECURSE ${SCRATCH_DIR})
  file(COPY ${SOURCE_DIR}/src/rope DESTINATION ${SCRATCH_DIR}/src)
  file(COPY ${SOURCE_DIR}/apps DESTINATION ${SCRATCH_DIR})
  file(COPY ${SOURCE_DIR}/tests/mutation DESTINATION ${SCRATCH_DIR}/tests)
  if(ARGC GREATER 1)
    file(APPEND ${SCRATCH_DIR}/${ARGV1} "${ARGV2}\n")
  endif()
  execute_process(
    COMMAND ${CMAKE_COMMAND} -DSOURCE_DIR=${SCRATCH_DIR} -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${rule}.cmake
    RESULT_VARIABLE result ERROR_VARIABLE said OUTPUT_VARIABLE said)
  if(expected STREQUAL "")
    if(NOT result EQUAL 0)
      message(FATAL_ERROR "a clean copy was refused: ${said}")
    endif()
  elseif(result EQUAL 0)
    message(FATAL_ERROR "nobody noticed '${ARGV2}' in ${ARGV1}")
  else()
    string(REGEX REPLACE "[ \n]+" " " said "${said}")
    string(FIND "${said}" "${expected}" at)
    if(at EQUAL -1)
      message(FATAL_ERROR "expected '${expected}' for '${ARGV2}' in ${ARGV1}, got: ${said}")
    endif()
  endif()
endfunction()
