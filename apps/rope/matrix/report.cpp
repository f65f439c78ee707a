#include "matrix/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "named/rotary_text.hpp"
#include "rope/error.hpp"
#include "rope/rotary/rotation_matrix.hpp"
#include "rope/rotary/turns_kernel.hpp"
#include "shown/pair_columns.hpp"

namespace rope::app {
namespace {

constexpr std::size_t kMostPositions = 8;  // in a report to people
constexpr Eigen::Index kMostDenseColumns = 8;
constexpr std::size_t kMostPairs = 8;
constexpr std::size_t kMaxPictureDim = 1024;
constexpr std::size_t kMaxPicturePanels = 64;

std::string dense_table(const MatrixStudy& study, std::int64_t position) {
  const Eigen::MatrixXd matrix = rotation_matrix(study.embedding, position);
  Table table(std::vector<Table::Column>(static_cast<std::size_t>(matrix.cols())));
  for (Eigen::Index row = 0; row < matrix.rows(); ++row) {
    std::vector<std::string> cells;
    for (Eigen::Index column = 0; column < matrix.cols(); ++column)
      cells.push_back(six_digits(matrix(row, column)));
    table.add_row(std::move(cells));
  }
  return table.text();
}

std::string where(const MatrixStudy& study, const PropertyResult& property) {
  if (study.positions.size() <= (property.n ? 2 : 1)) return {};
  return property.n ? fmt::format("largest, at m = {}, n = {}", property.m, *property.n)
                    : fmt::format("largest, at m = {}", property.m);
}

std::string properties_table(const MatrixStudy& study, const Console& console) {
  Table table({{"", Table::Align::left}, {""}, {""}, {""}, {""}, {"", Table::Align::left}});
  for (const PropertyResult& property : study.properties) {
    const bool passed = property.check.passed();
    table.add_row({property.formula, six_digits(property.check.value),
                   "<=", six_digits(property.check.bound),
                   console.paint(passed ? Ink::good : Ink::bad, passed ? "ok" : "FAIL"),
                   where(study, property)});
  }
  return table.text();
}

/// In how many columns square panels are largest: a picture is wider than high.
std::size_t columns_of_squares(std::size_t count) {
  constexpr double kWidth = 1400, kHeight = 880;   // what is left of 1600x1000 for the panels
  constexpr double kBeside = 100, kBetween = 100;  // numbers, titles and labels of each
  std::size_t best = 1;
  double largest = 0;
  for (std::size_t columns = 1; columns <= count; ++columns) {
    const std::size_t rows = (count + columns - 1) / columns;
    const double side = std::min(kWidth / static_cast<double>(columns) - kBeside,
                                 kHeight / static_cast<double>(rows) - kBetween);
    if (side <= largest && columns > 1) continue;
    largest = side;
    best = columns;
  }
  return best;
}

plot::Panel dense_panel(const MatrixStudy& study, std::int64_t position) {
  const RowMatrix matrix = rotation_matrix(study.embedding, position);
  plot::Panel panel;
  panel.x.label = plot::Text::plain("column");
  panel.y.label = plot::Text::plain("row");
  plot::HeatMap map;
  map.rows = map.columns = study.embedding.head_dim;
  map.values.assign(matrix.data(), matrix.data() + matrix.size());
  map.min = -1;
  map.max = 1;
  panel.heat_map = std::move(map);
  return panel;
}

plot::Panel pairs_panel(const MatrixStudy& study, std::int64_t position) {
  const RotationRow row = rotation_row(study.embedding, position);
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

Columns pairs_at(const RotaryEmbedding& embedding, std::int64_t position) {
  const std::vector<std::int64_t> positions(embedding.pairs(), position);
  const RotationRow row = rotation_row(embedding, position);
  Columns columns = pair_columns(embedding.frequencies);
  columns.insert(columns.begin(), file_column("position", positions));
  columns.push_back(
      column("angle", "angle (rad)", reduced_angles(embedding.frequencies, position)));
  columns.push_back(column("cos", "cos", row.cos));
  columns.push_back(column("sin", "sin", row.sin));
  return columns;
}

std::string matrix_report(const MatrixStudy& study, const Console& console) {
  const bool dense = study.form == MatrixForm::dense &&
                     study.embedding.head_dim <= static_cast<std::size_t>(kMostDenseColumns);
  std::string text;
  for (std::size_t i = 0; i < std::min(kMostPositions, study.positions.size()); ++i) {
    const std::int64_t position = study.positions[i];
    const std::string heading =
        fmt::format("R_m at m = {} ({})", position, describe(study.embedding));
    text += console.paint(Ink::strong, heading) + "\n";
    text += dense ? dense_table(study, position)
                  : pair_table(pairs_at(study.embedding, position), kMostPairs,
                               "--form pairs -o - --format csv");
    text += "\n";
  }
  if (study.form == MatrixForm::dense && !dense)
    text += fmt::format(
        "A dense matrix above d = {} is shown by its pairs: -o FILE writes it whole\n\n",
        kMostDenseColumns);
  if (study.positions.size() > kMostPositions)
    text += fmt::format("{} positions are left out: -o FILE writes all\n\n",
                        study.positions.size() - kMostPositions);
  const double factor = study.embedding.attention_factor;
  const std::string heading = factor == 1
                                  ? std::string("Properties (2-norms)")
                                  : fmt::format("Properties (2-norms) of R/A, A = {:.6g}", factor);
  return text + console.paint(Ink::strong, heading) + "\n" + properties_table(study, console);
}

void check_picture(const MatrixStudy& study) {
  if (study.positions.size() > kMaxPicturePanels)
    throw ShapeError(fmt::format("--positions: expected at most {} positions for a picture, got {}",
                                 kMaxPicturePanels, study.positions.size()),
                     "Write csv or npy instead.");
  if (study.form == MatrixForm::dense && study.embedding.head_dim > kMaxPictureDim)
    throw ShapeError(fmt::format("--dim: expected at most {} for a picture of the matrix, got {}",
                                 kMaxPictureDim, study.embedding.head_dim),
                     "Draw the cosines and sines with --form pairs.");
}

plot::Figure matrix_figure(const MatrixStudy& study) {
  check_picture(study);
  plot::Figure figure;
  figure.title = plot::Text::plain(
      study.form == MatrixForm::dense ? "Rotation matrix" : "Cosine and sine of every pair");
  figure.subtitle = plot::Text::plain(describe(study.embedding));
  const std::size_t count = study.positions.size();
  figure.columns = study.form == MatrixForm::dense
                       ? columns_of_squares(count)
                       : static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(count))));
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t position = study.positions[i];
    plot::Panel panel = study.form == MatrixForm::dense ? dense_panel(study, position)
                                                        : pairs_panel(study, position);
    panel.title = plot::Text::plain(fmt::format("m = {}", position));
    // The outer panels name the axes of all.
    if (i + figure.columns < count) panel.x.label = {};
    if (i % figure.columns != 0) panel.y.label = {};
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

}  // namespace rope::app
