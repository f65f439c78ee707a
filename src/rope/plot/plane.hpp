#pragma once

#include "rope/plot/curve.hpp"
#include "rope/plot/figure.hpp"
#include "rope/plot/free_space.hpp"
#include "rope/plot/layout.hpp"

namespace rope::plot {

/// An arc as a polyline, so fine that no corners are visible at `pixels` pixels per unit. An arc
/// that goes around more than once is reduced to its last whole turn.
Run arc_points(const Arc& arc, double pixels);

/// The pixels per unit of the plane.
double unit_of(const PanelLayout& layout);

/// How thick the lines of a plane are relative to those of a plane that fills a picture: thinner if
/// the panel is small. `scale` is that of the layout.
double line_share(const Box& box, double scale);

/// The length of an arrow's head, in pixels: shorter if the arrow is short.
double head_length(double arrow_length, const Box& box, double scale);

/// Places the labels of a plane's arrows and arcs, next to what they name and where they cover
/// little, and marks the places of everything drawn as taken in `space`.
void place_plane(const Plane& plane, const Figure& figure, double scale, PanelLayout* layout,
                 FreeSpace* space);

}  // namespace rope::plot
