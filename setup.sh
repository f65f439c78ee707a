#!/bin/sh
# Installs the Debian (or Ubuntu) packages that this project is built, run and tested with, and
# checks that they are new enough.
#
#   ./setup.sh          what the two commands of README.md need
#   ./setup.sh --dev    also what .ci/run needs: clang, clang-tidy, clang-format, the runtime of
#                       libFuzzer and the sanitizers, the provers gappa, sollya and z3, valgrind,
#                       Python with pytest, NumPy and PyTorch, and a font for Chinese pictures
#   ./setup.sh --page   also what builds and tests the page: emscripten, Node, Chromium, and a font
#                       for Chinese pictures
#   ./setup.sh --arm64  also what builds and tests the packages for 64-bit ARM here: Debian's cross
#                       compiler, its libraries for arm64 (an architecture that dpkg then knows), qemu
#
# It asks no questions and installs only packages that are missing. It needs root or sudo only for
# that. CXX names the compiler, as it does for cmake.
#
# Exit 0: everything is there. 1: the machine lacks something; one sentence says what to do.
# 2: an unknown option.
set -eu

case "${1-}" in
  "" | --dev | --page | --arm64) ;;
  *)
    sed -n '2,19p' "$0" | sed 's/^# \{0,1\}//' >&2
    exit 2
    ;;
esac

tested="Debian 12 and 13 on x86-64"
page="open docs/page/rope.html in a browser"

lacks() {
  echo "setup: $*" >&2
  exit 1
}

system=$(uname -s)
machine=$(uname -m)
[ "$system" = Linux ] ||
  lacks "rope builds on Linux and this is $system: use a Linux machine or container ($tested), or $page."
[ "$machine" = x86_64 ] || [ -n "${ROPE_ANY_MACHINE-}" ] ||
  lacks "rope is tested on x86-64 and this machine is $machine: use an x86-64 machine, $page," \
    "or set ROPE_ANY_MACHINE=1 to try it here."

# g++, cmake, ninja-build, pkg-config   the toolchain
# libcli11-dev, libfmt-dev              command line, text
# libeigen3-dev                         matrices
# nlohmann-json3-dev                    JSON
# librandom123-dev                      counter-based random numbers
# libboost-dev                          256-bit numbers for the frequencies; zlib's format (headers)
# libmpfr-dev                           the independent reference
# libgtest-dev                          tests
# gnuplot-nox, fontconfig, fonts-inter  pictures
# apngasm, apng2gif                     animations
# python3                               makes the packages and the wheel
# fonts-noto-cjk (--dev, --page)        Chinese words in pictures (--lang zh): 57 MB to download
# valgrind (--dev)                      counts instructions: tests/benchmarks
# python3-… (--dev)                     the tests of the Python package; venv installs its wheel
# gappa, sollya, z3 (--dev)             prove roundings, polynomials and integers of the kernel: tests/proofs
packages="libcli11-dev libfmt-dev libeigen3-dev nlohmann-json3-dev librandom123-dev libboost-dev
  libmpfr-dev libgtest-dev ninja-build pkg-config gnuplot-nox fontconfig fonts-inter apngasm apng2gif
  python3"
# What CMakeLists.txt asks for.
oldest="libcli11-dev 2.1 libfmt-dev 9 libeigen3-dev 3.4 nlohmann-json3-dev 3.11 libboost-dev 1.74"
if [ "${1-}" = --dev ]; then
  packages="$packages fonts-noto-cjk clang clang-tidy clang-format libclang-rt-dev git valgrind gappa sollya z3
    python3-pytest python3-yaml python3-numpy python3-torch python3-venv"
fi
# dpkg-dev, m4   GMP and MPFR for WebAssembly are compiled from Debian's sources
if [ "${1-}" = --page ]; then
  packages="$packages fonts-noto-cjk emscripten chromium dpkg-dev m4 make gcc"
  command -v npm >/dev/null 2>&1 || packages="$packages nodejs npm"
fi

