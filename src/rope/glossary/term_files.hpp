#pragma once

#include <span>
#include <string_view>

namespace rope::glossary {

/// A file of data/glossary as it stands in the program; cmake/DataFiles.cmake writes it there.
struct TermFile {
  std::string_view name;  ///< without its ending
  std::string_view text;
};

std::span<const TermFile> term_files();

}  // namespace rope::glossary
