#include "rope/plot/animation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>

#include "rope/error.hpp"
#include "rope/plot/png_mark.hpp"
#include "rope/plot/process.hpp"

namespace rope::plot {
namespace {

constexpr std::chrono::seconds kLongestAssembly{300};
constexpr std::string_view kFileName = "frame{:04}.png";

/// A folder of our own, gone again at the end of the scope.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code error;
    std::string name = (std::filesystem::temp_directory_path(error) / "rope-XXXXXX").string();
    if (error || mkdtemp(name.data()) == nullptr)
      throw SystemError(
          fmt::format("cannot make a folder for the frames ({})",
                      error ? error.message() : std::generic_category().message(errno)),
          "TMPDIR names the folder where it is made");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  TemporaryFolder(TemporaryFolder&&) = delete;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;

  std::string file(std::string_view name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

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
        fmt::format("animation: expected 10 to 60000 milliseconds a frame and not less than 0 "
                    "times, got {} and {}",
                    animation.milliseconds, animation.times));
}

void write_frame(const std::string& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file)
    throw SystemError("cannot write a frame into " + path, "TMPDIR names the folder for it");
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
        "draw a smaller animation, or look whether the folder for temporary files is full");
  return bytes;
}

}  // namespace

Picture render_animation(const Animation& animation, AnimationFormat format) {
  check(animation);
  Picture pages = render_pages(animation.frames);
  const std::vector<std::string_view> frames = png_files(pages.bytes);
  if (frames.size() != animation.frames.size())
    throw SystemError(
        fmt::format("gnuplot drew {} of {} frames", frames.size(), animation.frames.size()));
  const TemporaryFolder folder;
  for (std::size_t i = 0; i < frames.size(); ++i)
    write_frame(folder.file(fmt::format(kFileName, i)), frames[i]);
  const std::string apng = folder.file("turning.png"), gif = folder.file("turning.gif");
  std::vector<std::string> assemble = {"apngasm",
                                       apng,
                                       folder.file(fmt::format(kFileName, 0)),
                                       fmt::format("{}", animation.milliseconds),
                                       "1000",
                                       "-z0"};
  if (animation.times > 0) assemble.push_back(fmt::format("-l{}", animation.times));
  Picture picture{with_mark(output_of(assemble, apng)), std::move(pages.warnings)};
  if (format == AnimationFormat::gif) picture.bytes = output_of({"apng2gif", apng, gif}, gif);
  return picture;
}

}  // namespace rope::plot
