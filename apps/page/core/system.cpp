// What the program asks of Linux and emscripten's C library lacks. A page has no second process:
// memfd_create and prctl, which start gnuplot, fail as they would on a machine without it; and no
// disk.
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>

extern "C" {

ssize_t getrandom(void* bytes, size_t count, unsigned /*flags*/) {
  return getentropy(bytes, count) == 0 ? static_cast<ssize_t>(count) : -1;
}

int memfd_create(const char* /*name*/, unsigned /*flags*/) {
  errno = ENOSYS;
  return -1;
}

int sync_file_range(int /*descriptor*/, off_t /*offset*/, off_t /*length*/, unsigned /*flags*/) {
  errno = ENOSYS;
  return -1;
}

int prctl(int /*option*/, ...) {
  errno = ENOSYS;
  return -1;
}
}
