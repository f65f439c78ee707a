# cmake -DPACKAGE=make;BUILD;… -DEMULATOR=… -DVERSION=… -DSCRATCH_DIR=… -P package.cmake
#
# Makes the packages twice, as users with other habits. It succeeds where both are the same bytes, hold the files listed
# here, and what they hold runs.
cmake_policy(VERSION 3.25)
file(REMOVE_RECURSE ${SCRATCH_DIR})
file(MAKE_DIRECTORY ${SCRATCH_DIR})
set(ENV{SOURCE_DATE_EPOCH} 1767225600)

function(run)  # in a shell, in the folder of this test; its output is in `said`
  execute_process(COMMAND sh -ec "${ARGN}" WORKING_DIRECTORY ${SCRATCH_DIR}
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE complaint)
  if(NOT result STREQUAL "0")
    message(FATAL_ERROR "${ARGN}: exit ${result}: ${complaint}${output}")
  endif()
  set(said "${output}" PARENT_SCOPE)
endfunction()
function(expect what found expected)
  if(NOT found STREQUAL expected)
    message(FATAL_ERROR "${what}: expected\n${expected}\nfound\n${found}")
  endif()
endfunction()

# (1) The same bytes, whoever makes them.
list(JOIN PACKAGE "' '" words)
run("umask 002; TZ=Asia/Shanghai LC_ALL=C.UTF-8 '${words}' one")
run("umask 077; '${words}' two")
run("cmp one/SHA256SUMS two/SHA256SUMS; cd two; sha256sum -c --quiet SHA256SUMS; sed 's/.* //' SHA256SUMS")
string(REGEX MATCHALL "[^\n]+" files "${said}")
list(LENGTH files count)
expect("number of files" ${count} 4)
list(GET files 0 deb)
list(GET files 1 archive)
list(GET files 2 wheel)

# (2) What they hold.
set(pages share/doc/rope/CHANGELOG.md share/doc/rope/README.md share/doc/rope/README.zh.md share/doc/rope/copyright
  share/doc/rope/docs/commands.md share/doc/rope/docs/figures/decay.png share/doc/rope/examples/tables.cpp)
set(completions share/bash-completion/completions/rope share/fish/vendor_completions.d/rope.fish)
run("mkdir deb; dpkg-deb -x two/${deb} deb; dpkg-deb -c two/${deb} | awk '{ print $1, $2 }' | sort -u")
expect("modes and owners" "${said}" "-rw-r--r-- root/root\n-rwxr-xr-x root/root\ndrwxr-xr-x root/root\n")
run("mkdir tar; tar -C tar --strip-components=1 -xzf two/${archive}; dpkg-deb -f two/${deb} Version; dpkg-deb -f two/${deb} | grep Depends || true")
expect("version and dependencies" "${said}" "${VERSION}\n")
foreach(file bin/rope share/man/man1/rope.1.gz share/zsh/vendor-completions/_rope ${completions} ${pages})
  run("test -s deb/usr/${file}")
endforeach()
foreach(file bin/rope share/man/man1/rope.1 share/zsh/site-functions/_rope ${completions} ${pages})
  run("test -s tar/${file}")
endforeach()
run("cd deb; find . -mindepth 2 -maxdepth 2 | sort")
expect("files elsewhere" "${said}" "./usr/bin\n./usr/share\n")

# (3) The program: one for all, static, guarded, and right.
run("mkdir wheel; cd wheel; python3 -m zipfile -e ../two/${wheel} .")
run("cmp deb/usr/bin/rope tar/bin/rope; cmp deb/usr/bin/rope wheel/rope_check/bin/rope; ${EMULATOR} tar/bin/rope --version")
expect("version" "${said}" "rope ${VERSION}\n")
run("readelf -hldW tar/bin/rope")
if(said MATCHES "INTERP|NEEDED|GNU_STACK[^\n]*RWE" OR NOT said MATCHES "DYN .*GNU_RELRO.*BIND_NOW.*PIE")
  message(FATAL_ERROR "tar/bin/rope is not static-pie with relro and bind-now:\n${said}")
endif()
run("if grep -aq '${SOURCE}' tar/bin/rope; then echo a path of this machine; fi; ${EMULATOR} tar/bin/rope verify --trials 50 --quiet")
if(NOT said MATCHES "^PASS")
  message(FATAL_ERROR "tar/bin/rope verify: ${said}")
endif()
