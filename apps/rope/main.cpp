#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "ending.hpp"
#include "program.hpp"
#include "shown/console.hpp"

namespace {

/// If the caller closed a standard stream, the next file opened would take its number and receive
/// what is meant for the stream. So something stands in its place that cannot be written to.
void fill_standard_descriptors() {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor)
    if (fcntl(descriptor, F_GETFD) == -1 && errno == EBADF)
      static_cast<void>(open("/dev/null", O_RDONLY));  // NOLINT(cppcoreguidelines-pro-type-vararg)
}

int run(int argc, char** argv) {
  const rope::app::ExitCode code = rope::app::run_program({argv + (argc > 0 ? 1 : 0), argv + argc});
  // What was printed may still wait in the buffer: only now is it known whether it arrived.
  const bool broken = std::ferror(stdout) != 0;
  const bool failed = std::fflush(stdout) != 0 || broken;
  if (failed && rope::app::reader_is_gone()) rope::app::end_without_reader();
  if (failed) {
    const std::string reason =
        broken ? "an earlier write failed" : std::strerror(errno);  // NOLINT(concurrency-mt-unsafe)
    std::fputs(("rope: cannot write standard output: " + reason + "\n").c_str(), stderr);
    return static_cast<int>(rope::app::ExitCode::system_failed);
  }
  return static_cast<int>(code);
}

}  // namespace

int main(int argc, char** argv) {
  // A reader that went away and a file size limit are noticed where they are met.
  static_cast<void>(std::signal(SIGPIPE, SIG_IGN));
  static_cast<void>(std::signal(SIGXFSZ, SIG_IGN));
  fill_standard_descriptors();
  rope::app::prepare_for_sudden_end();
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    rope::app::end_without_memory();  // where memory was not asked for by operator new
  } catch (const std::exception& error) {
    static_cast<void>(std::fputs("rope: ", stderr));
    static_cast<void>(std::fputs(error.what(), stderr));
    static_cast<void>(std::fputs("\n", stderr));
  }
  return static_cast<int>(rope::app::ExitCode::system_failed);
}
