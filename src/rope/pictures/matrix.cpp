#include "rope/pictures/matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "rope/error.hpp"
#include "rope/pictures/embedding_text.hpp"
#include "rope/pictures/squares.hpp"
#include "rope/rotary/rotation_matrix.hpp"

namespace rope {
namespace {

constexpr std::size_t kMaxPictureDim = 1024;
constexpr std::size_t kMaxPicturePanels = 64;

plot::Panel dense_panel(const RotaryEmbedding& embedding, std::int64_t position) {
  const RowMatrix matrix = rotation_matrix(embedding, position);
  plot::Panel panel;
  panel.x.label = plot::Text::plain("column");
  panel.y.label = plot::Text::plain("row");
  plot::HeatMap map;
  map.rows = map.columns = embedding.head_dim;
  map.values.assign(matrix.data(), matrix.data() + matrix.size());
  map.min = -1;
  map.max = 1;
  panel.heat_map = std::move(map);
  return panel;
}

plot::Panel pairs_panel(const RotaryEmbedding& embedding, std::int64_t position) {
  const RotationRow row = rotation_row(embedding, position);
  plot::Panel panel;
  panel.x.label = plot::Text::plain("pair k");
  panel.x.whole = true;
  panel.y.min = -1;
  panel.y.max = 1;
  for (const auto& [label, values] :
       {std::pair("cos mθ_k", &row.cos), std::pair("sin mθ_k", &row.sin)}) {
    plot::Series series;
    series.label = plot::Text::markup(label);
    series.kind = plot::SeriesKind::line_points;
    for (std::size_t k = 0; k < values->size(); ++k) series.x.push_back(static_cast<double>(k));
    series.y = *values;
    panel.series.push_back(std::move(series));
  }
  return panel;
}

}  // namespace

void check_matrix_picture(const RotaryEmbedding& embedding, std::span<const std::int64_t> positions,
                          MatrixForm form) {
  if (positions.size() > kMaxPicturePanels)
    throw ShapeError(fmt::format("--positions: expected at most {} positions for a picture, got {}",
                                 kMaxPicturePanels, positions.size()),
                     "Write csv or npy instead.");
  if (form == MatrixForm::dense && embedding.head_dim > kMaxPictureDim)
    throw ShapeError(fmt::format("--dim: expected at most {} for a picture of the matrix, got {}",
                                 kMaxPictureDim, embedding.head_dim),
                     "Draw the cosines and sines with --form pairs.");
}

plot::Figure matrix_figure(const RotaryEmbedding& embedding,
                           std::span<const std::int64_t> positions, MatrixForm form) {
  check_matrix_picture(embedding, positions, form);
  plot::Figure figure;
  figure.title = plot::Text::plain(form == MatrixForm::dense ? "Rotation matrix"
                                                             : "Cosine and sine of every pair");
  figure.subtitle = plot::Text::plain(describe(embedding));
  const std::size_t count = positions.size();
  figure.columns = form == MatrixForm::dense
                       ? columns_of_squares(count)
                       : static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(count))));
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t position = positions[i];
    plot::Panel panel = form == MatrixForm::dense ? dense_panel(embedding, position)
                                                  : pairs_panel(embedding, position);
    panel.title = plot::Text::plain(fmt::format("m = {}", position));
    // The outer panels name the axes of all.
    if (i + figure.columns < count) panel.x.label = {};
    if (i % figure.columns != 0) panel.y.label = {};
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

}  // namespace rope
