#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "rope/language/language.hpp"
#include "shown/record.hpp"
#include "shown/table.hpp"

namespace rope::app {

enum class ColourChoice { automatic, always, never };

/// What a coloured word means.
enum class Ink { good, bad, strong };

/// Messages are cut to this many bytes, since a name or a value in one may be as long as a whole
/// file.
inline constexpr std::size_t kLongestMessage = 6000;

/// The text; if the locale is not UTF-8, the non-ASCII signs that this program uses are spelt in
/// ASCII: θ becomes theta.
std::string for_locale(std::string_view text);

/// The sentences of a message, broken between words if the stream is a terminal.
std::string message_lines(std::FILE* stream, std::string_view text);

/// Writes the text as it is. A failure sets the error indicator of the stream, which main checks at
/// the end.
void put(std::FILE* stream, std::string_view text);

/// Whether standard output is a pipe or a socket from which nobody reads any more, as with `rope …
/// | head`. Call it only after a failed write, since a reader may leave after reading all of the
/// output, which is not a failure.
bool reader_is_gone();

/// Ends the program as a pipe without a reader ends other programs: quietly, by SIGPIPE, which this
/// program otherwise ignores. A shell sees exit status 141. Call it once everything that does not
/// go into the pipe is done.
[[noreturn]] void end_without_reader();

/// Standard output and standard error, as one command uses them.
class Console {
 public:
  /// `command` precedes every message: "rope decay". `origin` is the origin that files state. A
  /// quiet console draws no progress bar.
  Console(std::string command, std::string origin, ColourChoice colour, bool quiet);

  /// A console that prints neither reports nor warnings, for work that was already reported or is
  /// reported elsewhere.
  static Console silent();

  /// A console that prints only the answer: the first sentences of a report, or its first table.
  Console answer_alone() const;

  /// A console for another command, whose report is not wanted. If `tells_files`, it still lists
  /// the files that were written. It warns as usual.
  Console without_report(std::string command, std::string origin, bool tells_files) const;

  /// A console whose report goes into `record`, to be written to a file: in UTF-8, without colour,
  /// and without warnings, which were already printed.
  Console into(Record& record) const;

  /// Prints the text, spelt for the locale. Terminal control codes are dropped, except those that
  /// `paint` added.
  void print(std::string_view text) const;

  /// Prints sentences, broken between words to fit the terminal.
  void say(std::string_view sentences, std::size_t indent = 0) const;

  /// Prints the sentence that answers one of several questions. A console that prints only the
  /// answer prints each such sentence.
  void say_answer(std::string_view sentence) const;

  /// Treats the next line or table that is printed as another part of the answer.
  void next_answer() const { answered_ = false; }

  /// Sets the language of all reports from now on.
  void speak(Language language) const { language_ = language; }

  /// The language of reports; English if the locale cannot represent other languages.
  Language language() const { return unicode_ ? language_ : Language::en; }

  /// Prints a table that fits the terminal, with headings, cells and `holds` translated if the
  /// dictionary contains them. `holds` is a caption for places where the table appears by itself;
  /// it is empty if the line above describes the table.
  void print(const Table& table, std::string_view holds) const;

  /// Prints a line about a file that was written; the line is not part of the report.
  void tell_file(std::string_view line) const;

  /// Reports something that the user should know but that does not stop the program: "rope decay:
  /// warning: …" on standard error. The text is one sentence, without a full stop or a newline.
  void warn(std::string_view text) const;

  /// The word, coloured if standard output supports colour.
  std::string paint(Ink ink, std::string_view word) const;

  /// All warnings so far, whether shown or not, in order.
  const std::vector<std::string>& warnings() const { return warnings_; }

  /// The number of columns of the terminal; 80 if standard output is not a terminal.
  std::size_t width() const { return width_; }

  const std::string& command() const { return command_; }  ///< "rope decay"
  const std::string& origin() const { return origin_; }    ///< "rope 0.2.0: rope decay --dim 64"
  bool quiet() const { return quiet_; }
  bool colour() const { return colour_; }
  bool unicode() const { return unicode_; }

 private:
  /// The text in the form in which `print` prints it.
  std::string spelt(std::string_view said) const;

  void report(std::string_view text) const;

  std::string command_, origin_;
  std::size_t width_;
  mutable std::vector<std::string> warnings_;
  bool quiet_;
  bool reports_ = true;
  bool warns_ = true;
  bool answer_alone_ = false;
  mutable bool answered_ = false;
  mutable Language language_ = Language::en;
  bool tells_files_ = true;
  Record* record_ = nullptr;
  bool colour_;
  bool unicode_;
};

/// Whether the steps of a task all take about the same time. The remaining time is estimated only
/// if they do.
enum class Steps { equal, uneven };

/// A progress bar on standard error, with the elapsed time, for work that may take a long time. It
/// is drawn only on a terminal, appears after half a second, and is removed at the end.
class Progress {
 public:
  Progress(const Console& console, std::uint64_t total, std::string label,
           Steps steps = Steps::equal);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Records that `steps` more steps of the total are done. Cheap; call it as often as convenient,
  /// from one thread.
  void advance(std::uint64_t steps);

  /// Removes the bar if one is drawn. May be called from a signal handler.
  static void remove_drawn() noexcept;

 private:
  void draw_until_the_end();
  void draw(std::chrono::seconds gone_by) const;

  std::uint64_t total_;
  std::atomic<std::uint64_t> done_ = 0;
  std::string label_;
  Steps steps_;
  std::mutex mutex_;  // protects `ended_`
  std::condition_variable end_;
  bool ended_ = false;
  std::thread drawing_;  // draws independently of the steps, each of which may take a long time
};

}  // namespace rope::app
