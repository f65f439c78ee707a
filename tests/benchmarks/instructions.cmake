# No clock says whether code became slower: machines are shared. Instructions do, the same in every run:
#
#   cmake -DPROGRAM=…/rope_instructions -DROPE=…/rope -P instructions.cmake
#
# counts those of a unit of each work by callgrind, which has AVX2 and no AVX-512, and fails where they are more than
# allowed: what was counted, and a twentieth for another compiler's or libm's. Loops of half the width must be too many,
# or nothing is told here. Of a command's help, those of the whole program.
set(works        # work, units of the shorter run, units of the longer, terms of a unit, hundredths allowed a term
  "decay 2000 52000 64 510"
  "verify 200 1200 1 28500000"
  "rotate 500 4500 1024 700"
  "csv 1000 21000 1 155000")
set(help_allowed 7850000)  # the words that a shell completes, when they are read for it, take 100 million
find_program(VALGRIND valgrind REQUIRED)

# Instructions of a command.
function(count_run result)
  execute_process(COMMAND ${VALGRIND} --tool=callgrind --callgrind-out-file=/dev/null ${ARGN}
    OUTPUT_QUIET ERROR_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
  if(NOT said MATCHES "Collected : ([0-9]+)")
    message(FATAL_ERROR "callgrind counted nothing:\n${said}")
  endif()
  set(${result} ${CMAKE_MATCH_1} PARENT_SCOPE)
endfunction()

# Hundredths of an instruction a term.
function(count result work units more_units terms level)
  foreach(run IN ITEMS units more_units)
    count_run(${run}_instructions ${PROGRAM} ${work} ${${run}} ${level})
  endforeach()
  math(EXPR hundredths
    "100 * (${more_units_instructions} - ${units_instructions}) / ((${more_units} - ${units}) * ${terms})")
  set(${result} ${hundredths} PARENT_SCOPE)
endfunction()

set(failed FALSE)
foreach(each IN LISTS works)
  separate_arguments(each)
  list(GET each 0 work)
  list(GET each 4 allowed)
  list(SUBLIST each 0 4 run)
  count(counted ${run} v3)
  message(STATUS "${work}: ${counted} hundredths of an instruction a term, ${allowed} allowed")
  if(counted GREATER allowed)
    set(failed TRUE)
  endif()
  if(work STREQUAL "decay")
    count(slow ${run} baseline)
    message(STATUS "${work} in vectors of two numbers: ${slow}")
    if(NOT slow GREATER allowed)
      message(FATAL_ERROR "loops of half the width pass: what is allowed is too much")
    endif()
  endif()
endforeach()
count_run(help ${ROPE} decay --help)
message(STATUS "rope decay --help: ${help} instructions, ${help_allowed} allowed")
if(help GREATER help_allowed)
  set(failed TRUE)
endif()
if(failed)
  message(FATAL_ERROR "More instructions than allowed. If they buy something, say in instructions.cmake how many it takes.")
endif()
