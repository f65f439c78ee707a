#include "usage/output.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
#include <vector>

#include "rope/error.hpp"
#include "rope/io/csv.hpp"
#include "rope/io/file.hpp"
#include "rope/io/quote.hpp"
#include "rope/language/said.hpp"
#include "rope/pictures/chinese.hpp"
#include "rope/plot/coincidence.hpp"
#include "rope/plot/gnuplot.hpp"
#include "rope/plot/paper.hpp"
#include "rope/plot/player.hpp"
#include "rope/plot/png_mark.hpp"
#include "rope/plot/terminal.hpp"
#include "shown/text.hpp"

namespace rope::app {
namespace {

bool is_tensor(Format format) { return format == Format::npy || format == Format::safetensors; }

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

/// Pixels in an inch of a PNG with a size on paper, as printers want them.
constexpr double kPrintedPixelsPerInch = 300;

/// `per_inch`: pixels in an inch, of a picture with a size on paper.
plot::Figure styled(plot::Figure figure, const PictureOptions& asked,
                    double per_inch = plot::kPdfPixelsPerInch) {
  if (asked.language == plot::Language::zh) figure = in_chinese(std::move(figure));
  if (asked.title) {  // all that stands above the panels is the caller's
    figure.title = plot::Text::plain(*asked.title);
    figure.subtitle = {};
  }
  if (asked.size) {
    figure.per_inch = asked.size->inches ? per_inch : 0;
    const double unit = asked.size->inches ? per_inch : 1;
    figure.width = static_cast<int>(std::lround(asked.size->width * unit));
    figure.height = static_cast<int>(std::lround(asked.size->height * unit));
    if (figure.any_columns && !asked.size->inches)  // whose words have a size of their own
      figure.columns = plot::columns_of_largest_squares(figure);
  }
  figure.style = asked.style;
  return plot::with_coincidences(std::move(figure));
}

plot::Animation styled_animation(const PictureOptions& asked, const Products& products) {
  plot::Animation animation = products.animation();
  for (plot::Figure& frame : animation.frames) frame = styled(std::move(frame), asked);
  animation.milliseconds = asked.pace.value_or(animation.milliseconds);
  animation.times = asked.times;
  return animation;
}

plot::Picture picture_of(Format format, const OutputPlan& plan, const Products& products,
                         const std::string& origin) {
  if (moves_in(format, plan.picture)) {
    plot::Animation animation = styled_animation(plan.picture, products);
    animation.frames.front().origin = origin;
    return plot::render_animation(animation, format == Format::gif ? plot::AnimationFormat::gif
                                                                   : plot::AnimationFormat::apng);
  }
  const bool pixels = format == Format::png || format == Format::gp;
  plot::Figure figure = styled(products.figure(), plan.picture,
                               pixels ? kPrintedPixelsPerInch : plot::kPdfPixelsPerInch);
  figure.origin = origin;
  return plot::render(figure, picture_format(format));
}

/// Refuses a size on paper that leaves no room for the picture's words, before anything is written.
void check_room_for_words(const OutputPlan& plan, const Products& products) {
  const std::optional<PictureSize>& size = plan.picture.size;
  if (!size || !size->inches || std::ranges::none_of(plan.files, is_picture, &OutputFile::format))
    return;
  plot::Figure figure = plan.writes_animation()
                            ? styled_animation(plan.picture, products).frames.front()
                            : styled(products.figure(), plan.picture);
  const std::optional<plot::PaperSize> larger = plot::size_that_suffices(figure);
  if (!larger) return;
  const auto in_inches = [](double width, double height) {
    return fmt::format("{:.4g}x{:.4g}in", width, height);
  };
  const std::size_t panels = figure.panels.size();
  const std::string all = fmt::format("where {} with 6-point text {} room",
                                      panels == 1 ? "a panel" : fmt::format("{} panels", panels),
                                      panels == 1 ? "has" : "have");
  const std::string given = in_inches(size->width, size->height);
  if (!(larger->width > 0))
    refuse("--size", "one " + all, given + "; no size up to 26x26in is large enough",
           "Draw fewer curves, or give the size in pixels.");
  const std::string enough = in_inches(larger->width, larger->height);
  const bool headed = !figure.title.empty();
  figure.subtitle = figure.title = {};
  const bool the_title = headed && !plot::size_that_suffices(figure);
  refuse("--size", "at least " + enough + ", " + all, given,
         "Give --size " + enough + (the_title ? ", or leave out the title: --title \"\"." : "."));
}

/// What the command reports, to be written into a file.
Record recorded(const Products& products, const Console& console) {
  Record record;
  products.report(console.into(record));
  return record;
}

/// A comment that is seen in the file alone, and ends where it should.
std::string markdown_comment(std::string text) {
  for (std::size_t at = 0; (at = text.find("-->", at)) != std::string::npos;)
    text.replace(at, 3, "--&gt;");
  return "<!-- " + text + " -->\n\n";
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
    case Format::xml:
      return products.xml();
    case Format::tex:
      return "% " + console.origin() + "\n" +
             (products.tex ? products.tex() : recorded(products, console).latex(console.command()));
    case Format::md:
      return markdown_comment(console.origin()) +
             (products.md ? products.md() : recorded(products, console).markdown());
    default:
      break;
  }
  plot::Picture picture = picture_of(format, plan, products, console.origin());
  for (const std::string& warning : picture.warnings) console.warn(warning);
  return std::move(picture.bytes);
}

void show(const OutputPlan& plan, const Products& products, const Console& console) {
  PictureOptions looks = plan.picture;
  if (!console.unicode()) looks.language = plot::Language::en;  // no other language has ASCII words
  winsize window{};
  const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0;
  const int columns = std::clamp(known ? int{window.ws_col} : 80, 20, 200);
  int rows = known ? window.ws_row - 2 : 24;
  plot::TerminalAbility ability = plot::detect_terminal(STDOUT_FILENO);
  ability.unicode = console.unicode();
  // The sixels of gnuplot have one font, and none has both the Chinese words and the formulas.
  ability.sixel = ability.sixel && looks.language == plot::Language::en;
  if (!console.colour()) ability.colour = plot::ColourDepth::none;
  if (products.animation && plan.keys) {
    plot::play_in_terminal(styled_animation(looks, products), columns, std::clamp(rows, 8, 60),
                           ability, looks.pace.has_value());
    return;
  }
  const auto& drawn = products.terminal_figure ? products.terminal_figure : products.figure;
  const plot::Figure figure = styled(drawn(), looks);
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
    if (!is_standard_output(path) || !reader_is_gone()) throw;
    return false;
  }
}

