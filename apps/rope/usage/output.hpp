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

/// "csv": the ending of its files.
std::string_view name_of(Format format);

/// Whether a file of that format is a picture.
bool is_picture(Format format);

/// Whether the name of a file stands for standard output: "-", "/dev/stdout".
bool is_standard_output(const std::string& path);

struct OutputFile {
  std::string path;  ///< "-" is standard output
  Format format;
  bool asked = true;  ///< whether the user named it; one that nobody asked for may be missing
  bool named_by_ending = true;  ///< if false, --format sets the format
};

/// The size of a picture: in pixels, or on paper.
struct PictureSize {
  double width = 0;
  double height = 0;
  bool inches = false;
};

/// How pictures look; anything not given is left to the figure.
struct PictureOptions {
  std::optional<std::string> title;
  std::optional<PictureSize> size;
  plot::Style style = plot::Style::light;
  plot::Language language = plot::Language::en;  ///< of all words except a title that is given
  bool animate = false;                          ///< a PNG is animated, as a GIF is
  std::optional<int> pace;  ///< milliseconds for which each frame of an animation is shown
  int times = 1;            ///< how often it is played; 0: forever
};

/// Whether the picture in a file of this format moves.
bool moves_in(Format format, const PictureOptions& asked);

/// What --lang translates, unless a command says otherwise.
inline constexpr std::string_view kPictureAlone = "the words in the picture";
inline constexpr std::string_view kReportAndPicture = "the report and the words in the picture";

/// What the options say about the form and place of the answer.
struct OutputOptions {
  /// `made`: the formats of the command. Every command also has the formats that contain its
  /// report.
  explicit OutputOptions(std::span<const Format> made, std::string_view by_lang = kPictureAlone);

  std::vector<Format> formats;
  std::vector<Format> reports;        ///< the formats that contain the report
  std::vector<std::string> files;     ///< -o
  std::optional<std::string> format;  ///< the format of files whose name does not show it
  bool folders = false;               ///< -o may also name a folder, for files that belong together
  bool json = false;
  bool show = false;
  bool details = false;  ///< the report is complete
  bool tidy = false;     ///< csv files have a row for each curve and place
  PictureOptions picture;
  std::string_view translated;  ///< by --lang

  /// For a list that the command prints instead of its answer: the files contain only that report.
  OutputOptions report_alone() const;

  CsvForm csv_form() const { return tidy ? CsvForm::tidy : CsvForm::wide; }

  /// --tidy, for commands whose csv files otherwise contain several curves side by side.
  void declare_tidy(OptionSet& options);

  /// --details, for commands whose report otherwise omits something.
  void declare_details(OptionSet& options);

  /// --animate, --pace and --times, for commands whose picture can move.
  void declare_animation(OptionSet& options);

  /// -o, --format and --json; also --show, --title, --size, --style and --lang if a picture is
  /// among the formats. --lang is also declared if the report is translated.
  void declare(OptionSet& options);

 private:
  void declare_looks(OptionSet& options);
};

/// Names of columns that the CSV of a command may have.
using ColumnNames = std::span<const std::string_view>;

/// What a command writes if the user names no files: STEM.csv and STEM.png.
struct DefaultFiles {
  std::string_view stem;  ///< empty: nothing
  ColumnNames columns;    ///< by which the command recognises its own files
};

/// Where the answer of a command goes.
struct OutputPlan {
  std::vector<OutputFile> files;
  ColumnNames columns;  ///< of files that nobody asked for
  std::vector<std::string>
      folders;                 ///< as the user named them; the command itself writes into them
  bool json_document = false;  ///< --json: one document on standard output, nothing else
  bool taken = false;          ///< standard output is for a picture that another command draws
  bool show = false;           ///< --show: the picture in the terminal
  bool keys = false;           ///< and the user can press keys there
  PictureOptions picture;
  Language language = Language::en;  ///< of the report

  /// Whether standard output is free for a report to people.
  bool report() const;

  /// Whether a picture is among the products.
  bool pictures() const;

  /// Whether a picture that moves is written into a file.
  bool writes_animation() const;

  /// Whether the picture that can move is also shown as a still: in a file, or in a terminal where
  /// nobody can press keys.
  bool writes_still() const;
};

/// How a command makes its report and each of its formats; members for other formats need not be
/// set. The bytes are made when they are written.
struct Products {
  /// Prints the answer: for people, and for md and tex if the command does not make them itself.
  std::function<void(const Console& console)> report;
  bool text = false;  ///< the report is a requested text, which --quiet does not cut
  std::function<std::string()> csv;
  std::function<std::string()> npy;
  std::function<std::string()> xml;  ///< a JUnit report
  std::function<std::string()> json;
  std::function<std::string()> tex;
  std::function<std::string()> md;
  /// Writes a .npy or .safetensors file itself, piece by piece: if it is set, npy is ignored.
  std::function<void(const OutputFile& file)> tensor;
  std::function<plot::Figure()> figure;  ///< --title, --size, --style and --lang are applied later
  std::function<plot::Figure()> terminal_figure;  ///< for --show, if it differs
  /// The picture that moves, if there is one; the same options are applied.
  std::function<plot::Animation()> animation;
};

/// The memory that an answer may take up, in bytes.
inline constexpr std::uint64_t kMostMemory = std::uint64_t{1} << 30;

/// The bytes of memory that one value of a list takes up, as measured plus half as much again: the
/// numbers computed from it and, in addition, each document made from them.
struct ValueBytes {
  std::uint64_t numbers = 0;
  std::uint64_t csv = 0;  ///< and pictures, and arrays
  std::uint64_t json = 0;
};

/// Refuses the list given to an option if the answer would take up more than kMostMemory in the
/// formats of the plan.
///
/// Throws    rope::Error (invalid input).
void check_memory(const OutputPlan& plan, std::string_view option, std::size_t count,
                  const ValueBytes& each);

/// Reads what the user said; without -o, --json and --show, it plans the default files. Call it
/// before long work: it fails if it is certain that a file named by the user cannot be written.
///
/// Throws    rope::Error (invalid input), rope::SystemError.
OutputPlan plan_output(const OutputOptions& options, const DefaultFiles& otherwise = {});

/// Prints the report, writes every file of the plan, and lists the files on standard output if that
/// is free. --quiet leaves only the first sentence of the report. For files that nobody asked for,
/// a picture that cannot be drawn causes only a warning, as does a name that a file not written by
/// rope has already taken.
///
/// Throws    rope::SystemError; files that were already written are kept, and if nobody asked for
///           the file that failed, the others are written too. If the reader of standard output has
///           gone away, writes the other files and ends the program (end_without_reader).
void write_output(const OutputPlan& plan, const Products& products, const Console& console);

/// "wrote FILE", or "replaced FILE" if a non-empty one exists: call it before writing.
std::string written_line(const std::string& path, Language language = Language::en);

/// Makes the folder, and its parents, if they do not exist yet. Throws rope::SystemError.
void make_folder(const std::string& folder);

}  // namespace rope::app
