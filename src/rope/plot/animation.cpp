#include "rope/plot/animation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "rope/error.hpp"
#include "rope/plot/png_mark.hpp"
#include "rope/plot/process.hpp"
#include "rope/plot/temporary_folder.hpp"

namespace rope::plot {
namespace {

constexpr std::chrono::seconds kLongestAssembly{300};

std::string frame_name(std::size_t frame) { return fmt::format("frame{:04}.png", frame); }

constexpr std::string_view kMoving = "turning.png", kGif = "turning.gif";

/// All files that are made for so many frames.
std::vector<std::string> names_for(std::size_t frames) {
  std::vector<std::string> names = {std::string(kMoving), std::string(kGif)};
  names.reserve(names.size() + frames);
  for (std::size_t i = 0; i < frames; ++i) names.push_back(frame_name(i));
  return names;
}

void check(const Animation& animation) {
  const std::vector<Figure>& frames = animation.frames;
  if (frames.empty() || frames.size() > kMostFrames)
    throw ShapeError(
        fmt::format("animation: expected 1 to {} frames, got {}", kMostFrames, frames.size()));
  for (const Figure& frame : frames) {
    validate(frame);
    if (frame.width != frames.front().width || frame.height != frames.front().height)
      throw ShapeError(fmt::format("animation: expected frames of {}x{} pixels, got {}x{}",
                                   frames.front().width, frames.front().height, frame.width,
                                   frame.height));
  }
  if (animation.milliseconds < 10 || animation.milliseconds > 60000 || animation.times < 0)
    throw DomainError(
        fmt::format("animation: expected 10 to 60000 milliseconds per frame, played at least 0 "
                    "times, got {} and {}",
                    animation.milliseconds, animation.times));
}

void write_frame(const std::string& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file)
    throw SystemError("cannot write a frame to " + path, "set TMPDIR to choose the folder");
}

std::string read_whole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Runs a program that writes `made`, and returns what it wrote.
std::string output_of(const std::vector<std::string>& command, const std::string& made) {
  const std::string& program = command.front();
  const std::string remedy = fmt::format("install the package {}", program);
  ProcessResult result;
  try {
    result = run_process(command, "", kLongestAssembly);
  } catch (const SystemError& error) {
    throw SystemError(error.what(), error.remedy().empty() ? remedy : error.remedy());
  }
  std::string bytes = read_whole(made);
  if (result.timed_out || result.signal != 0 || result.exit_code != 0 || bytes.empty())
    throw SystemError(
        result.timed_out ? fmt::format("{} did not finish within {} s and was stopped", program,
                                       kLongestAssembly.count())
                         : fmt::format("{} failed with exit code {}", program, result.exit_code),
        "draw a smaller animation, or check whether the folder for temporary files is full");
  return bytes;
}

/// The GIF with the text as its comment, before the byte that ends it.
std::string gif_with_comment(std::string gif, std::string_view text) {
  constexpr std::size_t kMostInBlock = 255;
  if (text.empty() || !gif.ends_with(';')) return gif;
  gif.back() = '!';
  gif += '\xFE';
  for (; !text.empty(); text.remove_prefix(std::min(kMostInBlock, text.size()))) {
    const std::string_view block = text.substr(0, kMostInBlock);
    gif += static_cast<char>(block.size());
    gif += block;
  }
  return gif.append("\0;", 2);
}

/// The frames as one animation, which is made of files in the folder.
std::string assembled(const std::vector<std::string_view>& frames, const Animation& animation,
                      AnimationFormat format, const TemporaryFolder& folder) {
  for (std::size_t i = 0; i < frames.size(); ++i)
    write_frame(folder.file(frame_name(i)), frames[i]);
  const std::string apng = folder.file(kMoving), gif = folder.file(kGif);
  std::vector<std::string> assemble = {
      "apngasm", apng, folder.file(frame_name(0)), fmt::format("{}", animation.milliseconds),
      "1000",    "-z0"};
  if (animation.times > 0) assemble.push_back(fmt::format("-l{}", animation.times));
  std::string bytes = output_of(assemble, apng);
  const std::string& origin = animation.frames.front().origin;
  return format == AnimationFormat::gif
             ? gif_with_comment(output_of({"apng2gif", apng, gif}, gif), origin)
             : with_comment(with_mark(bytes), origin);
}

std::string left_behind(const TemporaryFolder& folder) {
  return fmt::format("the folder {} could not be removed: remove it", folder.path());
}

}  // namespace

Picture render_animation(const Animation& animation, AnimationFormat format) {
  check(animation);
  Picture pages = render_pages(animation.frames);
  const std::vector<std::string_view> frames = png_files(pages.bytes);
  if (frames.size() != animation.frames.size())
    throw SystemError(
        fmt::format("gnuplot drew {} of {} frames", frames.size(), animation.frames.size()));
  TemporaryFolder folder(names_for(frames.size()));
  Picture picture{{}, std::move(pages.warnings)};
  try {
    picture.bytes = assembled(frames, animation, format, folder);
  } catch (const SystemError& error) {
    if (folder.remove()) throw;
    throw SystemError(error.what(), fmt::format("{}; {}", error.remedy(), left_behind(folder)));
  }
  if (!folder.remove()) picture.warnings.push_back(left_behind(folder));
  return picture;
}

}  // namespace rope::plot
