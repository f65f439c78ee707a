# No clock says whether code became slower: machines are shared. Instructions do, the same in every run:
#
#   cmake -DPROGRAM=…/rope_instructions -P instructions.cmake
#
# counts those of a unit of each work by callgrind, which has AVX2 and no AVX-512, and fails where they are more than
# allowed: what was counted, and a twentieth for another compiler's or libm's. Loops of half the width must be too many,
# or nothing is told here.
set(works        # work, units of the shorter run, units of the longer, terms of a unit, hundredths allowed a term
  "decay 2000 52000 64 510"
  "verify 200 1200 1 28500000"
  "rotate 500 4500 1024 700"
  "csv 1000 21000 1 155000")
find_program(VALGRIND valgrind REQUIRED)

# Hundredths of an instruction a term.
function(count result work units more_units terms level)
  foreach(run IN ITEMS units more_units)
    execute_process(COMMAND ${VALGRIND} --tool=callgrind --callgrind-out-file=/dev/null
        ${PROGRAM} ${work} ${${run}} ${level}
      OUTPUT_QUIET ERROR_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
    if(NOT said MATCHES "Collected : ([0-9]+)")
      message(FATAL_ERROR "callgrind counted nothing:\n${said}")
    endif()
    set(${run}_instructions ${CMAKE_MATCH_1})
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
if(failed)
  message(FATAL_ERROR "More instructions than allowed. If they buy something, say in instructions.cmake how many it takes.")
endif()
