#pragma once

#include <sys/ioctl.h>
#include <termios.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <string>
#include <utility>

namespace rope::plot {

/// The signals that end a program, except those raised by its own faults and those that cannot be
/// blocked.
inline constexpr std::array kEndingSignals = {SIGHUP,    SIGINT,  SIGQUIT, SIGTERM,
                                              SIGABRT,   SIGUSR1, SIGUSR2, SIGALRM,
                                              SIGVTALRM, SIGPROF, SIGXCPU, SIGPOLL};

/// A terminal that passes on each byte at once and echoes none of them, until the end of a scope.
/// Signals that would end or stop the program are also held back until then, so that none can leave
/// the terminal in this state.
class RawTerminal {
 public:
  explicit RawTerminal(int descriptor) : descriptor_(descriptor) {
    sigset_t waiting;
    sigemptyset(&waiting);
    for (const int signal : kEndingSignals) sigaddset(&waiting, signal);
    sigaddset(&waiting, SIGTSTP);
    pthread_sigmask(SIG_BLOCK, &waiting, &signals_before_);
    if (tcgetattr(descriptor, &before_) != 0) return;
    raw_ = before_;
    raw_.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    raw_.c_cc[VMIN] = 0;
    raw_.c_cc[VTIME] = 0;
    active_ = tcsetattr(descriptor, TCSANOW, &raw_) == 0;
  }
  ~RawTerminal() {
    if (active_) tcsetattr(descriptor_, TCSANOW, &before_);
    if (active_) type_again();
    pthread_sigmask(SIG_SETMASK, &signals_before_, nullptr);
  }
  RawTerminal(const RawTerminal&) = delete;
  RawTerminal& operator=(const RawTerminal&) = delete;
  RawTerminal(RawTerminal&&) = delete;
  RawTerminal& operator=(RawTerminal&&) = delete;

  bool active() const { return active_; }

  /// Whether input was typed ahead that the user's next program should read.
  bool has_input() const {
    int bytes = 0;
    return ioctl(descriptor_, FIONREAD, &bytes) == 0 && bytes > 0;
  }

  /// Whether a signal that stops the program (Ctrl-Z) is pending.
  static bool is_to_stop() { return waits(SIGTSTP); }

  /// Whether a signal that ends the program is pending. An ignored signal is also pending while it
  /// is blocked, but would not end the program, so it is not counted.
  static bool is_to_end() { return std::ranges::any_of(kEndingSignals, waits); }

  /// Stops the program until it is continued; meanwhile, the terminal is as it was before.
  void stop() const {
    tcsetattr(descriptor_, TCSADRAIN, &before_);
    sigset_t stopping;
    sigemptyset(&stopping);
    sigaddset(&stopping, SIGTSTP);
    pthread_sigmask(SIG_UNBLOCK, &stopping, nullptr);  // the program stops here
    pthread_sigmask(SIG_BLOCK, &stopping, nullptr);
    tcsetattr(descriptor_, TCSANOW, &raw_);
  }

  /// Keeps input that was read but is meant for the next program; it is typed again at the end.
  void give_back(std::string bytes) { typed_ = std::move(bytes); }

 private:
  static bool waits(int signal) {
    sigset_t pending;
    sigemptyset(&pending);
    sigpending(&pending);
    struct sigaction action {};
    return sigismember(&pending, signal) == 1 && sigaction(signal, nullptr, &action) == 0 &&
           action.sa_handler != SIG_IGN;
  }

  /// If the system does not allow input to be typed again, the rest of the line is discarded: half
  /// a command line would be a different command.
  void type_again() const {
    for (const char byte : typed_)
      if (ioctl(descriptor_, TIOCSTI, &byte) != 0) {
        tcflush(descriptor_, TCIFLUSH);
        return;
      }
  }

  int descriptor_;
  sigset_t signals_before_ = {};
  termios before_ = {}, raw_ = {};
  std::string typed_;
  bool active_ = false;
};

}  // namespace rope::plot
