#pragma once

#include <span>
#include <string_view>

namespace rope::io {

/// A file from a folder of data/, as compiled into the program. cmake/DataFiles.cmake embeds it and
/// defines the function that returns the files of a folder; callers declare that function.
struct DataFile {
  std::string_view name;  ///< without its extension
  std::string_view text;
};

using DataFiles = std::span<const DataFile>;

}  // namespace rope::io
