#pragma once

#include <string>
#include <string_view>

namespace rope::plot {

/// The PNG with the program's name, which marks the picture as drawn by it: a tEXt chunk with the
/// keyword Software, right after the header. Bytes that are not a PNG stay as they are.
std::string with_mark(std::string png);

/// Whether the picture has that chunk right after its header. The first 128 bytes are enough to
/// tell.
bool has_mark(std::string_view png);

/// The PNG with the text as its comment, an iTXt chunk, after the mark. If the text is empty, the
/// PNG stays as it is, as do bytes that are not a PNG.
std::string with_comment(std::string png, std::string_view text);

/// The PNG with the chunk that states the pixels per inch (pHYs), from which LaTeX and editors
/// derive its size on paper. If `per_inch` is 0, the PNG stays as it is, as do bytes that are not a
/// PNG.
std::string with_density(std::string png, double per_inch);

}  // namespace rope::plot
