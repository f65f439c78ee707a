#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rope/plot/figure.hpp"
#include "shown/console.hpp"
#include "usage/arguments.hpp"

namespace rope::app {

enum class Format { csv, npy, safetensors, json, tex, png, svg, pdf, gp };

struct OutputFile {
  std::string path;  ///< "-" is standard output
  Format format;
};

/// Where the answer of a command goes.
struct OutputPlan {
  std::vector<OutputFile> files;
  bool json_document = false;  ///< --json: one document on standard output, nothing else
  bool show = false;           ///< --show: the picture in the terminal
  std::optional<std::string> title;
  int width = 0;  ///< of pictures, pixels; 0 leaves it to the figure
  int height = 0;
  plot::Style style = plot::Style::light;

  /// Whether standard output is free for a report to people.
  bool report() const;

  /// Whether a picture is among what is made.
  bool pictures() const;
};

/// How a command makes each of its formats; only those it has need be set. The bytes are made when
/// they are written.
struct Products {
  std::function<std::string()> csv;
  std::function<std::string()> npy;
  std::function<std::string()> json;
  std::function<std::string()> tex;
  /// Writes an .npy or .safetensors file itself, piece by piece: where it is set, it counts and npy
  /// does not.
  std::function<void(const OutputFile& file)> tensor;
  std::function<plot::Figure()> figure;  ///< --title, --size and --style are put in later
};

/// -o, --format and --json; --show, --title, --size and --style too if a picture is among the
/// formats.
void declare_output_options(OptionSet& options, std::span<const Format> formats);

/// Reads them. `default_stem`: without -o, --json and --show, STEM.csv and STEM.png are written;
/// empty: nothing is. Call it before long work: it fails if a file certainly cannot be written.
///
/// Throws    rope::Error (invalid input), rope::SystemError.
OutputPlan plan_output(const Arguments& arguments, std::span<const Format> formats,
                       std::string_view default_stem = {});

/// Writes every file of the plan, and says so on standard output if that is free for it.
///
/// Throws    rope::SystemError; files that were written before stay. If the reader of standard
///           output went away, writes the other files and ends the program (end_without_reader).
void write_output(const OutputPlan& plan, const Products& products, const Console& console);

}  // namespace rope::app
