#!/bin/sh
# Compiles Debian's GMP and MPFR for WebAssembly, from the sources that Debian keeps beside its packages.
#
#   mpfr.sh FOLDER    headers and static libraries go to FOLDER/include and FOLDER/lib
#
# The sources are checked against Debian's signed lists; neither root nor a change of this machine's lists is needed.
set -eu
folder=$(mkdir -p "$1" && cd "$1" && pwd)
. /etc/os-release
cd "$folder"
rm -rf gmp-* mpfr4-* build-*
mkdir -p lists/partial cache/archives/partial
cat > debian.sources <<END
Types: deb-src
URIs: http://deb.debian.org/debian
Suites: $VERSION_CODENAME
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
END
apt() {
  apt-get -qq -o Dir::Etc::sourcelist="$folder/debian.sources" -o Dir::Etc::sourceparts=- \
    -o Dir::State::lists="$folder/lists" -o Dir::Cache="$folder/cache" -o APT::Sandbox::User="$(id -un)" "$@"
}
apt update
apt source gmp mpfr4 > sources.log
manual=$(echo gmp-*)/doc  # which Debian leaves out, and GMP's makefiles miss
mkdir "$manual"
echo 'all install:' > "$manual/Makefile.in"

# Debian's nodejs keeps the modules of emscripten's own tools here.
export NODE_PATH=/usr/share/nodejs
build() {
  source=$1
  shift
  mkdir -p "build-$source"
  (cd "build-$source" && emconfigure ../"$source"-*/configure --build="$(gcc -dumpmachine)" --host=none \
    --disable-shared --prefix="$folder" CFLAGS=-O2 "$@" && make -s -j"$(nproc)" && make -s install) > "$source.log" 2>&1 ||
    { tail -n 20 "$source.log" >&2; exit 1; }
}
build gmp --disable-assembly CC_FOR_BUILD=gcc
build mpfr4 --disable-thread-safe --with-gmp="$folder"
