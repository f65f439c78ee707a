#include "rope/plot/player.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>

#include "rope/plot/raw_terminal.hpp"

namespace rope::plot {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLookForSignals{100};
constexpr std::string_view kOtherScreen = "\x1B[?1049h\x1B[?25l";  // and no cursor
constexpr std::string_view kFirstScreen = "\x1B[?25h\x1B[?1049l";

enum class Key { none, back, on, first, last, play, stop, end };

/// The length of the key that comes first: a byte, or a sequence from Escape to a letter or ~.
std::size_t length_of_key(std::string_view bytes) {
  if (bytes.size() < 3 || bytes[0] != '\x1B' || (bytes[1] != '[' && bytes[1] != 'O')) return 1;
  std::size_t end = 2;
  while (end + 1 < bytes.size() && bytes[end] >= '0' && bytes[end] <= '?') ++end;
  return end + 1;
}

Key key_of(std::string_view bytes) {
  if (bytes == "\x1B" || bytes == "q" || bytes == "Q") return Key::end;
  if (bytes == " ") return Key::play;
  if (bytes == "\x1B[C" || bytes == "\x1BOC" || bytes == "l") return Key::on;
  if (bytes == "\x1B[D" || bytes == "\x1BOD" || bytes == "h") return Key::back;
  if (bytes == "\x1B[H" || bytes == "\x1BOH" || bytes == "\x1B[1~") return Key::first;
  if (bytes == "\x1B[F" || bytes == "\x1BOF" || bytes == "\x1B[4~") return Key::last;
  return Key::none;
}

/// What is typed, key by key.
class Keyboard {
 public:
  /// The key that is pressed within the time; the end where the terminal is gone.
  Key wait(std::chrono::milliseconds time) {
    const auto end = Clock::now() + time;
    while (typed_.empty()) {
      if (RawTerminal::is_to_end()) return Key::end;
      if (RawTerminal::is_to_stop()) return Key::stop;
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
      if (left.count() <= 0) return Key::none;
      pollfd wait = {STDIN_FILENO, POLLIN, 0};
      if (poll(&wait, 1, static_cast<int>(std::min(left, kLookForSignals).count())) <= 0) continue;
      std::array<char, 64> bytes = {};
      const ssize_t count = read(STDIN_FILENO, bytes.data(), bytes.size());
      if (count <= 0) return Key::end;
      typed_.assign(bytes.data(), static_cast<std::size_t>(count));
    }
    const std::size_t length = length_of_key(typed_);
    const Key key = key_of(std::string_view(typed_).substr(0, length));
    typed_.erase(0, length);
    return key;
  }

 private:
  std::string typed_;
};

void put(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

/// A frame from the top of the screen, and what the keys do below it.
void draw(const std::string& picture, std::string_view keys) {
  std::string screen = "\x1B[H";
  for (const char c : picture) {
    if (c == '\n') screen += "\x1B[K\r";
    screen += c;
  }
  put(screen + std::string(keys) + "\x1B[J");
}

/// Which frame is seen, and whether it goes on by itself.
struct Play {
  std::size_t frame = 0;
  std::size_t last = 0;
  bool playing = false;

  /// What a key, or none within a frame's time, makes of it.
  void take(Key key) {
    if (key == Key::play) playing = !playing;
    if (key == Key::first) frame = 0;
    if (key == Key::last) frame = last;
    if (key == Key::back && frame > 0) --frame;
    const bool goes_on = key == Key::on || (key == Key::none && playing);
    if (goes_on && frame < last) ++frame;
    if (frame == last) playing = false;
  }
};

}  // namespace

void play_in_terminal(const Animation& animation, int columns, int rows,
                      const TerminalAbility& ability, bool playing) {
  TerminalAbility characters = ability;
  characters.sixel = false;
  Play play{0, animation.frames.size() - 1, playing};
  const auto picture = [&] {
    return draw_in_terminal(animation.frames.at(play.frame), columns, rows, characters);
  };
  if (play.last > 0 && isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0) {
    const RawTerminal raw(STDIN_FILENO);
    const std::string keys = ability.unicode ? animation.frames.front().remarks.keys.bytes()
                                             : "arrow keys step   space plays and stops   q quits";
    Keyboard keyboard;
    put(kOtherScreen);
    for (Key key = Key::none; raw.active() && key != Key::end; play.take(key)) {
      draw(picture(), keys);
      constexpr std::chrono::hours kLong{1};
      key = keyboard.wait(play.playing ? std::chrono::milliseconds(animation.milliseconds) : kLong);
      if (key != Key::stop) continue;
      put(kFirstScreen);
      raw.stop();
      put(kOtherScreen);
    }
    put(kFirstScreen);
  }
  put(picture());
}

}  // namespace rope::plot
