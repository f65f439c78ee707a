# cmake -DSOURCE=… -DROPE=… -DBUILD=… -DARM64=… -DSCRATCH_DIR=… -P arm64.cmake
#
# The program for 64-bit ARM, in qemu, says and writes what ROPE, that of x86-64, does: byte for byte. ARM64 is one; if it
# is empty, it is built in BUILD by the preset. Skipped where what that takes is not here.
cmake_policy(VERSION 3.25)
find_program(compiler aarch64-linux-gnu-g++)
find_program(qemu NAMES qemu-aarch64 qemu-aarch64-static)
find_library(mpfr libmpfr.a PATHS /usr/lib/aarch64-linux-gnu NO_DEFAULT_PATH)
if(NOT qemu OR NOT (ARM64 OR (compiler AND mpfr)))
  message("skipped: no cross compiler for 64-bit ARM with its libraries, or no qemu, is here (./setup.sh --arm64)")
  return()
endif()
if(NOT ARM64)
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${BUILD} --preset release-arm64
    OUTPUT_FILE ${BUILD}.log COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${CMAKE_COMMAND} --build ${BUILD} --target rope OUTPUT_FILE ${BUILD}.log
    COMMAND_ERROR_IS_FATAL ANY)
  set(ARM64 ${BUILD}/apps/rope/rope)
endif()
file(REMOVE_RECURSE ${SCRATCH_DIR})
file(MAKE_DIRECTORY ${SCRATCH_DIR})

# The sum of all that a command says and leaves in a new folder; what it said is kept beside the folder.
function(sum_of result name)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "PROGRAM;ASKED")
  set(folder ${SCRATCH_DIR}/${name})
  file(REMOVE_RECURSE ${folder})
  file(MAKE_DIRECTORY ${folder})
  execute_process(COMMAND ${arg_PROGRAM} ${arg_ASKED} WORKING_DIRECTORY ${folder} RESULT_VARIABLE exit
    OUTPUT_FILE ${folder}/said ERROR_FILE ${folder}/complained)
  file(GLOB files RELATIVE ${folder} ${folder}/*)
  list(SORT files)
  set(sums "exit ${exit}\n")
  foreach(file IN LISTS files)
    file(SHA256 ${folder}/${file} sum)
    string(APPEND sums "${sum} ${file}\n")
  endforeach()
  string(SHA256 sum "${sums}")
  set(${result} ${sum} PARENT_SCOPE)
  set(${result}_of "${sums}" PARENT_SCOPE)
endfunction()

set(asked
  "decay --json"
  "decay --base 500000 --distances 1:131072:log400 -o decay.csv"
  "verify --json"
  "verify --policy float32 --json"
  "verify --policy bfloat16-table --json"
  "verify --control mixed-layouts --json"
  "verify --precision 200 --json"
  "wavelengths --dim 128 --context 4096 --json"
  "wavelengths --model deepseek-v3 -o wavelengths.csv"
  "apply --golden golden_ --dim 64"
  "apply --golden golden_ --dim 64 --policy bfloat16-table"
  "precision --json"
  "precision -o precision.csv"
  "matrix --dim 64 --positions 1,77777 --json"
  "score --frequencies 0.5 --query 1,2 --key 3,-1 --positions 5,2 --json"
  "attention --json"
  "compare --json"
  "extend --json"
  "inspect llama-3.1-8b --json"
  "rotate --pairs 0,20,63 --json"
  "--man")
set(others "")
foreach(line IN LISTS asked)
  separate_arguments(words UNIX_COMMAND "${line}")
  sum_of(here x86_64 PROGRAM ${ROPE} ASKED ${words})
  sum_of(there aarch64 PROGRAM ${qemu} ${ARM64} ASKED ${words})
  string(SUBSTRING ${here} 0 16 short_here)
  string(SUBSTRING ${there} 0 16 short_there)
  message("${short_here} ${short_there} rope ${line}")
  if(NOT here STREQUAL there)
    string(APPEND others "rope ${line}\nx86_64:\n${here_of}aarch64:\n${there_of}")
  endif()
endforeach()
if(others)
  message(FATAL_ERROR "64-bit ARM gives other bytes:\n${others}")
endif()
