#include "rope/plot/gnuplot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <string_view>

#include "rope/error.hpp"
#include "rope/plot/fonts.hpp"
#include "rope/plot/pdf.hpp"
#include "rope/plot/png_mark.hpp"
#include "rope/plot/process.hpp"
#include "rope/plot/script.hpp"

namespace rope::plot {
namespace {

constexpr std::chrono::seconds kTimeout{120};  // of a picture
constexpr std::size_t kLongestMessage = 200;
constexpr const char* kRemedy = "install the package gnuplot-nox; CSV output needs no gnuplot";

constexpr std::string_view kToTheCorner = "\x1B[H";

/// How the bytes of a complete picture begin and end.
struct Frame {
  std::string_view begin;
  std::string_view end;
};

Frame frame_of(Device device) {
  switch (device) {
    case Device::png:
      return {"\x89PNG\r\n\x1A\n", "IEND\xAE\x42\x60\x82"};
    case Device::svg:
      return {"<?xml", "</svg>"};
    case Device::pdf:
      return {"%PDF-", "%%EOF"};
    case Device::sixel:
      return {"\x1BP", "\x1B\\"};
  }
  return {};
}

bool complete(std::string_view bytes, const Frame& frame) {
  while (!bytes.empty() && (bytes.back() == '\n' || bytes.back() == '\r')) bytes.remove_suffix(1);
  return bytes.size() >= frame.begin.size() + frame.end.size() &&
         bytes.substr(0, frame.begin.size()) == frame.begin &&
         bytes.substr(bytes.size() - frame.end.size()) == frame.end;
}

/// The line that tells most: gnuplot names the line of its script, after the line itself and a
/// mark.
std::string first_message(std::string_view messages) {
  std::string first;
  while (!messages.empty()) {
    const std::size_t end = std::min(messages.find('\n'), messages.size());
    std::string text = Text::plain(messages.substr(0, std::min(end, kLongestMessage))).bytes();
    messages.remove_prefix(std::min(end + 1, messages.size()));
    if (text.find_first_not_of(" ^") == std::string::npos) continue;
    if (text.find("line ") != std::string::npos) return text;
    if (first.empty()) first = text;
  }
  return first.empty() ? "it gave no reason" : first;
}

void replace_all(std::string_view from, std::string_view to, std::string* text) {
  std::size_t at = 0;
  while ((at = text->find(from, at)) != std::string::npos) {
    text->replace(at, from.size(), to);
    at += to.size();
  }
}

std::string escaped(std::string text) {
  replace_all("&", "&amp;", &text);
  replace_all("<", "&lt;", &text);
  replace_all(">", "&gt;", &text);
  return text;
}

/// gnuplot names one font family and writes "Inter:Bold" as if it were one; viewers without Inter
/// need another name to look for. The blank beside a subscript would get lost. Cells of a heat map
/// must stay cells when a viewer enlarges them. Its title, which browsers and screen readers show,
/// is "Gnuplot", and its description names gnuplot alone.
void correct_svg(const Figure& figure, std::string* svg) {
  constexpr std::string_view kTitle = "<title>Gnuplot</title>";
  const std::string_view families =
      figure.language == Language::zh
          ? "Inter, 'Noto Sans CJK SC', 'PingFang SC', 'Microsoft YaHei', sans-serif"
          : "Inter, 'DejaVu Sans', sans-serif";
  if (figure.language == Language::zh) replace_all("<svg ", R"(<svg xml:lang="zh-CN" )", svg);
  replace_all(R"(font-family="Inter:Bold")",
              fmt::format(R"(font-family="{}" font-weight="bold")", families), svg);
  replace_all(R"(font-family="Inter")", fmt::format(R"(font-family="{}")", families), svg);
  replace_all("<text>", R"(<text xml:space="preserve">)", svg);
  replace_all("]]>", "]]&gt;", svg);  // not allowed in a text, and gnuplot leaves it
  const std::size_t named = svg->find(kTitle);
  if (named != std::string::npos)
    svg->replace(named, kTitle.size(), "<title>" + escaped(figure.title.readable()) + "</title>");
  if (!figure.origin.empty())
    replace_all("<desc>Produced by ", "<desc>" + escaped(figure.origin) + "; drawn by ", svg);
  replace_all("<image ", "<image style='image-rendering:pixelated' ", svg);
  if (figure.per_inch > 0)
    replace_all(fmt::format("\n width=\"{}\" height=\"{}\"", figure.width, figure.height),
                fmt::format("\n width=\"{:.6g}in\" height=\"{:.6g}in\"",
                            figure.width / figure.per_inch, figure.height / figure.per_inch),
                svg);
}

/// The font of Chinese characters, which Inter has not: fontconfig would choose the one with
/// Japanese forms.
std::vector<std::string> variables_of(Language language) {
  if (language == Language::en) return {};
  return {"FC_LANG=zh-cn"};
}

std::string run_gnuplot(const std::string& script, Device device, Language language,
                        std::size_t pictures = 1) {
  // A frame of an animation takes a tenth of that at most.
  const std::chrono::seconds timeout = kTimeout + kTimeout / 10 * (static_cast<int>(pictures) - 1);
  ProcessResult result;
  try {
    result =
        run_process({"gnuplot", "--default-settings"}, script, timeout, variables_of(language));
  } catch (const SystemError& error) {
    throw SystemError(error.what(), error.remedy().empty() ? kRemedy : error.remedy());
  }
  if (result.too_much)
    throw SystemError("gnuplot wrote more than 1 GiB and was stopped", "draw a smaller picture");
  if (result.timed_out) {
    throw SystemError(
        fmt::format("gnuplot did not finish within {} s and was stopped", timeout.count()),
        "draw a smaller picture, or write CSV, which needs no gnuplot");
  }
  const std::string message = first_message(result.messages);
  if (result.signal != 0) {
    throw SystemError(fmt::format("gnuplot was killed by signal {} ({}): {}", result.signal,
                                  strsignal(result.signal), message),
                      result.signal == SIGXFSZ
                          ? "the picture would be larger than allowed: see ulimit -f"
                          : kRemedy);
  }
  if (result.exit_code != 0) {
    throw SystemError(
        fmt::format("gnuplot failed with exit code {}: {}", result.exit_code, message), kRemedy);
  }
  // gnuplot 6 draws in the upper left corner of the terminal, over what is there.
  if (device == Device::sixel && result.output.starts_with(kToTheCorner))
    result.output.erase(0, kToTheCorner.size());
  if (!complete(result.output, frame_of(device))) {
    throw SystemError(fmt::format("gnuplot left an incomplete picture of {} bytes: {}",
                                  result.output.size(), message),
                      kRemedy);
  }
  return std::move(result.output);
}

Picture draw(const Figure& figure, Device device) {
  validate(figure);
  Picture picture;
  if (device == Device::svg) {
    picture.bytes = run_gnuplot(make_script(figure, device), device, figure.language);
    correct_svg(figure, &picture.bytes);
    return picture;
  }
  const Figure drawable = with_drawable_texts(figure, &picture.warnings);
  picture.bytes = run_gnuplot(make_script(drawable, device), device, figure.language);
  if (device == Device::pdf) picture.bytes = finished_pdf(std::move(picture.bytes), figure.origin);
  return picture;
}

Picture script_file(const Figure& figure) {
  validate(figure);
  Picture picture;
  const Figure drawable = with_drawable_texts(figure, &picture.warnings);
  const std::vector<std::string> variables = variables_of(figure.language);
  picture.bytes = figure.origin.empty() ? "" : "# " + figure.origin + "\n";
  picture.bytes +=
      "# " + (variables.empty() ? "" : variables.front() + " ") +
      "gnuplot THIS_FILE > chart.png\n"
      "# For another format, change the terminal below; colours, fonts and texts follow it.\n" +
      make_script(drawable, Device::png);
  return picture;
}

Picture marked(Picture picture, const Figure& figure) {
  picture.bytes = with_comment(with_mark(std::move(picture.bytes)), figure.origin);
  picture.bytes = with_density(std::move(picture.bytes), figure.per_inch);
  return picture;
}

}  // namespace

Picture render(const Figure& figure, PictureFormat format) {
  switch (format) {
    case PictureFormat::png:
      return marked(draw(figure, Device::png), figure);
    case PictureFormat::svg:
      return draw(figure, Device::svg);
    case PictureFormat::pdf:
      return draw(figure, Device::pdf);
    case PictureFormat::gp:
      return script_file(figure);
  }
  return {};
}

Picture render_pages(const std::vector<Figure>& figures) {
  Picture picture;
  std::string scripts;
  for (const Figure& figure : figures) {
    validate(figure);
    std::vector<std::string> warnings;
    scripts += "reset\n" + make_script(with_drawable_texts(figure, &warnings), Device::png);
    for (std::string& warning : warnings)
      if (std::ranges::find(picture.warnings, warning) == picture.warnings.end())
        picture.warnings.push_back(std::move(warning));
  }
  picture.bytes = run_gnuplot(scripts, Device::png, figures.front().language, figures.size());
  return picture;
}

std::vector<std::string_view> png_files(std::string_view bytes) {
  const Frame frame = frame_of(Device::png);
  std::vector<std::string_view> files;
  while (bytes.starts_with(frame.begin)) {
    // A chunk is its length, its name, as many bytes, and four of a checksum.
    constexpr std::size_t kAround = 12;
    std::size_t end = frame.begin.size();
    bool last = false;
    while (!last && bytes.size() - end >= kAround) {
      std::size_t length = 0;
      for (const char c : bytes.substr(end, 4))
        length = length * 256 + static_cast<unsigned char>(c);
      last = bytes.substr(end + 4, 4) == "IEND";
      if (length > bytes.size() - end - kAround) return files;
      end += kAround + length;
    }
    if (!last) return files;
    files.push_back(bytes.substr(0, end));
    bytes.remove_prefix(end);
  }
  return files;
}

Picture render_sixel(const Figure& figure) { return draw(figure, Device::sixel); }

}  // namespace rope::plot
