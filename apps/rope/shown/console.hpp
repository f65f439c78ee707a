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

/// Beyond that many bytes a message is cut: a name and a value may be as long as a file.
inline constexpr std::size_t kLongestMessage = 6000;

/// The text, with the signs that this program uses spelt in ASCII where the locale is not UTF-8: θ
/// becomes theta.
std::string for_locale(std::string_view text);

/// The sentences of a message, broken between words where the stream is a terminal.
std::string message_lines(std::FILE* stream, std::string_view text);

/// Writes the text as it is. A failure stays in the stream, and main looks for it at the end.
void put(std::FILE* stream, std::string_view text);

/// Whether standard output is a pipe or a socket that nobody reads any more: `rope … | head`. Ask
/// only after a write failed: what was read whole before its reader went was no failure.
bool reader_is_gone();

/// Ends the program as such a pipe ends others, quietly and by SIGPIPE, which the program otherwise
/// ignores: a shell sees 141. For when all that does not go into the pipe is done.
[[noreturn]] void end_without_reader();

/// Standard output and standard error, as one command uses them.
class Console {
 public:
  /// `command` stands before every message: "rope decay". Files say that they are of `origin`. A
  /// quiet one draws no progress bar.
  Console(std::string command, std::string origin, ColourChoice colour, bool quiet);

  /// One that neither prints nor warns, for what was told before or is told by another.
  static Console silent();

  /// One that prints the answer alone: the first sentences of a report, or its first table.
  Console answer_alone() const;

  /// One of another command, whose report nobody asked for: it says which files it wrote if
  /// standard output is free for that, and warns as ever.
  Console without_report(std::string command, std::string origin, bool tells_files) const;

  /// One whose report goes into the record, for a file: in UTF-8, without colour, and no warnings,
  /// which were told before.
  Console into(Record& record) const;

  /// Prints the answer, spelt for the locale. Of what would steer a terminal nothing arrives but
  /// what `paint` made.
  void print(std::string_view text) const;

  /// Prints sentences, broken between words to fit the terminal.
  void say(std::string_view sentences, std::size_t indent = 0) const;

  /// Prints the sentence that answers for one of several things asked about. One that prints the
  /// answer alone prints each of them.
  void say_answer(std::string_view sentence) const;

  /// What is printed next is such an answer too, a line or a table.
  void next_answer() const { answered_ = false; }

  /// What reports are written in from now on.
  void speak(Language language) const { language_ = language; }

  /// English where no other language can be spelt.
  Language language() const { return unicode_ ? language_ : Language::en; }

  /// Prints a table that fits the terminal, in the language as far as its headings, its cells and
  /// `holds` have entries of their own. `holds` says what it is of where it stands alone, in a
  /// caption; it is empty where the line above says so.
  void print(const Table& table, std::string_view holds) const;

  /// Prints a line about a file that was written: no part of the report.
  void tell_file(std::string_view line) const;

  /// Tells of something that the user should know but that stops nothing: "rope decay: warning: …"
  /// on standard error. One sentence, no full stop, no line end.
  void warn(std::string_view text) const;

  /// The word, coloured if standard output takes colour.
  std::string paint(Ink ink, std::string_view word) const;

  /// What was told so, shown or not, in the order it was.
  const std::vector<std::string>& warnings() const { return warnings_; }

  /// Columns of the terminal; 80 where standard output is none.
  std::size_t width() const { return width_; }

  const std::string& command() const { return command_; }  ///< "rope decay"
  const std::string& origin() const { return origin_; }    ///< "rope 0.2.0: rope decay --dim 64"
  bool quiet() const { return quiet_; }
  bool colour() const { return colour_; }
  bool unicode() const { return unicode_; }

 private:
  /// What `print` prints.
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

/// Whether the steps of some work take about as long as each other. The time left is foreseen of
/// such work alone.
enum class Steps { equal, uneven };

/// A progress bar on standard error, with the time gone by, for work that may take long. It is
/// drawn only on a terminal, only after half a second, and is removed at the end.
class Progress {
 public:
  Progress(const Console& console, std::uint64_t total, std::string label,
           Steps steps = Steps::equal);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `steps` more of the total are done. Cheap; call it as often as is handy, from one thread.
  void advance(std::uint64_t steps);

  /// Removes a bar that is drawn. It may be called from a handler of signals.
  static void remove_drawn() noexcept;

 private:
  void draw_until_the_end();
  void draw(std::chrono::seconds gone_by) const;

  std::uint64_t total_;
  std::atomic<std::uint64_t> done_ = 0;
  std::string label_;
  Steps steps_;
  std::mutex mutex_;  // of `ended_`
  std::condition_variable end_;
  bool ended_ = false;
  std::thread drawing_;  // by itself: a single step may take long
};

}  // namespace rope::app
