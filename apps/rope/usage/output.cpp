#include "usage/output.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>

#include "rope/error.hpp"
#include "rope/io/file.hpp"
#include "rope/io/quote.hpp"
#include "rope/plot/gnuplot.hpp"
#include "rope/plot/player.hpp"
#include "rope/plot/terminal.hpp"
#include "usage/numbers.hpp"

namespace rope::app {
namespace {

struct FormatName {
  Format format;
  std::string_view name;
};
constexpr std::array<FormatName, 11> kFormatNames = {{{Format::csv, "csv"},
                                                      {Format::npy, "npy"},
                                                      {Format::safetensors, "safetensors"},
                                                      {Format::json, "json"},
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

bool is_tensor(Format format) { return format == Format::npy || format == Format::safetensors; }

bool has_pictures(std::span<const Format> formats) {
  return std::ranges::any_of(formats, is_picture);
}

std::string_view name_of(Format format) {
  return std::ranges::find(kFormatNames, format, &FormatName::format)->name;
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

/// The files of -o, each with its format: by --format if the name does not tell it.
std::vector<OutputFile> read_files(const OutputOptions& options) {
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
        refuse("-o", "--format with a file that has no ending", found,
               "Add --format " + std::string(name_of(formats.front())) + ", or one of " +
                   alternatives(names) + ".");
      refuse("-o", "a name that ends in " + alternatives(names), found,
             "Use one of these endings, or give --format.");
    }
    needed = needed || !by_ending;
    files.push_back({.path = path, .format = by_ending ? *by_ending : *named});
  }
  if (named && !needed)
    refuse("--format", "a file that needs it", "none",
           "The ending of -o FILE tells the format; --format is for -o - and names without one.");
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
  for (const OutputFile& file : plan.files) {
    const std::filesystem::path whole = identity(file.path);
    if (std::ranges::find(seen, whole) != seen.end())
      refuse("-o", "different files", io::in_quotes(file.path) + " twice",
             plan.json_document && whole == identity("-")
                 ? "--json takes standard output for itself."
                 : "Give each output a name of its own.");
    seen.push_back(whole);
  }
}

PictureSize read_picture_size(const std::string& given) {
  const std::string_view text = given;
  const std::string expected = "WIDTHxHEIGHT in pixels, from " + std::to_string(plot::kMinWidth) +
                               "x" + std::to_string(plot::kMinHeight) + " to " +
                               std::to_string(plot::kMaxSide) + "x" +
                               std::to_string(plot::kMaxSide);
  const std::size_t x = std::min(text.find('x'), text.size());
  const IntegerText width = read_integer(text.substr(0, x));
  const IntegerText height = read_integer(text.substr(std::min(x + 1, text.size())));
  if (!width.value || !height.value || *width.value < plot::kMinWidth ||
      *height.value < plot::kMinHeight || *width.value > plot::kMaxSide ||
      *height.value > plot::kMaxSide)
    refuse("--size", expected, io::in_quotes(text), "For example --size 1600x1000.");
  return {static_cast<int>(*width.value), static_cast<int>(*height.value)};
}

plot::PictureFormat picture_format(Format format) {
  switch (format) {
    case Format::svg:
      return plot::PictureFormat::svg;
    case Format::pdf:
      return plot::PictureFormat::pdf;
    case Format::gp:
      return plot::PictureFormat::gp;
    default:
      return plot::PictureFormat::png;
  }
}

plot::Figure styled(plot::Figure figure, const PictureOptions& asked) {
  if (asked.title) figure.title = plot::Text::plain(*asked.title);
  if (asked.size) {
    figure.width = asked.size->width;
    figure.height = asked.size->height;
  }
  figure.style = asked.style;
  return figure;
}

plot::Animation styled_animation(const OutputPlan& plan, const Products& products) {
  plot::Animation animation = products.animation();
  for (plot::Figure& frame : animation.frames) frame = styled(std::move(frame), plan.picture);
  animation.milliseconds = plan.picture.pace.value_or(animation.milliseconds);
  animation.times = plan.picture.times;
  return animation;
}

/// Whether the picture in a file of this format moves.
bool moves_in(Format format, const PictureOptions& asked) {
  return format == Format::gif || (format == Format::png && asked.animate);
}

plot::Picture picture_of(Format format, const OutputPlan& plan, const Products& products) {
  if (moves_in(format, plan.picture))
    return plot::render_animation(
        styled_animation(plan, products),
        format == Format::gif ? plot::AnimationFormat::gif : plot::AnimationFormat::apng);
  return plot::render(styled(products.figure(), plan.picture), picture_format(format));
}

/// What the command reports, to be written into a file.
Record recorded(const Products& products, const Console& console) {
  Record record;
  products.report(console.into(record));
  return record;
}

std::string make(Format format, const OutputPlan& plan, const Products& products,
                 const Console& console) {
  const Progress progress(console, 1, "making the " + std::string(name_of(format)));
  switch (format) {
    case Format::csv:
      return products.csv();
    case Format::npy:
      return products.npy();
    case Format::json:
      return products.json();
    case Format::tex:
      return products.tex ? products.tex() : recorded(products, console).latex();
    case Format::md:
      return products.md ? products.md() : recorded(products, console).markdown();
    default:
      break;
  }
  plot::Picture picture = picture_of(format, plan, products);
  for (const std::string& warning : picture.warnings) console.warn(warning);
  return std::move(picture.bytes);
}

void show(const OutputPlan& plan, const Products& products, const Console& console) {
  winsize window{};
  const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0;
  const int columns = std::clamp(known ? int{window.ws_col} : 80, 20, 200);
  int rows = known ? window.ws_row - 2 : 24;
  plot::TerminalAbility ability = plot::detect_terminal(STDOUT_FILENO);
  ability.unicode = console.unicode();
  if (!console.colour()) ability.colour = plot::ColourDepth::none;
  if (products.animation && plan.keys) {
    plot::play_in_terminal(styled_animation(plan, products), columns, std::clamp(rows, 8, 60),
                           ability, plan.picture.pace.has_value());
    return;
  }
  const auto& drawn = products.terminal_figure ? products.terminal_figure : products.figure;
  const plot::Figure figure = styled(drawn(), plan.picture);
  // Better to scroll than to read the wrong value off too few lines.
  if (!ability.sixel) rows = std::max(rows, plot::readable_rows(figure, columns));
  put(stdout, "\n" + plot::draw_in_terminal(figure, columns, std::clamp(rows, 8, 60), ability));
}

/// Writes, and tells whether somebody took the bytes: a reader of standard output that had enough
/// is no failure.
bool written(const std::string& path, const std::function<void()>& write) {
  try {
    write();
    return true;
  } catch (const SystemError&) {
    if (identity(path) != identity("-") || !reader_is_gone()) throw;
    return false;
  }
}

/// Whether a file of that name, and with something in it, is there to be replaced.
bool is_old_file(const std::string& path) {
  std::error_code error;
  return !io::written_descriptor(path) && std::filesystem::is_regular_file(path, error) &&
         std::filesystem::file_size(path, error) > 0;
}

/// The content of a file that is not written piece by piece; none of a picture that cannot be drawn
/// and that nobody asked for.
std::optional<std::string> bytes_of(const OutputFile& file, const OutputPlan& plan,
                                    const Products& products, const Console& console) {
  if (products.tensor && is_tensor(file.format)) return std::nullopt;
  if (file.asked || !is_picture(file.format)) return make(file.format, plan, products, console);
  try {
    return make(file.format, plan, products, console);
  } catch (const SystemError& error) {
    console.warn(fmt::format("{} is not drawn: {}; {}", file.path, error.what(), error.remedy()));
    return std::nullopt;
  }
}

}  // namespace

bool is_picture(Format format) { return format >= Format::png; }

bool OutputPlan::report() const {
  return !json_document && std::ranges::none_of(files, [](const OutputFile& file) {
    return identity(file.path) == identity("-");
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

OutputOptions::OutputOptions(std::span<const Format> made) : formats(made.begin(), made.end()) {
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
  options.flag("--animate", "the PNG moves, as a GIF does: a frame per position", picture.animate);
  options.integer("--pace MS", "milliseconds that each frame is seen; with --show it plays at once",
                  picture.pace, {.low = 10, .high = 60'000}, "100");
  options.integer("--times N", "how often an animation is played, 0 for without end", picture.times,
                  {.low = 0, .high = 65'535});
}

void OutputOptions::declare_details(OptionSet& options) {
  options.flag("--details",
               "report all that is known, not only the answer; in md and tex files too", details);
  options.often_used({"--details"});
}

void OutputOptions::declare(OptionSet& options) {
  options.group("Output");
  options.text(
      "-o, --output FILE",
      fmt::format("write FILE in the format of its ending: {}; - is standard output; {} {} the "
                  "report, its tables ready to paste",
                  alternatives(names_of(formats)), fmt::join(names_of(reports), " and "),
                  reports.size() == 1 ? "holds" : "hold"),
      files);
  options.text("--format FORMAT", "the format where FILE is - or has no ending", format);
  std::vector<std::string> words;
  for (const Format one : formats) words.emplace_back(name_of(one));
  options.take_words("--format", std::move(words));
  options.often_used({"--output"});
  options.flag("--json", "one JSON document on standard output instead of the report", json);
  if (!has_pictures(formats)) return;
  options.flag("--show", "draw the picture in the terminal", show);
  options.text("--title TEXT", "the title of the picture", picture.title);
  options.bound("--size WxH", "the size of the picture in pixels", picture.size, read_picture_size,
                "1600x1000; rotate and attention as their panels need");
  options.choice("--style STYLE", {}, picture.style, kStyles);
}

OutputPlan plan_output(const OutputOptions& options, std::string_view default_stem) {
  OutputPlan plan;
  plan.json_document = options.json;
  plan.show = options.show;
  plan.keys = options.show && isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0;
  plan.picture = options.picture;
  plan.files = read_files(options);
  if (plan.files.empty() && !plan.json_document && !plan.show && !default_stem.empty()) {
    plan.files.push_back({std::string(default_stem) + ".csv", Format::csv, false});
    plan.files.push_back({std::string(default_stem) + ".png", Format::png, false});
  }
  refuse_same_file(plan);
  if (plan.picture.animate && !plan.show && !plan.files.empty() && !plan.writes_animation())
    refuse("--animate", "a file that can move, .png or .gif",
           io::in_quotes(plan.files.front().path), "For example -o turn.png, or -o turn.gif.");
  if (plan.show && !plan.report())
    refuse("--show", "standard output for itself", "another use of it",
           "Write the document into a file with -o.");
  for (const OutputFile& file : plan.files) io::check_writable(file.path);
  return plan;
}

void write_output(const OutputPlan& plan, const Products& products, const Console& console) {
  if (plan.report()) products.report(console);
  if (plan.show) show(plan, products, console);
  bool read = true;
  if (plan.json_document) read = written("-", [&] { io::write_file("-", products.json()); });
  for (const OutputFile& file : plan.files) {
    const bool replaces = is_old_file(file.path);
    const std::optional<std::string> bytes = bytes_of(file, plan, products, console);
    const bool streamed = products.tensor && is_tensor(file.format);
    if (!streamed && !bytes) continue;
    read = written(file.path,
                   [&] { streamed ? products.tensor(file) : io::write_file(file.path, *bytes); }) &&
           read;
    // A name is printed as it is, but for what would disturb a terminal.
    if (plan.report())
      put(stdout, (replaces ? "replaced " : "wrote ") + io::printable(file.path, 4096) + "\n");
  }
  if (!read) end_without_reader();  // the other files are whole
}

}  // namespace rope::app
