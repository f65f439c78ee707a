#pragma once

#include <span>
#include <string_view>

namespace rope::io {

/// A file from a folder of data/, as compiled into the program. cmake/DataFiles.cmake writes it
/// there, and defines the function that returns the files of a folder: callers declare it.
struct DataFile {
  std::string_view name;  ///< without its extension
  std::string_view text;
};

using DataFiles = std::span<const DataFile>;

}  // namespace rope::io
