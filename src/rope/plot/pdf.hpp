#pragma once

#include <string>
#include <string_view>

namespace rope::plot {

/// A PDF from cairo whose bytes do not depend on when it was drawn, and which names its creator:
/// UTF-8 without control characters, or none. Its creation date becomes the first second of the
/// year 2000.
///
/// Since version 1.18, cairo compresses the object that holds the date. The file is rewritten with
/// plain objects and a plain table of their offsets, as earlier versions write it.
///
/// Edge      A file that is not laid out as cairo does it comes back unchanged.
std::string finished_pdf(std::string pdf, std::string_view creator);

}  // namespace rope::plot
