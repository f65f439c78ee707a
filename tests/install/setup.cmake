# cmake -DSETUP=…/setup.sh -DSCRATCH_DIR=… -P setup.cmake
#
# Runs setup.sh on machines that are made up: a folder of programs that answer as on such a machine is all that it
# finds. It installs what is missing and no more; what a machine lacks is one sentence, and exit 1.
cmake_policy(VERSION 3.25)
set(bin ${SCRATCH_DIR}/bin)
set(problems "")

# A program that prints and does what TEXT, a script, says.
function(program name text)
  file(WRITE ${bin}/${name} "#!/bin/sh\n${text}\n")
  file(CHMOD ${bin}/${name} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endfunction()

# A Debian 12 with every package; what follows changes it. "installed" and "offered" are lists of packages and versions.
function(new_machine)
  file(REMOVE_RECURSE ${SCRATCH_DIR})
  file(MAKE_DIRECTORY ${bin})
  foreach(tool sed sort head grep cat env)
    find_program(${tool}_path ${tool} REQUIRED)
    file(CREATE_LINK ${${tool}_path} ${bin}/${tool} SYMBOLIC)
  endforeach()
  program(uname "[ \"$1\" = -s ] && echo Linux || echo x86_64")
  program(id "echo 0")
  program(cmake "echo 'cmake version 3.25.1'")
  program(c++ "[ \"$1\" = --version ] && echo 'c++ (Debian 12.2.0-14) 12.2.0' || echo 12.2.0")
  program(dpkg-query "line=$(grep \"^$4 \" ${SCRATCH_DIR}/installed) || exit 1
[ \"$3\" = '\${Version}' ] && printf %s \"\${line#* }\" || printf 'install ok installed'")
  program(apt-cache "line=$(grep \"^$2 \" ${SCRATCH_DIR}/offered) || exit 0
echo \"$2:\"; echo '  Installed: (none)'; echo \"  Candidate: \${line#* }\"")
  program(apt-get "[ $1 = install ] || exit 0
for word; do [ \${#word} -gt 0 ] && grep \"^$word \" ${SCRATCH_DIR}/offered >> ${SCRATCH_DIR}/installed; done
printf '%s ' \"$@\" >> ${SCRATCH_DIR}/asked")
  set(all "")
  foreach(package g++=4:12.2.0-3 cmake=3.25.1-1 ninja-build=1.11.1 pkg-config=1.8.1 libcli11-dev=2.1.2+ds-1
          libfmt-dev=9.1.0+ds1-2 libeigen3-dev=3.4.0-4 nlohmann-json3-dev=3.11.2-2 librandom123-dev=1.14.0
          libboost-dev=1.74.0.3 libmpfr-dev=4.2.0 libgtest-dev=1.12.1 gnuplot-nox=5.4.4 fontconfig=2.14.1
          fonts-inter=4.0~beta7 apngasm=3.1.10 apng2gif=1.8 python3=3.11.2-1)
    string(REPLACE "=" " " line ${package})
    string(APPEND all "${line}\n")
  endforeach()
  file(WRITE ${SCRATCH_DIR}/installed "${all}")
  file(WRITE ${SCRATCH_DIR}/offered "${all}")
endfunction()

function(without package)
  string(REPLACE "+" "[+]" package ${package})
  file(READ ${SCRATCH_DIR}/installed all)
  string(REGEX REPLACE "(^|\n)${package} [^\n]*" "\\1" all "${all}")
  file(WRITE ${SCRATCH_DIR}/installed "${all}")
endfunction()

function(version list package is)
  file(READ ${SCRATCH_DIR}/${list} all)
  string(REPLACE "+" "[+]" pattern ${package})
  string(REGEX REPLACE "(^|\n)${pattern} [^\n]*" "\\1${package} ${is}" all "${all}")
  file(WRITE ${SCRATCH_DIR}/${list} "${all}")
endfunction()

# run([OPTION …]) sets exit, said (standard error), told (standard output), asked (of apt-get install).
macro(run)
  file(WRITE ${SCRATCH_DIR}/asked "")
  execute_process(COMMAND /usr/bin/env -i PATH=${bin} ${variables} /bin/sh ${SETUP} ${ARGN}
    RESULT_VARIABLE exit ERROR_VARIABLE said OUTPUT_VARIABLE told)
  file(READ ${SCRATCH_DIR}/asked asked)
endmacro()

function(problem text)
  set(problems "${problems}\n  ${text}\n    exit ${exit}; ${told}${said}    apt-get ${asked}" PARENT_SCOPE)
endfunction()

macro(succeeds what expected_told expected_asked)
  run(${ARGN})
  if(NOT exit STREQUAL "0" OR NOT said STREQUAL "" OR NOT told MATCHES "${expected_told}"
     OR NOT asked STREQUAL "${expected_asked}")
    problem("${what}: expected exit 0 and '${expected_told}'")
  endif()
endmacro()

# One sentence on one line that holds EXPECTED, exit 1, and nothing installed.
macro(refuses what expected)
  run(${ARGN})
  string(FIND "${said}" "${expected}" at)
  if(NOT exit STREQUAL "1" OR NOT said MATCHES "^setup: [^\n]*[.]\n$" OR said MATCHES "[.] [^\n]" OR at EQUAL -1
     OR NOT asked STREQUAL "")
    problem("${what}: expected exit 1 and '${expected}'")
  endif()
endmacro()

set(install "install -y -qq --no-install-recommends")
set(variables "")

new_machine()
succeeds("all is there" "everything is installed" "")
without(libfmt-dev)
without(apngasm)
succeeds("two are missing" "setup: done" "${install} libfmt-dev apngasm ")
run(--any)
if(NOT exit STREQUAL "2" OR NOT said MATCHES "--dev")
  problem("an unknown option: expected exit 2 and the known ones")
endif()

# No more than the two commands and the packages need: a font of 57 MB is for those who work on rope.
new_machine()
file(WRITE ${SCRATCH_DIR}/installed "")
run()
if(NOT exit STREQUAL "0" OR asked MATCHES "noto|clang" OR NOT asked MATCHES " g\\+\\+ .* libgtest-dev .* python3 ")
  problem("nothing is there")
endif()
run(--dev)
if(NOT asked MATCHES "fonts-noto-cjk.*clang")
  problem("--dev")
endif()

# A second architecture is told to dpkg before its packages are asked for, and by this option alone.
new_machine()
foreach(package g++-aarch64-linux-gnu qemu-user libfmt-dev:arm64 libmpfr-dev:arm64 libgtest-dev:arm64)
  file(APPEND ${SCRATCH_DIR}/offered "${package} 1\n")
endforeach()
program(dpkg "echo \"$@\"")
succeeds("--arm64" "^--add-architecture arm64\n.*setup: done"
  "${install} g++-aarch64-linux-gnu qemu-user libfmt-dev:arm64 libmpfr-dev:arm64 libgtest-dev:arm64 " --arm64)
succeeds("--arm64 once more" "^setup: everything is installed" "" --arm64)

new_machine()
program(uname "[ \"$1\" = -s ] && echo Darwin || echo x86_64")
refuses("not Linux" "rope builds on Linux and this is Darwin: use a Linux machine or container")
program(uname "[ \"$1\" = -s ] && echo Linux || echo aarch64")
refuses("not x86-64" "rope is tested on x86-64 and this machine is aarch64: use an x86-64 machine")
set(variables ROPE_ANY_MACHINE=1)
succeeds("not x86-64, and to be tried" "everything is installed" "")
set(variables "")

new_machine()
without(cmake)
file(REMOVE ${bin}/cmake ${bin}/apt-get)
refuses("no apt-get" "there is no apt-get here: install what Debian calls cmake, and then run")

new_machine()
without(libmpfr-dev)
program(id "echo 1000")
refuses("no root" "as root, run apt-get install --no-install-recommends libmpfr-dev.")
program(sudo "echo sudo; exec \"$@\"")
succeeds("sudo" "sudo\n.*setup: done" "${install} libmpfr-dev ")

# As Ubuntu 22.04: nothing is downloaded.
new_machine()
without(cmake)
without(libfmt-dev)
without(libcli11-dev)
file(REMOVE ${bin}/cmake)
version(offered cmake 3.22.1-1ubuntu1)
version(offered libfmt-dev 8.1.1+ds1-2)
refuses("old packages" "too old (libfmt-dev 8.1.1+ds1-2 instead of 9, cmake 3.22.1-1ubuntu1 instead of 3.25): use")
file(WRITE ${SCRATCH_DIR}/offered "")
refuses("no packages" "too old (no libcli11-dev, no libfmt-dev, no cmake): use")
new_machine()
version(installed g++ 4:11.2.0-1ubuntu1)
refuses("old packages that are installed" "too old (g++ 11.2.0-1ubuntu1 instead of 12): use")

# A cmake or a compiler from elsewhere is as good, if it is new enough.
new_machine()
version(installed cmake 3.22.1-1ubuntu1)
program(cmake "echo 'cmake version 3.30.2'")
succeeds("cmake from elsewhere" "everything is installed" "")
new_machine()
program(cmake "echo 'cmake version 3.22.1'")
refuses("an old cmake before the package's" "rope needs cmake 3.25 or later and ${bin}/cmake is 3.22.1: put a newer one")
file(REMOVE ${bin}/cmake)
refuses("no cmake on the PATH" "there is no cmake on the PATH")
new_machine()
program(c++ "echo 11.4.0")
refuses("an old compiler" "rope needs g++ 12 or later and c++ is 11.4.0: install a newer one and set CXX to it.")
without(g++)
program(clang++ "case $1 in -dumpfullversion) exit 1;; -dumpversion) echo $version;; *) echo clang version 13;; esac")
set(variables CXX=clang++ version=14.0.6)
succeeds("a clang that is named" "everything is installed" "")
set(variables CXX=clang++ version=13.0.1)
refuses("an old clang" "rope needs clang++ 14 or later and clang++ is 13.0.1: install")
set(variables CXX=c++22)
refuses("no compiler" "there is no compiler c++22: set CXX to one")

if(problems)
  message(FATAL_ERROR "setup.sh:${problems}")
endif()
file(REMOVE_RECURSE ${SCRATCH_DIR})
