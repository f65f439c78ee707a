// Where the answer goes, as the options say.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <iterator>

#include "rope/error.hpp"
#include "rope/io/file.hpp"
#include "rope/io/quote.hpp"
#include "rope/parameters/number_text.hpp"
#include "usage/language_option.hpp"
#include "usage/numbers.hpp"
#include "usage/output.hpp"

namespace rope::app {
namespace {

struct FormatName {
  Format format;
  std::string_view name;
};

constexpr std::array<FormatName, 12> kFormatNames = {{{Format::csv, "csv"},
                                                      {Format::npy, "npy"},
                                                      {Format::safetensors, "safetensors"},
                                                      {Format::json, "json"},
                                                      {Format::xml, "xml"},
                                                      {Format::tex, "tex"},
                                                      {Format::md, "md"},
                                                      {Format::png, "png"},
                                                      {Format::svg, "svg"},
                                                      {Format::pdf, "pdf"},
                                                      {Format::gp, "gp"},
                                                      {Format::gif, "gif"}}};

constexpr std::array<Choice<plot::Style>, 2> kStyles = {
    {{"light", plot::Style::light}, {"dark", plot::Style::dark}}};

/// The formats that hold the report.
constexpr std::array<Format, 2> kReports = {Format::md, Format::tex};

bool has_pictures(std::span<const Format> formats) {
  return std::ranges::any_of(formats, is_picture);
}

std::vector<std::string_view> names_of(std::span<const Format> formats) {
  std::vector<std::string_view> names;
  for (const Format format : formats) names.push_back(name_of(format));
  return names;
}

std::optional<Format> format_of(std::string_view text, std::span<const Format> formats) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  const auto* const found = std::ranges::find(kFormatNames, lower, &FormatName::name);
  if (found == kFormatNames.end() || std::ranges::find(formats, found->format) == formats.end())
    return std::nullopt;
  return found->format;
}

/// One word for several files: "a.csv,b.png".
void refuse_listed_files(const std::string& path, std::span<const Format> formats) {
  const std::vector<std::string_view> items = list_items(path);
  const auto is_file = [&](std::string_view item) {
    const std::size_t point = item.rfind('.');
    return point != std::string_view::npos && format_of(item.substr(point + 1), formats);
  };
  if (items.size() < 2 || !std::ranges::all_of(items, is_file)) return;
  std::string written;
  for (const std::string_view item : items) written.append(" -o ").append(item);
  refuse("-o", "one file", io::in_quotes(path), "Write" + written + ".");
}

/// Whether a name of -o is that of a folder: it ends in /, is one, or has no ending, unless
/// --format says what it holds.
bool is_folder(const OutputOptions& options, const std::string& path) {
  std::error_code ignored;
  if (!options.folders || path.empty() || path == "-" || io::written_descriptor(path)) return false;
  return path.ends_with('/') || std::filesystem::is_directory(path, ignored) ||
         (!options.format && !std::filesystem::path(path).has_extension());
}

/// Throws what making the folder would throw, as far as that is known beforehand.
void check_folder(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return;
  std::filesystem::path made = std::filesystem::path(path) / "";
  for (made = made.parent_path();
       !made.parent_path().empty() && !std::filesystem::exists(made.parent_path(), ignored);)
    made = made.parent_path();
  if (std::filesystem::exists(made, ignored))
    refuse("-o", "a folder", io::in_quotes(path) + ", a file", "Name another place.");
  io::check_writable(made.string());
}

/// The files of -o, each with its format: by --format if the name does not tell it.
std::vector<OutputFile> read_files(const OutputOptions& options,
                                   std::vector<std::string>& folders) {
  const std::span<const Format> formats = options.formats;
  std::optional<Format> named;
  const std::vector<std::string_view> names = names_of(formats);
  if (options.format) {
    named = format_of(*options.format, formats);
    if (!named) refuse_choice("--format", names, *options.format);
  }
  bool needed = false;
  std::vector<OutputFile> files;
  for (const std::string& path : options.files) {
    if (path.empty()) refuse("-o", "the name of a file", "an empty name", "For example -o x.csv.");
    refuse_listed_files(path, formats);
    if (is_folder(options, path)) {
      folders.push_back(path);
      continue;
    }
    std::error_code ignored;
    // Before its format is asked for: no format would help.
    if (path.ends_with('/') || std::filesystem::is_directory(path, ignored))
      io::check_writable(path);
    std::string ending = std::filesystem::path(path).extension().string();
    if (!ending.empty()) ending.erase(0, 1);
    const std::optional<Format> by_ending = format_of(ending, formats);
    if (!by_ending && !named) {
      const std::string found = io::in_quotes(path);
      if (path == "-" || ending.empty())
        refuse("-o", "--format with a file that has no extension", found,
               "Add --format " + alternatives(names) + ".");
      refuse("-o", "a name that ends in " + alternatives(names), found,
             "Use one of these extensions, or give --format.");
    }
    needed = needed || !by_ending;
    files.push_back({.path = path,
                     .format = by_ending ? *by_ending : *named,
                     .named_by_ending = by_ending.has_value()});
  }
  if (named && !needed)
    refuse("--format", "a file that needs it", "none",
           "The extension of -o FILE sets the format; --format is for -o - and names without one.");
  return files;
}

/// The file a name stands for, to tell whether two names are one file.
std::filesystem::path identity(const std::string& path) {
  if (const std::optional<int> open = io::written_descriptor(path))
    return "/dev/fd/" + std::to_string(*open);
  std::error_code error;
  std::filesystem::path whole =
      std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error);
  return error ? std::filesystem::path(path) : whole;
}

