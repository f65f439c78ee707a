#pragma once

#include <span>
#include <string_view>

namespace rope::io {

/// A file of a folder of data/ as it stands in the program. cmake/DataFiles.cmake writes there, and
/// defines the function that has those of a folder: whoever asks for them declares it.
struct DataFile {
  std::string_view name;  ///< without its ending
  std::string_view text;
};

using DataFiles = std::span<const DataFile>;

}  // namespace rope::io
