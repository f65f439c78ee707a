#include <fcntl.h>
#include <gmp.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "program.hpp"
#include "rope/io/file.hpp"
#include "rope/plot/temporary_folder.hpp"
#include "shown/console.hpp"

namespace rope::app {
namespace {

void remove_what_is_unfinished() {
  io::remove_unfinished_files();
  plot::remove_unfinished_folder();
  Progress::remove_drawn();
}

/// Says that memory is out and ends the program with exit code 3.
///
/// Nothing is unwound: a document that is half built may need memory to be destroyed, and g++ 12
/// destroys the elements of a braced list twice if an exception passes it.
[[noreturn]] void end_without_memory() noexcept {
  remove_what_is_unfinished();
  constexpr std::string_view kMessage = "rope: out of memory\nAsk for fewer values.\n";
  if (write(STDERR_FILENO, kMessage.data(), kMessage.size()) < 0) {
    // Then nobody can be told.
  }
  _exit(static_cast<int>(ExitCode::system_failed));
}

/// The default is back in place (SA_RESETHAND), so that the same signal now ends the program.
void end_by_signal(int signal) {
  remove_what_is_unfinished();
  static_cast<void>(std::raise(signal));
}

void* allocate(std::size_t size) {
  void* const memory = std::malloc(size);  // NOLINT(cppcoreguidelines-no-malloc)
  if (memory == nullptr) end_without_memory();
  return memory;
}

void* reallocate(void* old, std::size_t /*old_size*/, std::size_t size) {
  void* const memory = std::realloc(old, size);  // NOLINT(cppcoreguidelines-no-malloc)
  if (memory == nullptr) end_without_memory();
  return memory;
}

void release(void* memory, std::size_t /*size*/) {
  std::free(memory);  // NOLINT(cppcoreguidelines-no-malloc)
}

/// Before the objects with static storage are made, which need memory too.
[[gnu::constructor(101)]] void expect_no_memory() { std::set_new_handler(end_without_memory); }

/// Prepares for an end in the middle of things: nothing half written is left, whatever ends it.
///
/// Signals  that end the program still do so, and its caller sees which; they remove what is
///          unfinished first. One that the caller had ignored (nohup) stays so.
/// Memory   that cannot be had ends it with one message and exit code 3, MPFR's too.
void prepare_for_sudden_end() {
  mp_set_memory_functions(allocate, reallocate, release);
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGABRT}) {
    struct sigaction action {};
    if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) continue;
    action = {};
    action.sa_handler = end_by_signal;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    static_cast<void>(sigaction(signal, &action, nullptr));
  }
}

/// If the caller closed a standard stream, the next file opened would take its number and receive
/// what is meant for the stream. So something stands in its place that cannot be written to.
void fill_standard_descriptors() {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor)
    if (fcntl(descriptor, F_GETFD) == -1 && errno == EBADF)
      static_cast<void>(open("/dev/null", O_RDONLY));  // NOLINT(cppcoreguidelines-pro-type-vararg)
}

int run(int argc, char** argv) {
  const ExitCode code = run_program({argv + (argc > 0 ? 1 : 0), argv + argc});
  // What was printed may still wait in the buffer: only now is it known whether it arrived.
  const bool broken = std::ferror(stdout) != 0;
  const bool failed = std::fflush(stdout) != 0 || broken;
  if (failed && reader_is_gone()) end_without_reader();
  if (failed) {
    const std::string reason =
        broken ? "an earlier write failed" : std::strerror(errno);  // NOLINT(concurrency-mt-unsafe)
    std::fputs(("rope: cannot write to standard output: " + reason + "\n").c_str(), stderr);
    return static_cast<int>(ExitCode::system_failed);
  }
  return static_cast<int>(code);
}

}  // namespace
}  // namespace rope::app

int main(int argc, char** argv) {
  // A reader that went away and a file size limit are noticed where they are met.
  static_cast<void>(std::signal(SIGPIPE, SIG_IGN));
  static_cast<void>(std::signal(SIGXFSZ, SIG_IGN));
  rope::app::fill_standard_descriptors();
  rope::app::prepare_for_sudden_end();
  try {
    return rope::app::run(argc, argv);
  } catch (const std::bad_alloc&) {
    rope::app::end_without_memory();  // where memory was not asked for by operator new
  } catch (const std::exception& error) {
    static_cast<void>(std::fputs("rope: ", stderr));
    static_cast<void>(std::fputs(error.what(), stderr));
    static_cast<void>(std::fputs("\n", stderr));
  }
  return static_cast<int>(rope::app::ExitCode::system_failed);
}
