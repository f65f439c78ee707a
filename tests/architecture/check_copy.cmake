# For tests of the rules themselves: is a mistake that is planted in the source noticed?
file(REMOVE_RECURSE ${SCRATCH_DIR})
file(COPY ${SOURCE_DIR}/src/rope DESTINATION ${SCRATCH_DIR}/src)
file(COPY ${SOURCE_DIR}/apps DESTINATION ${SCRATCH_DIR} PATTERN node_modules EXCLUDE)
file(COPY ${SOURCE_DIR}/tests/mutation DESTINATION ${SCRATCH_DIR}/tests)

# check_copy(EXPECTED [FILE TEXT]): appends TEXT to FILE in a copy of the source, runs ${rule}.cmake there and expects it
# to fail with EXPECTED, or to pass if EXPECTED is empty. FILE is as before afterwards.
function(check_copy expected)
  if(ARGC GREATER 1)
    file(APPEND ${SCRATCH_DIR}/${ARGV1} "${ARGV2}\n")
  endif()
  execute_process(
    COMMAND ${CMAKE_COMMAND} -DSOURCE_DIR=${SCRATCH_DIR} -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${rule}.cmake
    RESULT_VARIABLE result ERROR_VARIABLE said OUTPUT_VARIABLE said)
  if(ARGC GREATER 1 AND EXISTS ${SOURCE_DIR}/${ARGV1})
    file(COPY_FILE ${SOURCE_DIR}/${ARGV1} ${SCRATCH_DIR}/${ARGV1})
  elseif(ARGC GREATER 1)
    file(REMOVE ${SCRATCH_DIR}/${ARGV1})
  endif()
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
