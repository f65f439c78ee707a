#pragma once

#include <string>
#include <string_view>

namespace rope::plot {

/// A PDF from cairo, changed so that its bytes do not depend on when it was drawn, and with
/// `creator` as its creator: UTF-8 without control characters, or empty. Its creation date becomes
/// the first second of the year 2000.
///
/// Since version 1.18, cairo compresses the object that contains the date. The file is rewritten
/// with plain objects and a plain table of their offsets, as earlier versions write it.
///
/// Edge      A file without cairo's layout is returned unchanged.
std::string finished_pdf(std::string pdf, std::string_view creator);

}  // namespace rope::plot
