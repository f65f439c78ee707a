#include "lesson/handout.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "rope/error.hpp"
#include "rope/io/file.hpp"
#include "rope/io/quote.hpp"

namespace rope::app {
namespace {

constexpr std::size_t kLargestPicture = std::size_t{1} << 26;  // bytes

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw SystemError("cannot make the folder " + io::in_quotes(folder.string()),
                      error.message() + ".");
}

}  // namespace

void write_handout(const std::string& folder, const lesson::Handout& handout,
                   const std::vector<std::string>& looks, const Drawer& drawer,
                   const Console& console) {
  const std::filesystem::path place(folder);
  make_folder(place / "pictures");
  std::vector<std::string> pictures;
  {
    Progress progress(console, handout.steps.size(), "drawing");
    for (const lesson::ShownStep& shown : handout.steps) {
      const std::string path = (place / picture_name(shown.step)).string();
      draw_by_command(shown.step.picture, {{path}, looks, false}, drawer, console);
      pictures.push_back(io::read_file(path, kLargestPicture));
      progress.advance(1);
    }
  }
  const auto write = [&](const char* name, const std::string& text) {
    const std::string path = (place / name).string();
    io::write_file(path, text);
    console.print(fmt::format("wrote {}\n", path));
  };
  write("index.html", lesson_page(handout, pictures));
  write("solutions.html", solutions_page(handout));
  write("lesson.md", lesson_markdown(handout));
  write("solutions.md", solutions_markdown(handout));
  write("notes.md", notes_markdown(handout));
  for (const lesson::ShownStep& shown : handout.steps)
    if (const auto& task = shown.step.exercise.rotation) write("wiring.npy", vectors_npy(*task));
}

}  // namespace rope::app