void refuse_same_file(const OutputPlan& plan) {
  std::vector<std::filesystem::path> seen;
  if (plan.json_document) seen.push_back(identity("-"));
  const auto take = [&](const std::string& path, std::filesystem::path whole) {
    if (std::ranges::find(seen, whole) != seen.end())
      refuse("-o", "different files", io::in_quotes(path) + " twice",
             plan.json_document && whole == identity("-")
                 ? "--json already writes to standard output."
                 : "Give each output a name of its own.");
    seen.push_back(std::move(whole));
  };
  for (const OutputFile& file : plan.files) take(file.path, identity(file.path));
  for (const std::string& folder : plan.folders) take(folder, identity(folder + "/."));
}

/// A unit of length on paper.
struct Unit {
  std::string_view name;
  double inches;
};
constexpr std::array<Unit, 3> kUnits = {{{"in", 1}, {"cm", 1 / 2.54}, {"mm", 1 / 25.4}}};

/// The least and the most of a side on paper, rounded so that all between is drawn.
constexpr double kLeastWidth = 2, kLeastHeight = 1.5, kMostInches = 26;

/// The number that a text is, or 0.
double positive_number(std::string_view text) {
  const std::string plain = plain_number(text);
  double number = 0;
  const char* const end = plain.data() + plain.size();
  const auto [stop, error] = std::from_chars(plain.data(), end, number);
  return error == std::errc{} && stop == end && std::isfinite(number) ? number : 0;
}

PictureSize read_picture_size(const std::string& given) {
  std::string_view text = given;
  const auto* const unit =
      std::ranges::find_if(kUnits, [&](const Unit& one) { return text.ends_with(one.name); });
  const bool paper = unit != kUnits.end();
  if (paper) text.remove_suffix(unit->name.size());
  const std::size_t x = std::min(text.find('x'), text.size());
  const auto side = [&](std::string_view number, double least, double most) {
    const double length = paper ? positive_number(number) * unit->inches
                                : static_cast<double>(read_integer(number).value.value_or(0));
    return length >= least && length <= most ? length : 0;
  };
  PictureSize size{.inches = paper};
  size.width = side(text.substr(0, x), paper ? kLeastWidth : plot::kMinWidth,
                    paper ? kMostInches : plot::kMaxSide);
  size.height = side(text.substr(std::min(x + 1, text.size())),
                     paper ? kLeastHeight : plot::kMinHeight, paper ? kMostInches : plot::kMaxSide);
  if (!(size.width > 0) || !(size.height > 0))
    refuse("--size",
           fmt::format("WIDTHxHEIGHT in pixels, from {}x{} to {}x{}, or on paper, from {}x{}in to "
                       "{}x{}in",
                       plot::kMinWidth, plot::kMinHeight, plot::kMaxSide, plot::kMaxSide,
                       kLeastWidth, kLeastHeight, kMostInches, kMostInches),
           io::in_quotes(given), "For example --size 1600x1000, 3.5x2.2in or 85x60mm.");
  return size;
}

