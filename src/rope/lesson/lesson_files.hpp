#pragma once

#include <span>
#include <string_view>

namespace rope::lesson {

/// A file of data/lesson as it stands in the program; cmake/DataFiles.cmake writes it there.
struct StepFile {
  std::string_view name;  ///< without its ending: "05-clocks"
  std::string_view text;
};

std::span<const StepFile> step_files();

}  // namespace rope::lesson
