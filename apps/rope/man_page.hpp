#pragma once

#include <string>

namespace rope::app {

/// The manual page rope(1) in troff, made from the tables that the help texts are made from, so
/// that the two cannot differ.
std::string man_page();

}  // namespace rope::app