/// The option that says how a picture looks, where one is given; empty if none is.
std::string_view looks_given(const OutputOptions& options) {
  const PictureOptions usual, &looks = options.picture;
  if (looks.title) return "--title";
  if (looks.size) return "--size";
  if (looks.style != usual.style) return "--style";
  if (looks.language != usual.language && options.translated == kPictureAlone) return "--lang";
  return looks.animate ? "--animate" : "";
}

/// Refuses looks of a picture where none is made, and a pace where nothing moves: they would be
/// ignored.
void check_looks(const OutputOptions& options, const OutputPlan& plan) {
  const bool moves = plan.writes_animation() || plan.show;
  const std::string_view pace = plan.picture.pace                              ? "--pace"
                                : plan.picture.times != PictureOptions().times ? "--times"
                                                                               : "";
  if (!pace.empty() && !moves)
    refuse(pace, "an animated picture with it", "none",
           "Add -o turn.gif, or -o turn.png --animate.");
  const std::string_view looks = looks_given(options);
  if (!looks.empty() && !plan.pictures() && plan.folders.empty())
    refuse(looks, "a picture with it", "none", "Add -o FILE.png, or --show.");
}

}  // namespace

std::string_view name_of(Format format) {
  return std::ranges::find(kFormatNames, format, &FormatName::format)->name;
}

bool moves_in(Format format, const PictureOptions& asked) {
  return format == Format::gif || (format == Format::png && asked.animate);
}

bool is_standard_output(const std::string& path) { return identity(path) == identity("-"); }

bool is_picture(Format format) { return format >= Format::png; }

bool OutputPlan::report() const {
  return !json_document && !taken && std::ranges::none_of(files, [](const OutputFile& file) {
    return is_standard_output(file.path);
  });
}

bool OutputPlan::pictures() const {
  return show || std::ranges::any_of(files, is_picture, &OutputFile::format);
}

bool OutputPlan::writes_animation() const {
  return std::ranges::any_of(
      files, [&](const OutputFile& file) { return moves_in(file.format, picture); });
}

bool OutputPlan::writes_still() const {
  return (show && !keys) || std::ranges::any_of(files, [&](const OutputFile& file) {
           return is_picture(file.format) && !moves_in(file.format, picture);
         });
}

OutputOptions::OutputOptions(std::span<const Format> made, std::string_view by_lang)
    : formats(made.begin(), made.end()), translated(by_lang) {
  std::ranges::copy_if(kReports, std::back_inserter(reports), [&](Format report) {
    return std::ranges::find(made, report) == made.end();
  });
  formats.insert(formats.end(), reports.begin(), reports.end());
}

OutputOptions OutputOptions::report_alone() const {
  OutputOptions alone = *this;
  alone.formats = reports;
  alone.show = false;
  return alone;
}

