#include "lesson/handout.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <span>
#include <string_view>

#include "rope/io/file.hpp"
#include "rope/io/quote.hpp"
#include "usage/numbers.hpp"

namespace rope::app {
namespace {

constexpr std::size_t kLargestPicture = std::size_t{1} << 26;  // bytes

constexpr std::array<std::string_view, 6> kFiles = {"index.html",   "solutions.html", "lesson.md",
                                                    "solutions.md", "notes.md",       "wiring.npy"};

}  // namespace

void check_handout_folder(const std::string& folder) {
  std::string there;
  std::size_t found = 0;
  std::error_code error;
  const auto always = std::span(kFiles).first(kFiles.size() - 1);
  for (const std::string_view name : always)
    if (std::filesystem::exists(std::filesystem::path(folder) / name, error)) {
      there = name;
      ++found;
    }
  const std::string_view sometimes = kFiles.back();  // other people's may be called so too
  if (found == 0 && std::filesystem::exists(std::filesystem::path(folder) / sometimes, error)) {
    there = sometimes;
    ++found;
  }
  if (found > 0 && found < always.size())
    refuse(
        "-o", "another folder, in which no file of that name is lost",
        io::in_quotes((std::filesystem::path(folder) / there).string()) + ", which is no handout's",
        "Name a folder that is empty or not there.");
}

void write_handout(const std::string& folder, const lesson::Handout& handout,
                   const PictureFiles& looks, const Drawer& drawer, const Console& console) {
  const std::filesystem::path place(folder);
  make_folder((place / "pictures").string());
  for (const std::string_view name : kFiles) io::check_writable((place / name).string());
  std::vector<std::string> pictures;
  {
    Progress progress(console, handout.steps.size(), "drawing");
    for (const lesson::ShownStep& shown : handout.steps) {
      const std::string path = (place / picture_name(shown.step)).string();
      draw_by_command(shown.step.picture, {{{path, Format::png}}, looks.looks, false, looks.told},
                      drawer, console);
      pictures.push_back(io::read_file(path, kLargestPicture));
      progress.advance(1);
    }
  }
  const auto write = [&](std::string_view name, const std::string& text) {
    const std::string path = (place / name).string();
    const std::string line = written_line(path);
    io::write_file(path, text);
    if (looks.told && !console.quiet()) console.tell_file(line);
  };
  write(kFiles[0], lesson_page(handout, pictures));
  write(kFiles[1], solutions_page(handout));
  write(kFiles[2], lesson_markdown(handout));
  write(kFiles[3], solutions_markdown(handout));
  write(kFiles[4], notes_markdown(handout));
  for (const lesson::ShownStep& shown : handout.steps)
    if (const auto& task = shown.step.exercise.rotation) write(kFiles[5], vectors_npy(*task));
}

}  // namespace rope::app
