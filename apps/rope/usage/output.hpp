#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rope/documents/columns.hpp"
#include "rope/plot/animation.hpp"
#include "shown/console.hpp"
#include "usage/options.hpp"

namespace rope::app {

enum class Format { csv, npy, safetensors, json, xml, tex, md, png, svg, pdf, gp, gif };

/// "csv": the name of the format, which is also the ending of its files.
std::string_view name_of(Format format);

/// Whether a file of that format is a picture.
bool is_picture(Format format);

/// Whether the name of a file stands for standard output: "-", "/dev/stdout".
bool is_standard_output(const std::string& path);

struct OutputFile {
  std::string path;  ///< "-" is standard output
  Format format;
  /// Whether the user named the file. If writing a file that nobody asked for fails, the others are
  /// still written.
  bool asked = true;
  /// Whether its ending determines the format; otherwise, --format does.
  bool named_by_ending = true;
};

/// The size of a picture: in pixels, or on paper.
struct PictureSize {
  double width = 0;
  double height = 0;
  bool inches = false;
};

/// How pictures look; the figure decides anything that is not given.
struct PictureOptions {
  std::optional<std::string> title;
  std::optional<PictureSize> size;
  plot::Style style = plot::Style::light;
  plot::Language language = plot::Language::en;  ///< the language of all words except a given title
  bool animate = false;                          ///< whether a PNG is animated, as a GIF is
  std::optional<int> pace;  ///< milliseconds for which each frame of an animation is shown
  int times = 1;            ///< how often an animation is played; 0: forever
};

/// Whether the picture in a file of this format is animated.
bool moves_in(Format format, const PictureOptions& asked);

/// What --lang translates, unless a command says otherwise.
inline constexpr std::string_view kPictureAlone = "the language of the words in the picture";
inline constexpr std::string_view kReportAndPicture = "the language of the report and the picture";

/// What the options say about the formats and the destinations of the answer.
struct OutputOptions {
  /// `made`: the command's own formats. Every command also has the formats that contain its report.
  explicit OutputOptions(std::span<const Format> made, std::string_view by_lang = kPictureAlone);

  std::vector<Format> formats;
  std::vector<Format> reports;        ///< the formats that contain the report
  std::vector<std::string> files;     ///< -o
  std::optional<std::string> format;  ///< --format, for files whose names do not show their format
  bool folders = false;  ///< whether -o may also name a folder, for files that belong together
  bool json = false;
  bool show = false;
  bool details = false;  ///< whether the report is complete
  bool tidy = false;     ///< whether csv files have one row for each point of each curve
  PictureOptions picture;
  std::string_view translated;  ///< what --lang translates

  /// The options for a list that the command prints instead of its answer: the files then contain
  /// only that list.
  OutputOptions report_alone() const;

  CsvForm csv_form() const { return tidy ? CsvForm::tidy : CsvForm::wide; }

  /// Declares --tidy, for commands whose csv files otherwise contain several curves side by side.
  void declare_tidy(OptionSet& options);

  /// Declares --details, for commands whose report otherwise omits something.
  void declare_details(OptionSet& options);

  /// Declares --animate, --pace and --times, for commands whose picture can be animated.
  void declare_animation(OptionSet& options);

  /// Declares -o, --format and --json; also --show, --title, --size, --style and --lang if pictures
  /// are among the formats. --lang is also declared if the report is translated.
  void declare(OptionSet& options);

