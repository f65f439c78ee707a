#include "rope/pictures/matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "rope/error.hpp"
#include "rope/pictures/squares.hpp"
#include "rope/rotary/rotation_matrix.hpp"
#include "rope/words/embedding_text.hpp"

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
  panel.x.label = plot::Text::plain("pair i");
  panel.x.whole = true;
  panel.y.min = -1;
  panel.y.max = 1;
  for (const auto& [label, values] :
       {std::pair("cos mθ_i", &row.cos), std::pair("sin mθ_i", &row.sin)}) {
    plot::Series series;
    series.label = plot::Text::markup(label);
    series.kind = plot::SeriesKind::line_points;
    for (std::size_t k = 0; k < values->size(); ++k) series.x.push_back(static_cast<double>(k));
    series.y = *values;
    panel.series.push_back(std::move(series));
  }
  return panel;
}

/// The layouts that are drawn, each in a panel of its own.
std::vector<RotaryEmbedding> embeddings_of(const MatrixPicture& picture) {
  std::vector<RotaryEmbedding> embeddings = {picture.embedding};
  if (picture.beside) {
    embeddings.push_back(picture.embedding);
    embeddings.back().layout = *picture.beside;
  }
  return embeddings;
}

std::string describe_all(const std::vector<RotaryEmbedding>& embeddings) {
  std::vector<RotaryVariant> variants;
  variants.reserve(embeddings.size());
  for (const RotaryEmbedding& embedding : embeddings) variants.push_back({{}, embedding});
  return describe(variants);
}

}  // namespace

void check_matrix_picture(const MatrixPicture& picture) {
  const std::size_t panels = picture.positions.size() * (picture.beside ? 2 : 1);
  if (panels > kMaxPicturePanels)
    throw ShapeError(fmt::format("--positions: expected at most {} matrices in a picture, got {}",
                                 kMaxPicturePanels, panels),
                     "Write csv or npy instead.");
  const bool dense = picture.form == MatrixForm::dense;
  if (dense && picture.embedding.head_dim > kMaxPictureDim)
    throw ShapeError(fmt::format("--dim: expected at most {} for a picture of the matrix, got {}",
                                 kMaxPictureDim, picture.embedding.head_dim),
                     "Draw the cosines and sines with --form pairs.");
  if (!dense && picture.beside)
    throw ShapeError("--beside: expected --form dense, got --form pairs",
                     "The cosines and sines of the pairs are the same in every layout.");
}

plot::Figure matrix_figure(const MatrixPicture& picture) {
  check_matrix_picture(picture);
  const bool dense = picture.form == MatrixForm::dense;
  const std::vector<RotaryEmbedding> embeddings = embeddings_of(picture);
  plot::Figure figure;
  figure.title = plot::Text::plain(dense ? "Rotation matrix" : "Cosine and sine of every pair");
  figure.subtitle = plot::Text::plain(describe_all(embeddings));
  const std::size_t count = picture.positions.size() * embeddings.size();
  figure.columns = dense
                       ? columns_of_squares(count)
                       : static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(count))));
  if (picture.beside)
    figure.columns += figure.columns % 2;  // the layouts of a position stay together
  for (std::size_t i = 0; i < count; ++i) {
    const RotaryEmbedding& embedding = embeddings[i % embeddings.size()];
    const std::int64_t position = picture.positions[i / embeddings.size()];
    plot::Panel panel = dense ? dense_panel(embedding, position) : pairs_panel(embedding, position);
    const std::string place = fmt::format("m = {}", position);
    panel.title = plot::Text::plain(
        picture.beside ? fmt::format("layout {}, {}", name(embedding.layout), place) : place);
    // The outer panels name the axes of all.
    if (i + figure.columns < count) panel.x.label = {};
    if (i % figure.columns != 0) panel.y.label = {};
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

}  // namespace rope
