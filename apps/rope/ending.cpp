#include "ending.hpp"

#include <gmp.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <new>
#include <string_view>

#include "rope/io/file.hpp"
#include "rope/plot/temporary_folder.hpp"
#include "shown/console.hpp"
#include "usage/command.hpp"

namespace rope::app {
namespace {

void remove_what_is_unfinished() {
  io::remove_unfinished_files();
  plot::remove_unfinished_folder();
  Progress::remove_drawn();
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

}  // namespace

// Nothing is unwound: a document that is half built may need memory to be destroyed, and g++ 12
// destroys the elements of a braced list twice if an exception passes it.
void end_without_memory() noexcept {
  remove_what_is_unfinished();
  constexpr std::string_view kMessage = "rope: out of memory\nAsk for fewer values.\n";
  if (write(STDERR_FILENO, kMessage.data(), kMessage.size()) < 0) {
    // Then nobody can be told.
  }
  _exit(static_cast<int>(ExitCode::system_failed));
}

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

}  // namespace rope::app
