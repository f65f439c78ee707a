#include "shown/console.hpp"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <system_error>
#include <utility>

#include "rope/io/quote.hpp"
#include "rope/language/said.hpp"
#include "shown/text.hpp"

namespace rope::app {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

std::string_view environment(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets it
  return value == nullptr ? std::string_view() : std::string_view(value);
}

bool locale_is_utf8() {
  for (const char* const name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string_view value = environment(name);
    if (value.empty()) continue;
    std::string lower;
    for (const char c : value) lower += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    return lower.find("utf-8") != std::string::npos || lower.find("utf8") != std::string::npos;
  }
  return false;
}

constexpr std::size_t kNoTerminal = 80;    // columns of a file or a pipe
constexpr std::size_t kNarrowest = 20;     // of a terminal: below that nothing can be laid out
constexpr std::size_t kLongestLine = 100;  // of sentences: the eye loses the next line beyond

/// Columns of the terminal; none if the descriptor is none, or does not say.
std::optional<std::size_t> terminal_columns(int descriptor) {
  winsize window{};
  if (ioctl(descriptor, TIOCGWINSZ, &window) != 0 || window.ws_col == 0) return std::nullopt;
  return std::max<std::size_t>(window.ws_col, kNarrowest);
}

bool takes_colour(ColourChoice choice) {
  if (choice != ColourChoice::automatic) return choice == ColourChoice::always;
  const std::string_view terminal = environment("TERM");
  return isatty(STDOUT_FILENO) == 1 && !terminal.empty() && terminal != "dumb" &&
         environment("NO_COLOR").empty();
}

/// What each Ink is to a terminal, and the end of all.
constexpr std::array<std::string_view, 4> kInks = {"\033[32m", "\033[1;31m", "\033[1m", "\033[0m"};

/// The signs of this program's own texts, and how they are spelt without them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 38> kSpelling = {{
    {"θ", "theta"}, {"λ", "lambda"},   {"Δ", "distance"}, {"φ", "phi"},   {"ᵀ", "^T"},
    {"⁻¹", "^-1"},  {"‖", "||"},       {"≤", "<="},       {"−", "-"},     {"–", "-"},
    {"…", "..."},   {"·", "*"},        {"±", "+-"},       {"√", "sqrt "}, {"✓", "yes"},
    {"✗", "no"},    {"×", "x"},        {"²", "^2"},       {"⟨", "<"},     {"⟩", ">"},
    {"→", "->"},    {"≠", "!="},       {"π", "pi"},       {"Σ", "sum"},   {"γ", "gamma"},
    {"ρ", "rho"},   {"σ", "sigma"},    {"β", "beta"},     {"ζ", "zeta"},  {"ω", "omega"},
    {"α", "alpha"}, {"ⁿ", "^n"},       {"³", "^3"},       {"⁴", "^4"},    {"°", " deg"},
    {"₂", "2"},     {"∞", "infinity"}, {"←", "<-"},
}};

std::string spelt_in_ascii(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto* const sign = std::ranges::find_if(
        kSpelling, [&](const auto& entry) { return text.starts_with(entry.first); });
    if (sign == kSpelling.end()) {
      result += text.front();
      text.remove_prefix(1);
    } else {
      result += sign->second;
      text.remove_prefix(sign->first.size());
    }
  }
  return result;
}

/// Whether a progress bar stands on the terminal.
std::atomic<bool> bar_is_drawn = false;

}  // namespace

void put(std::FILE* stream, std::string_view text) {
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stream));
}

std::string for_locale(std::string_view text) {
  return locale_is_utf8() ? std::string(text) : spelt_in_ascii(text);
}

std::string message_lines(std::FILE* stream, std::string_view text) {
  const std::optional<std::size_t> columns = terminal_columns(fileno(stream));
  const std::string spelt = for_locale(text);
  return columns ? wrapped(spelt, std::min(*columns, kLongestLine)) : spelt + "\n";
}

bool reader_is_gone() {
  pollfd out{STDOUT_FILENO, 0, 0};
  return poll(&out, 1, 0) == 1 && (out.revents & (POLLERR | POLLHUP)) != 0;
}

void end_without_reader() {
  static_cast<void>(std::signal(SIGPIPE, SIG_DFL));
  static_cast<void>(std::raise(SIGPIPE));
  constexpr int kEndedBySignal = 128;  // only where the signal is blocked
  _exit(kEndedBySignal + SIGPIPE);
}

Console::Console(std::string command, std::string origin, ColourChoice colour, bool quiet)
    : command_(std::move(command)),
      origin_(std::move(origin)),
      width_(terminal_columns(STDOUT_FILENO).value_or(kNoTerminal)),
      quiet_(quiet),
      colour_(takes_colour(colour)),
      unicode_(locale_is_utf8()) {}

std::string Console::spelt(std::string_view said) const {
  const std::string hinted = with_hints(said, record_ == nullptr);
  std::string_view text = hinted;
  std::string safe;
  while (!text.empty()) {
    const auto* const ink = std::ranges::find_if(
        kInks, [&](std::string_view code) { return colour_ && text.starts_with(code); });
    if (ink != kInks.end()) {
      safe += *ink;
      text.remove_prefix(ink->size());
    }
    const std::size_t next = std::min(text.find('\033', ink == kInks.end() ? 1 : 0), text.size());
    safe += io::printable_lines(text.substr(0, next));
    text.remove_prefix(next);
  }
  return unicode_ ? safe : spelt_in_ascii(safe);
}