void OutputOptions::declare_animation(OptionSet& options) {
  options.flag("--animate", "animate the PNG, like a GIF: one frame per position", picture.animate);
  options.integer("--pace MS",
                  "milliseconds per frame; if given, --show starts playback immediately",
                  picture.pace, {.low = 10, .high = 60'000}, "100");
  options.integer("--times N", "number of times to play the animation; 0 loops forever",
                  picture.times, {.low = 0, .high = 65'535});
}

void OutputOptions::declare_tidy(OptionSet& options) {
  options.flag(
      "--tidy",
      "write csv files in long form: one row per point, with the name of its curve in a column",
      tidy);
}

void OutputOptions::declare_details(OptionSet& options) {
  options.flag("--details", "give the full report, in md and tex files too", details);
  options.often_used({"--details"});
}

void OutputOptions::declare(OptionSet& options) {
  options.group("Output");
  options.text("-o, --output FILE",
               fmt::format("write FILE in the format of its extension: {}; - is standard output; "
                           "{} {} the report with tables to paste",
                           alternatives(names_of(formats)), fmt::join(names_of(reports), " and "),
                           reports.size() == 1 ? "contains" : "contain"),
               files);
  options.text("--format FORMAT", "the format if FILE is - or has no extension", format);
  std::vector<std::string> words;
  for (const Format one : formats) words.emplace_back(name_of(one));
  options.take_words("--format", std::move(words));
  options.often_used({"--output"});
  options.flag("--json", "print one JSON document instead of the report", json);
  if (has_pictures(formats)) declare_looks(options);
  if (has_pictures(formats) || translated != kPictureAlone)
    options.choice("--lang LANGUAGE", translated, picture.language, kLanguages);
}

void OutputOptions::declare_looks(OptionSet& options) {
  options.flag("--show", "draw the picture in the terminal", show);
  options.text("--title TEXT", "the title of the picture, \"\" for none", picture.title);
  options.bound("--size WxH",
                "the size of the picture in pixels or, with labels of 6 to 8 points, on paper: "
                "3.5x2.2in, 85x60mm or 9x6cm",
                picture.size, read_picture_size,
                "1600x1000; in rotate and attention, as large as the panels need");
  options.choice("--style STYLE", {}, picture.style, kStyles);
}

void check_memory(const OutputPlan& plan, std::string_view option, std::size_t count,
                  const ValueBytes& each) {
  const bool json =
      plan.json_document ||
      std::ranges::find(plan.files, Format::json, &OutputFile::format) != plan.files.end();
  const bool other = plan.show || std::ranges::any_of(plan.files, [](const OutputFile& file) {
                       return file.format != Format::json;
                     });
  const std::uint64_t document =
      std::max<std::uint64_t>(json ? each.json : 0, other ? each.csv : 0);
  const std::uint64_t most = kMostMemory / (each.numbers + document);
  if (most == 0 && count > 0)
    refuse(json && !other ? "--json" : "-o", "an answer that fills at most 1 GiB",
           fmt::format("{:.1f} GiB for a single value of {}",
                       static_cast<double>(each.numbers + document) / kMostMemory, option),
           json && !other && each.numbers + each.csv <= kMostMemory
               ? "CSV takes less: -o FILE.csv; or use a smaller --dim."
               : "Use a smaller --dim.");
  if (count > most)
    refuse(option, fmt::format("at most {} values in this answer, which fill 1 GiB", most),
           std::to_string(count),
           json && !other ? "Use a larger STEP, or A:B:logN, or CSV, which takes less."
                          : "Use a larger STEP, or A:B:logN.");
}

OutputPlan plan_output(const OutputOptions& options, const DefaultFiles& otherwise) {
  OutputPlan plan;
  plan.json_document = options.json;
  plan.show = options.show;
  plan.keys = options.show && isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0;
  plan.picture = options.picture;
  if (options.translated != kPictureAlone) plan.language = options.picture.language;
  plan.files = read_files(options, plan.folders);
  if (plan.files.empty() && !plan.json_document && !plan.show && !otherwise.stem.empty()) {
    plan.files.push_back({std::string(otherwise.stem) + ".csv", Format::csv, false});
    plan.files.push_back({std::string(otherwise.stem) + ".png", Format::png, false});
    plan.columns = otherwise.columns;
  }
  refuse_same_file(plan);
  check_looks(options, plan);
  if (options.tidy &&
      std::ranges::find(plan.files, Format::csv, &OutputFile::format) == plan.files.end())
    refuse("--tidy", "a csv file with it", "none", "Add -o FILE.csv.");
  if (plan.picture.animate && !plan.show && !plan.files.empty() && !plan.writes_animation())
    refuse("--animate", "a file that can be animated, .png or .gif",
           io::in_quotes(plan.files.front().path), "For example -o turn.png, or -o turn.gif.");
  if (plan.show && !plan.report())
    refuse("--show", "the report on standard output", "another document there",
           "Write the document to a file with -o.");
  for (const OutputFile& file : plan.files)
    if (file.asked) io::check_writable(file.path);
  for (const std::string& folder : plan.folders) check_folder(folder);
  return plan;
}

}  // namespace rope::app
