# cmake -DSOURCE_DIR=… -P mistakes.cmake
#
# Every mistake that tests/mutation plants has a name of its own, a sentence that says what it is, and one place in
# the source, whatever was moved or formatted since.
execute_process(COMMAND ${SOURCE_DIR}/tests/mutation/run --check
  RESULT_VARIABLE result ERROR_VARIABLE said OUTPUT_VARIABLE said)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "mistakes (${result}):\n${said}")
endif()
message("${said}")
