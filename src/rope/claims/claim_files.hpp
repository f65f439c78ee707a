#pragma once

#include <span>
#include <string_view>

namespace rope::claims {

/// A file of data/claims as it stands in the program; cmake/DataFiles.cmake writes it there.
struct ClaimFile {
  std::string_view name;  ///< without its ending
  std::string_view text;
};

std::span<const ClaimFile> claim_files();

/// Those of data/claims/own and data/claims/recorded likewise.
std::span<const ClaimFile> own_files();
std::span<const ClaimFile> record_files();

}  // namespace rope::claims
