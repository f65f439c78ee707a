#pragma once

#include <cstddef>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

#include "rope/pictures/looks.hpp"
#include "rope/plot/figure.hpp"
#include "rope/primer/complex_number.hpp"
#include "rope/studies/primer.hpp"

// The parts of the primer's pictures, and the picture of each topic.

namespace rope::drawing {

using plot::Text;
using primer::Complex;

inline constexpr double kPi = std::numbers::pi;
inline constexpr std::size_t kFirstLook = 0, kSecondLook = 1, kResultLook = 2, kOtherLook = 4;

/// A number for a label.
std::string shown(double value);

/// A number with as many digits as the report shows.
std::string shown_as_said(double value);

std::string degrees(double radians);

/// The angle in degrees, for use after a plus sign: in brackets if it is negative.
std::string added_degrees(double radians);

/// The number as text: "−1 + i", "2 − 0.5i".
std::string complex_text(Complex z);

plot::Arrow between(Complex from, Complex to, std::string_view label, std::size_t look);

plot::Arrow arrow(Complex z, std::string_view label, std::size_t look);

plot::Arrow dashed(plot::Arrow arrow);

/// A dashed line without a head.
plot::Arrow line(Complex from, Complex to, std::string_view label, std::size_t look);

/// A dashed line with its label at the middle: a side of a triangle.
plot::Arrow side(Complex from, Complex to, std::string_view label, std::size_t look);

plot::Arc arc(double radius, double from, double to, std::string_view label, std::size_t look);

plot::Arc circle(double radius = 1);

plot::Panel plane(std::string_view title, std::vector<plot::Arrow> arrows,
                  std::vector<plot::Arc> arcs, std::vector<plot::Series> series = {});

plot::Series path(const std::vector<Complex>& points, std::string_view label, std::size_t look,
                  plot::SeriesKind kind = plot::SeriesKind::line);

plot::Figure figure(std::string_view title, std::string_view subtitle,
                    std::vector<plot::Panel> panels);

// primer_arrows.cpp

plot::Figure picture(const ArgumentAnswer& answer);
plot::Figure picture(const ConjugateAnswer& answer);
plot::Figure picture(const QuarterTurnAnswer& answer);
plot::Figure picture(const ProductAnswer& answer);

// primer_series.cpp

plot::Figure picture(const EulerAnswer& answer);
plot::Figure picture(const TaylorAnswer& answer);
plot::Figure picture(const ExponentialsAnswer& answer);
plot::Figure picture(const HalfTurnAnswer& answer);

// primer_rotations.cpp

plot::Figure picture(const AdditionAnswer& answer);
plot::Figure picture(const SpaceAnswer& answer);
plot::Figure picture(const ReflectionAnswer& answer);
plot::Figure picture(const OrthogonalAnswer& answer);

}  // namespace rope::drawing