 private:
  void declare_looks(OptionSet& options);
};

/// The names of the columns that a command's CSV files may have.
using ColumnNames = std::span<const std::string_view>;

/// What a command writes if the user names no files: STEM.csv and STEM.png.
struct DefaultFiles {
  std::string_view stem;  ///< if empty, nothing is written
  ColumnNames columns;    ///< the columns by which the command recognises its own files
};

/// Where the answer of a command goes.
struct OutputPlan {
  std::vector<OutputFile> files;
  ColumnNames columns;  ///< the columns of files that nobody asked for
  /// Folders as the user named them; the command itself writes the files in them.
  std::vector<std::string> folders;
  /// --json: whether standard output contains one document and nothing else.
  bool json_document = false;
  /// Whether standard output is reserved for a picture that another command draws.
  bool taken = false;
  bool show = false;  ///< --show: whether the picture is shown in the terminal
  bool keys = false;  ///< whether the user can press keys in that terminal
  PictureOptions picture;
  Language language = Language::en;  ///< of the report

  /// Whether standard output is free for a report for people.
  bool report() const;

  /// Whether the plan includes a picture.
  bool pictures() const;

  /// Whether an animated picture is written to a file.
  bool writes_animation() const;

  /// Whether a picture that can be animated is also shown as a still: in a file, or in a terminal
  /// where the user cannot press keys.
  bool writes_still() const;
};

/// The functions with which a command makes its report and each of its formats; functions for other
/// formats need not be set. Each is called when its output is written.
struct Products {
  /// Prints the answer: for people, and for md and tex files if `md` and `tex` are not set.
  std::function<void(const Console& console)> report;
  bool text = false;  ///< whether the report is a text that the user requested, which --quiet does
                      ///< not shorten
  std::function<std::string()> csv;
  std::function<std::string()> npy;
  std::function<std::string()> xml;  ///< a JUnit report
  std::function<std::string()> json;
  std::function<std::string()> tex;
  std::function<std::string()> md;
  /// Writes a .npy or .safetensors file piece by piece. If it is set, `npy` is ignored.
  std::function<void(const OutputFile& file)> tensor;
  /// Makes the figure without --title, --size, --style and --lang, which are applied later.
  std::function<plot::Figure()> figure;
  std::function<plot::Figure()> terminal_figure;  ///< the figure for --show, if it differs
  /// The animated picture, if there is one; the same options are applied to it.
  std::function<plot::Animation()> animation;
};

/// The most memory that an answer may take up, in bytes.
inline constexpr std::uint64_t kMostMemory = std::uint64_t{1} << 30;

/// The bytes of memory per value of a list, 50 % above what was measured: for the numbers computed
/// from the value and, in addition, for each document made from these numbers.
struct ValueBytes {
  std::uint64_t numbers = 0;
  std::uint64_t csv = 0;  ///< also for pictures and arrays
  std::uint64_t json = 0;
};

/// Rejects the list given to an option if the answer, in the formats of the plan, would take up
/// more than kMostMemory.
///
/// Throws    rope::Error (invalid input).
void check_memory(const OutputPlan& plan, std::string_view option, std::size_t count,
                  const ValueBytes& each);

/// Plans the output that the options request or, without -o, --json and --show, the default files.
/// Call it before long work: it throws if a file named by the user certainly cannot be written.
///
/// Throws    rope::Error (invalid input), rope::SystemError.
OutputPlan plan_output(const OutputOptions& options, const DefaultFiles& otherwise = {});

/// Prints the report, writes every file of the plan, and lists the files on standard output if it
/// is free. --quiet leaves only the first sentence of the report. A file that nobody asked for
/// causes a warning, not an error, if its picture cannot be drawn or an existing file of that name
/// was not written by rope.
///
/// Throws    rope::SystemError; files that were already written are kept, and if nobody asked for
///           the file that failed, the others are written too. If the reader of standard output has
///           gone away, writes the other files and ends the program (end_without_reader).
void write_output(const OutputPlan& plan, const Products& products, const Console& console);

/// "wrote FILE", or "replaced FILE" if a non-empty file of that name exists. Call it before
/// writing.
std::string written_line(const std::string& path, Language language = Language::en);

/// Creates the folder and its parents if they do not exist yet. Throws rope::SystemError.
void make_folder(const std::string& folder);

}  // namespace rope::app
