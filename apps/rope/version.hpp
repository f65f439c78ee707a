#pragma once

#include <string>

namespace rope::app {

/// What --version prints: one line or, with --json, a document that names the schemas of all
/// documents that the program writes.
std::string version_text(bool json);

}  // namespace rope::app
