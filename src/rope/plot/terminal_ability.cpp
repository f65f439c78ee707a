#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "rope/plot/raw_terminal.hpp"
#include "rope/plot/terminal.hpp"

namespace rope::plot {
namespace {

constexpr std::chrono::milliseconds kPatience{200};
constexpr std::string_view kAsk = "\x1B[c";  // "what are you?" (DA1)

std::string variable(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return value == nullptr ? std::string() : std::string(value);
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

bool locale_is_utf8() {
  for (const char* const name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    std::string value = variable(name);
    if (value.empty()) continue;
    std::transform(value.begin(), value.end(), value.begin(), [](char c) {
      return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    });
    return contains(value, "utf-8") || contains(value, "utf8");
  }
  return false;
}

ColourDepth colour_depth(const std::string& terminal) {
  if (!variable("NO_COLOR").empty()) return ColourDepth::none;
  const std::string colours = variable("COLORTERM");
  if (colours == "truecolor" || colours == "24bit" || contains(terminal, "direct")) {
    return ColourDepth::truecolor;
  }
  return contains(terminal, "256color") ? ColourDepth::indexed256 : ColourDepth::none;
}

/// What came from a terminal: its answer, and what somebody typed meanwhile.
struct Heard {
  std::string answer;  ///< from Escape [ ? to c; empty if there was none
  std::string typed;
};

/// Tells the bytes of an answer from those that are typed, which may come before it.
class Listener {
 public:
  /// Whether the answer is whole.
  bool take(char byte) {
    answer_ += byte;
    if (is_beginning()) return byte == 'c' && answer_.size() > kBegin.size();
    heard_.typed += answer_;
    answer_.clear();
    return false;
  }

  Heard heard(bool whole) {
    if (whole) heard_.answer = answer_;
    return std::move(heard_);
  }

 private:
  static constexpr std::string_view kBegin = "\x1B[?";

  bool is_beginning() const {
    constexpr std::size_t kLongest = 256;
    if (answer_.size() <= kBegin.size()) return kBegin.starts_with(answer_);
    return answer_.size() < kLongest &&
           std::string_view("0123456789;c").find(answer_.back()) != std::string_view::npos;
  }

  std::string answer_;
  Heard heard_;
};

/// What the terminal answers within the time.
Heard ask(int descriptor) {
  Listener listener;
  if (write(descriptor, kAsk.data(), kAsk.size()) != static_cast<ssize_t>(kAsk.size())) return {};
  const auto end = std::chrono::steady_clock::now() + kPatience;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    pollfd wait = {descriptor, POLLIN, 0};
    char byte = 0;
    if (left.count() <= 0 || poll(&wait, 1, static_cast<int>(left.count())) <= 0 ||
        read(descriptor, &byte, 1) != 1)
      return listener.heard(false);
    if (listener.take(byte)) return listener.heard(true);
  }
}

/// Whether an answer like "ESC [ ? 62 ; 4 ; 22 c" names attribute 4, sixel.
bool names_sixel(std::string_view answer) {
  if (answer.empty()) return false;
  std::string attributes = ";";
  attributes += answer.substr(3, answer.size() - 4);
  attributes += ';';
  return contains(attributes, ";4;");
}

bool shows_sixel(int descriptor) {
  std::array<char, 256> name = {};
  if (ttyname_r(descriptor, name.data(), name.size()) != 0) return false;
  const int terminal = open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (terminal < 0) return false;
  bool result = false;
  // In the background a change of the terminal's settings would stop the program.
  const pid_t foreground = tcgetpgrp(terminal);
  if (foreground < 0 || foreground == getpgrp()) {
    RawTerminal raw(terminal);
    // An answer behind what was typed ahead could not be read without it.
    if (raw.active() && !raw.has_input()) {
      Heard heard = ask(terminal);
      result = names_sixel(heard.answer);
      raw.give_back(std::move(heard.typed));
    }
  }
  close(terminal);
  return result;
}

}  // namespace

TerminalAbility detect_terminal(int descriptor) {
  TerminalAbility ability;
  if (isatty(descriptor) == 0) return ability;
  const std::string terminal = variable("TERM");
  ability.unicode = locale_is_utf8();
  if (terminal.empty() || terminal == "dumb") return ability;
  ability.colour = colour_depth(terminal);
  ability.sixel = shows_sixel(descriptor);
  return ability;
}

}  // namespace rope::plot
