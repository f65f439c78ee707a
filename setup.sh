#!/bin/sh
# Installs what this project builds and runs with, from Debian's (or Ubuntu's) packages.
#
#   ./setup.sh          what is needed to build, run and test
#   ./setup.sh --dev    the same, and clang, clang-tidy, clang-format, libFuzzer's and the
#                       sanitizers' runtime, the provers gappa, sollya and z3, and valgrind:
#                       what .ci/run uses
#   ./setup.sh --page   the same as the first, and what builds and tests the page: emscripten, Node,
#                       Chromium
#
# Asks for nothing, installs nothing that is there already, and needs root or sudo only if
# something is missing.
set -eu

case "${1-}" in
  "" | --dev | --page) ;;
  *)
    sed -n '2,12p' "$0" | sed 's/^# \{0,1\}//' >&2
    exit 2
    ;;
esac

# g++, cmake, ninja-build, pkg-config   the toolchain
# libcli11-dev, libfmt-dev              command line, text
# libeigen3-dev                         matrices
# nlohmann-json3-dev                    JSON
# librandom123-dev                      counter-based random numbers
# libboost-dev                          256-bit numbers for the frequencies (headers)
# libmpfr-dev                           the independent reference
# libgtest-dev                          tests
# gnuplot-nox, fontconfig, fonts-inter  pictures
# fonts-noto-cjk                        Chinese words in pictures (--lang zh); Inter has none
# apngasm, apng2gif                     pictures that move
# valgrind (--dev)                     counts instructions: tests/benchmarks
# gappa, sollya, z3 (--dev)            prove roundings, polynomials and integers of the kernel: tests/proofs
packages="g++ cmake ninja-build pkg-config libcli11-dev libfmt-dev libeigen3-dev nlohmann-json3-dev
  librandom123-dev libboost-dev libmpfr-dev libgtest-dev gnuplot-nox fontconfig fonts-inter fonts-noto-cjk
  apngasm apng2gif"
if [ "${1-}" = --dev ]; then
  packages="$packages clang clang-tidy clang-format libclang-rt-14-dev git valgrind gappa sollya z3"
fi
# dpkg-dev, m4   GMP and MPFR for WebAssembly are compiled from Debian's sources
if [ "${1-}" = --page ]; then
  packages="$packages emscripten chromium dpkg-dev m4 make gcc"
  command -v npm >/dev/null 2>&1 || packages="$packages nodejs npm"
fi

missing=""
for package in $packages; do
  state=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
  [ "$state" = "install ok installed" ] || missing="$missing $package"
done
if [ -z "$missing" ]; then
  echo "setup: everything is installed"
  exit 0
fi

if ! command -v apt-get >/dev/null 2>&1; then
  echo "setup: there is no apt-get here; install the equivalents of:$missing" >&2
  exit 1
fi
root=""
if [ "$(id -u)" != 0 ]; then
  if ! command -v sudo >/dev/null 2>&1; then
    echo "setup: as root, run: apt-get install --no-install-recommends$missing" >&2
    exit 1
  fi
  root="sudo"
fi
echo "setup: installing$missing"
$root apt-get update -qq
# shellcheck disable=SC2086  # a list of words is meant
$root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
echo "setup: done"
