#pragma once

#include <sys/ioctl.h>
#include <termios.h>

#include <csignal>
#include <initializer_list>

namespace rope::plot {

/// A terminal that hands over each byte at once and shows none of them, until the end of a scope.
/// Signals that would end or stop the program wait for that end too, so that none can leave the
/// terminal in this state.
class RawTerminal {
 public:
  explicit RawTerminal(int descriptor) : descriptor_(descriptor) {
    sigset_t waiting;
    sigemptyset(&waiting);
    for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP})
      sigaddset(&waiting, signal);
    pthread_sigmask(SIG_BLOCK, &waiting, &signals_before_);
    if (tcgetattr(descriptor, &before_) != 0) return;
    termios raw = before_;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    raw.c_cc[VMIN] = 0;
    raw.c_cc[VTIME] = 0;
    active_ = tcsetattr(descriptor, TCSANOW, &raw) == 0;
  }
  ~RawTerminal() {
    if (active_) tcsetattr(descriptor_, flush_ ? TCSAFLUSH : TCSANOW, &before_);
    pthread_sigmask(SIG_SETMASK, &signals_before_, nullptr);
  }
  RawTerminal(const RawTerminal&) = delete;
  RawTerminal& operator=(const RawTerminal&) = delete;
  RawTerminal(RawTerminal&&) = delete;
  RawTerminal& operator=(RawTerminal&&) = delete;

  bool active() const { return active_; }

  /// Whether something was typed ahead, which is for the user's next program to read.
  bool has_input() const {
    int bytes = 0;
    return ioctl(descriptor_, FIONREAD, &bytes) == 0 && bytes > 0;
  }

  /// What comes from now on is thrown away at the end.
  void flush_at_end() { flush_ = true; }

 private:
  int descriptor_;
  sigset_t signals_before_ = {};
  termios before_ = {};
  bool flush_ = false;
  bool active_ = false;
};

}  // namespace rope::plot
