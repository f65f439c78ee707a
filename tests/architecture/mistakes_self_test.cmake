# Adds entries that are wrong to a copy of the table of mistakes and expects mistakes.cmake to name each.
cmake_policy(VERSION 3.25)
set(rule mistakes)
include(${CMAKE_CURRENT_LIST_DIR}/check_copy.cmake)

set(table tests/mutation/mistakes/rotary.txt)
set(right "- position < 0 ? -turn\n+ position > 0 ? -turn")
check_copy("")
check_copy("" ${table} "\nsome-mistake\n  A right entry.\n${right}")
check_copy("some-mistake: the old text must occur exactly once in src and apps, and occurs 0 times: nowhere at all"
  ${table} "\nsome-mistake\n  An entry without a place.\n- nowhere at all\n+ somewhere")
check_copy("some-mistake: the old text must occur exactly once in src and apps, and occurs"
  ${table} "\nsome-mistake\n  An entry with several places.\n- namespace rope\n+ namespace pore")
check_copy("rotation-clockwise: this name is taken already"
  ${table} "\nrotation-clockwise\n  A second entry of that name.\n${right}")
check_copy("some-mistake: there is no sentence" ${table} "\nsome-mistake\n${right}")
check_copy("some-mistake: there is no old text" ${table} "\nsome-mistake\n  An entry of words alone.")
check_copy("some-mistake: expected an old text and another new one: position < 0 ? -turn"
  ${table} "\nsome-mistake\n  Nothing changes.\n- position < 0 ? -turn\n+ position < 0 ?   -turn")
check_copy("not understood: * A stray line." ${table} "\n* A stray line.")
# What is no mistake of the table: a line break where there was a blank, or none.
check_copy("" ${table} "\nsome-mistake\n  Broken lines.\n- position <\n- 0\n-   ? - turn\n+ position > 0 ? -turn")
check_copy("the old text must occur exactly once in src and apps, and occurs 2 times"
  src/rope/random/random.cpp "// (position\n//   < 0) transpose (row)\nint x = (position <\n  0)transpose( row );")
check_copy("")  # each file is as it was
file(REMOVE_RECURSE ${SCRATCH_DIR})
