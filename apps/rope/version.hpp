#pragma once

#include <string>

namespace rope::app {

/// What --version prints: a line, or with --json a document that names the schema of each document
/// the program writes.
std::string version_text(bool json);

}  // namespace rope::app