Console Console::silent() {
  Console console({}, {}, ColourChoice::never, true);
  console.reports_ = false;
  console.warns_ = false;
  return console;
}

Console Console::answer_alone() const {
  Console console = *this;
  console.answer_alone_ = true;
  return console;
}

Console Console::without_report(std::string command, std::string origin, bool tells_files) const {
  Console console = *this;
  console.command_ = std::move(command);
  console.origin_ = std::move(origin);
  console.reports_ = false;
  console.tells_files_ = tells_files;
  return console;
}

Console Console::into(Record& record) const {
  Console console = *this;
  console.record_ = &record;
  console.quiet_ = true;
  console.warns_ = false;
  console.answer_alone_ = false;
  console.colour_ = false;
  console.unicode_ = true;
  return console;
}

void Console::report(std::string_view text) const {
  if (!reports_ || (answer_alone_ && answered_)) return;
  answered_ = true;
  put(stdout, text);
}

void Console::print(std::string_view text) const {
  record_ != nullptr ? record_->add(spelt(text)) : report(spelt(text));
}

// A name is printed as it is, but for what would disturb a terminal.
void Console::tell_file(std::string_view line) const {
  if (tells_files_) put(stdout, std::string(line) + "\n");
}

void Console::say_answer(std::string_view sentence) const {
  next_answer();
  say(paint(Ink::strong, sentence));
}

void Console::say(std::string_view sentences, std::size_t indent) const {
  if (record_ != nullptr) return record_->add(spelt(sentences));
  report(wrapped(spelt(sentences), std::min(width_, kLongestLine), indent));
}

void Console::print(const Table& table, std::string_view holds) const {
  Table safe =
      table.spelt([this](std::string_view cell) { return spelt(translated(cell, language())); });
  record_ != nullptr ? record_->add(std::move(safe), translated(holds, language()))
                     : report(safe.text(width_));
}

void Console::warn(std::string_view text) const {
  warnings_.emplace_back(text);
  if (!warns_) return;
  Progress::remove_drawn();
  put(stderr,
      message_lines(stderr, command_ + ": warning: " + io::printable(text, kLongestMessage)));
}

std::string Console::paint(Ink ink, std::string_view word) const {
  if (!colour_) return std::string(word);
  return std::string(kInks.at(static_cast<std::size_t>(ink))) + std::string(word) +
         std::string(kInks.back());
}

Progress::Progress(const Console& console, std::uint64_t total, std::string label, Steps steps)
    : total_(std::max<std::uint64_t>(total, 1)), label_(std::move(label)), steps_(steps) {
  if (console.quiet() || isatty(STDERR_FILENO) != 1) return;
  try {
    drawing_ = std::thread([this] { draw_until_the_end(); });
  } catch (const std::system_error&) {
    // Without a thread there is no bar, and the work goes on.
  }
}

Progress::~Progress() {
  if (drawing_.joinable()) {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    end_.notify_one();
    drawing_.join();
  }
  remove_drawn();
}

void Progress::remove_drawn() noexcept {
  if (!bar_is_drawn.exchange(false)) return;
  constexpr std::string_view kErase = "\r\033[K";
  if (write(STDERR_FILENO, kErase.data(), kErase.size()) < 0) {
    // Then the terminal is gone, and the bar with it.
  }
}

void Progress::advance(std::uint64_t steps) {
  // One thread alone writes.
  done_.store(std::min(total_, done_.load(std::memory_order_relaxed) + steps),
              std::memory_order_relaxed);
}

void Progress::draw_until_the_end() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);  // signals are for the thread that works
  const auto start = steady_clock::now();
  std::unique_lock lock(mutex_);
  const auto wait = [&](milliseconds time) {
    return !end_.wait_for(lock, time, [this] { return ended_; });
  };
  for (bool drawing = wait(milliseconds(500)); drawing; drawing = wait(milliseconds(100)))
    draw(std::chrono::duration_cast<std::chrono::seconds>(steady_clock::now() - start));
}

void Progress::draw(std::chrono::seconds gone_by) const {
  bar_is_drawn = true;
  constexpr std::size_t kWidth = 30;
  const double share =
      static_cast<double>(done_.load(std::memory_order_relaxed)) / static_cast<double>(total_);
  const auto filled = static_cast<std::size_t>(share * static_cast<double>(kWidth));
  const auto seconds = static_cast<double>(gone_by.count());
  // Too early a guess would be far off.
  const bool foreseen = steps_ == Steps::equal && share >= 0.05 && seconds >= 1;
  const std::string time =
      foreseen ? fmt::format("about {:.0f} s left", std::ceil(seconds * (1 - share) / share))
               : fmt::format("{:.0f} s", seconds);
  put(stderr, "\r\033[K" + label_ + " [" + std::string(filled, '#') +
                  std::string(kWidth - filled, ' ') + "] " +
                  std::to_string(static_cast<int>(share * 100)) + "%, " + time);
}

}  // namespace rope::app