# g++-aarch64-linux-gnu, lib…:arm64   build for 64-bit ARM; qemu-user runs what was built
if [ "${1-}" = --arm64 ]; then
  packages="$packages g++-aarch64-linux-gnu qemu-user libfmt-dev:arm64 libmpfr-dev:arm64 libgtest-dev:arm64"
fi

older() {  # older VERSION OLDEST
  [ "$1" != "$2" ] && [ "$(printf '%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]
}

cmake_version() { cmake --version 2>/dev/null | sed -n '1s/^cmake version \([0-9.]*\).*/\1/p'; }
compiler_version() { "$1" -dumpfullversion 2>/dev/null || "$1" -dumpversion 2>/dev/null || true; }

# A cmake or a compiler that did not come as a package serves as well.
found=$(cmake_version)
if [ -z "$found" ] || older "$found" 3.25; then
  packages="cmake $packages"
  oldest="$oldest cmake 3.25"
fi
if [ -z "${CXX-}" ] || [ "${1-}" = --dev ]; then
  packages="g++ $packages"
  oldest="$oldest g++ 4:12"
fi

installed() {
  [ "$(dpkg-query -W -f '${Status}' "$1" 2>/dev/null || true)" = "install ok installed" ]
}
missing=""
for package in $packages; do
  installed "$package" || missing="$missing $package"
done

# Of each package that must be new enough, what is installed or would be: names those that are not.
too_old() {
  # shellcheck disable=SC2086  # a list of words is meant
  set -- $oldest
  while [ $# -gt 0 ]; do
    if installed "$1"; then
      version=$(dpkg-query -W -f '${Version}' "$1")
    else
      version=$(LC_ALL=C apt-cache policy "$1" | sed -n 's/^ *Candidate: //p')
    fi
    if [ -z "$version" ] || [ "$version" = "(none)" ]; then
      printf '%s' ", no $1"
    elif older "$version" "$2"; then
      printf '%s' ", $1 ${version#*:} instead of ${2#*:}"
    fi
    shift 2
  done
}
check_packages() {
  old=$(too_old)
  [ -z "$old" ] ||
    lacks "the packages of this system are too old (${old#, }): use a newer one, as Debian 12 or Ubuntu 24.04 are," \
      "or a container of one."
}

if [ -n "$missing" ]; then
  command -v apt-get >/dev/null 2>&1 ||
    lacks "there is no apt-get here: install what Debian calls$missing, and then run the cmake command alone."
  root=""
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null 2>&1 ||
      lacks "this needs root and there is no sudo: as root, run apt-get install --no-install-recommends$missing."
    root="sudo"
  fi
  case $missing in
    *:arm64*) $root dpkg --add-architecture arm64 ;;
  esac
  $root apt-get update -qq || echo "setup: apt-get update failed; the lists of before are used" >&2
  check_packages
  echo "setup: installing$missing"
  # shellcheck disable=SC2086  # a list of words is meant
  $root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing ||
    lacks "apt-get could not install the packages: see above, or use a system on which rope is tested ($tested)."
fi

# What is there now is new enough, wherever it came from.
check_packages
found=$(cmake_version)
[ -n "$found" ] || lacks "there is no cmake on the PATH: add the folder that it is in."
if older "$found" 3.25; then
  lacks "rope needs cmake 3.25 or later and $(command -v cmake) is $found: put a newer one before it on the PATH," \
    "or use a newer system, as Debian 12 or Ubuntu 24.04 are."
fi
compiler=${CXX:-c++}
found=$(compiler_version "$compiler")
[ -n "$found" ] || lacks "there is no compiler $compiler: set CXX to one, such as CXX=g++."
if "$compiler" --version 2>/dev/null | grep -q clang; then
  name=clang++ least=14
else
  name=g++ least=12
fi
if older "$found" "$least"; then
  lacks "rope needs $name $least or later and $compiler is $found: install a newer one and set CXX to it."
fi
if [ -z "$missing" ]; then echo "setup: everything is installed"; else echo "setup: done"; fi
