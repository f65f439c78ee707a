#pragma once

#include <string>
#include <string_view>

#include "rope/plot/figure.hpp"

namespace rope::plot {

/// The device that gnuplot is asked to draw for.
enum class Device { png, svg, pdf, sixel };

/// The complete gnuplot script that draws a figure on standard output. Texts are included as they
/// are: see fonts.hpp for characters that cannot be drawn. Large data is embedded in binary form.
///
/// Throws    ShapeError and DomainError as validate() does.
std::string make_script(const Figure& figure, Device device);

/// A string in gnuplot's language. Within single quotes, only the quote itself is special. Each
/// quote is concatenated as a separate string, since gnuplot 5.4 mistakes a doubled quote at the
/// start for an empty string and would execute the text after it.
std::string quoted_for_gnuplot(std::string_view text);

}  // namespace rope::plot