/// Whether a file of that name, and with something in it, is there to be replaced.
bool is_old_file(const std::string& path) {
  std::error_code error;
  return !io::written_descriptor(path) && std::filesystem::is_regular_file(path, error) &&
         std::filesystem::file_size(path, error) > 0;
}

/// The first bytes of a file; nothing where it cannot be read.
std::string beginning_of(const std::string& path) {
  constexpr std::size_t kMost = std::size_t{1} << 20;  // of a header with a label a column
  std::ifstream file(path, std::ios::binary);
  std::string bytes(kMost, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  return bytes;
}

bool has_header_of(std::string_view text, ColumnNames columns) {
  std::vector<std::string> header;
  try {
    header = io::parse_csv(text.substr(0, text.find('\n')), "header").header();
  } catch (const Error&) {
    return false;
  }
  return header.size() > 1 && std::ranges::all_of(header, [&](const std::string& name) {
           return name == "curve" ||  // of --tidy
                  std::ranges::count(columns, name.substr(0, name.find('['))) > 0;
         });
}

/// Whether a file that is there may be replaced without being asked for: it is empty, or rope wrote
/// it, as the mark in a PNG says, or a header in a CSV of these columns and no others, each with or
/// without its [label].
bool is_own_file(const OutputFile& file, ColumnNames columns) {
  std::error_code error;
  if (std::filesystem::file_size(file.path, error) == 0 && !error) return true;
  const std::string bytes = beginning_of(file.path);
  return is_picture(file.format) ? plot::has_mark(bytes) : has_header_of(bytes, columns);
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

/// Writes one file of the plan and says so; false if its reader went away.
bool write_one(const OutputFile& file, const OutputPlan& plan, const Products& products,
               const Console& console) {
  if (!file.asked) {
    if (is_old_file(file.path) && !is_own_file(file, plan.columns)) {
      console.warn(
          fmt::format("{0} already exists, but not in the form that rope writes, so it is kept; -o "
                      "{0} replaces it",
                      file.path));
      return true;
    }
    io::check_writable(file.path);  // before a picture is drawn for nothing
  }
  const std::string line = written_line(file.path, console.language());
  const std::optional<std::string> bytes = bytes_of(file, plan, products, console);
  const bool streamed = products.tensor && is_tensor(file.format);
  if (!streamed && !bytes) return true;
  const bool read = written(
      file.path, [&] { streamed ? products.tensor(file) : io::write_file(file.path, *bytes); });
  if (plan.report() && !console.quiet()) console.tell_file(line);
  return read;
}

/// The answer is whole, and only files are missing that nobody asked for.
[[noreturn]] void tell_of_missing_files(const SystemError& error) {
  throw SystemError(error.what(),
                    (error.remedy().empty() ? "" : sentence(error.remedy()) + " ") +
                        "The answer is complete without this file; -o FILE writes it elsewhere.");
}

}  // namespace

std::string written_line(const std::string& path, Language language) {
  const std::string name = io::printable(path, 4096);
  return is_old_file(path) ? said(language, "replaced {}", name) : said(language, "wrote {}", name);
}

void make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(folder), error);
  if (error)
    throw SystemError("cannot make the folder " + io::in_quotes(folder), error.message() + ".");
}

void write_output(const OutputPlan& plan, const Products& products, const Console& console) {
  check_room_for_words(plan, products);
  console.speak(plan.language);
  const bool brief = console.quiet() && !products.text;
  if (plan.report() && brief) products.report(console.answer_alone());
  if (plan.report() && !brief) products.report(console);  // itself: a lesson pauses at it alone
  if (plan.show) show(plan, products, console);
  bool read = true;
  if (plan.json_document) read = written("-", [&] { io::write_file("-", products.json()); });
  std::optional<SystemError> refused;
  for (const OutputFile& file : plan.files) {
    try {
      read = write_one(file, plan, products, console) && read;
    } catch (const SystemError& error) {
      if (file.asked) throw;
      if (!refused) refused = error;
    }
  }
  if (!read) end_without_reader();  // the other files are whole
  if (refused) tell_of_missing_files(*refused);
}

}  // namespace rope::app
