#pragma once

#include <span>
#include <string_view>

namespace rope {

/// A file of data/models as it stands in the program; cmake/DataFiles.cmake writes it there.
struct PresetFile {
  std::string_view name;  ///< without its ending
  std::string_view text;
};

std::span<const PresetFile> preset_files();

}  // namespace rope
