#include "rope/documents/matrix.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "rope/documents/embedding.hpp"
#include "rope/documents/pairs.hpp"
#include "rope/documents/rows.hpp"
#include "rope/io/csv.hpp"
#include "rope/io/npy.hpp"
#include "rope/rotary/rotation_matrix.hpp"

namespace rope {
namespace {

constexpr std::size_t kMaxWholeTexDim = 16;

std::string dense_csv(const MatrixStudy& study) {
  const std::size_t dim = study.embedding.head_dim;
  std::vector<std::int64_t> positions, rows;
  std::vector<std::vector<double>> cells(dim);
  for (const std::int64_t position : study.positions) {
    const Eigen::MatrixXd matrix = rotation_matrix(study.embedding, position);
    for (Eigen::Index row = 0; row < matrix.rows(); ++row) {
      positions.push_back(position);
      rows.push_back(row);
    }
    for (std::size_t c = 0; c < dim; ++c) {
      const double* const column = matrix.data() + c * dim;  // stored column after column
      cells[c].insert(cells[c].end(), column, column + dim);
    }
  }
  std::vector<io::CsvColumn> columns = {{"position", std::move(positions)},
                                        {"row", std::move(rows)}};
  for (std::size_t c = 0; c < dim; ++c)
    columns.push_back({fmt::format("c{}", c), std::move(cells[c])});
  return io::to_csv(columns);
}

/// The pairs at every position, one position below the other.
std::string pairs_csv(const MatrixStudy& study) {
  Columns all = pairs_at(study.embedding, study.positions.front());
  for (std::size_t i = 1; i < study.positions.size(); ++i)
    append_rows(all, pairs_at(study.embedding, study.positions[i]));
  return csv_text(all);
}

io::JsonValue dense_json(const RotaryEmbedding& embedding, std::int64_t position) {
  const RowMatrix matrix = rotation_matrix(embedding, position);
  std::vector<std::vector<double>> rows;
  for (const auto& row : matrix.rowwise()) rows.emplace_back(row.begin(), row.end());
  return rows;
}

io::JsonValue check_json(const PropertyResult& property) {
  io::JsonValue check = {{"name", property.name},
                         {"value", property.check.error},
                         {"bound", property.check.bound},
                         {"passed", !property.check.violated()},
                         {"m", property.m}};
  if (property.n) check.add("n", *property.n);
  return check;
}

/// A number in LaTeX: 1.2e-05 becomes 1.2 \times 10^{-5}.
std::string tex_number(double value) {
  std::string text = six_digits(value);
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return text;
  return fmt::format(R"({} \times 10^{{{}}})", text.substr(0, e), std::stoi(text.substr(e + 1)));
}

/// The whole matrix, or its corners with dots between.
std::string dense_tex(const MatrixStudy& study, std::int64_t position) {
  const Eigen::MatrixXd matrix = rotation_matrix(study.embedding, position);
  const ShownRows shown = shown_rows(
      study.embedding.head_dim, study.embedding.head_dim <= kMaxWholeTexDim ? kMaxWholeTexDim : 8);
  const auto line = [&](auto cell, const char* dots) {
    std::string text;
    for (std::size_t i = 0; i < shown.rows.size(); ++i) {
      if (i > 0) text += " & ";
      if (shown.gap_before(i)) text += std::string(dots) + " & ";
      text += cell(static_cast<Eigen::Index>(shown.rows[i]));
    }
    return text + " \\\\\n";
  };
  std::string text = fmt::format("R_{{{}}} =\n\\begin{{bmatrix}}\n", position);
  for (std::size_t i = 0; i < shown.rows.size(); ++i) {
    if (shown.gap_before(i))
      text += line([](Eigen::Index) { return std::string(R"(\vdots)"); }, R"(\ddots)");
    const auto row = static_cast<Eigen::Index>(shown.rows[i]);
    text += line([&](Eigen::Index column) { return tex_number(matrix(row, column)); }, R"(\cdots)");
  }
  return text + "\\end{bmatrix}\n";
}

std::string pairs_tex(const MatrixStudy& study, std::int64_t position) {
  const RotationRow row = rotation_row(study.embedding, position);
  const Frequencies& frequencies = study.embedding.frequencies;
  const std::vector<double> angles = reduced_angles(frequencies, position);
  std::string text = fmt::format(
      "% position m = {}; the angle is reduced to one turn\n\\begin{{tabular}}{{rrrrrr}}\n"
      "$i$ & $\\theta_i$ & $\\lambda_i$ & $m\\theta_i$ & $\\cos m\\theta_i$ & $\\sin m\\theta_i$ "
      "\\\\\n\\hline\n",
      position);
  for (std::size_t k = 0; k < frequencies.pairs(); ++k) {
    const bool turns = std::isfinite(frequencies.wavelength[k]);
    text += fmt::format("{} & ${}$ & ${}$ & ${}$ & ${}$ & ${}$ \\\\\n", k,
                        tex_number(frequencies.theta[k]),
                        turns ? tex_number(frequencies.wavelength[k]) : R"(\infty)",
                        tex_number(angles[k]), tex_number(row.cos[k]), tex_number(row.sin[k]));
  }
  return text + "\\end{tabular}\n";
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

std::string matrix_csv(const MatrixStudy& study) {
  return study.form == MatrixForm::dense ? dense_csv(study) : pairs_csv(study);
}

std::string matrix_npy(const MatrixStudy& study) {
  std::vector<double> values;
  for (const std::int64_t position : study.positions) {
    if (study.form == MatrixForm::dense) {
      const RowMatrix matrix = rotation_matrix(study.embedding, position);
      values.insert(values.end(), matrix.data(), matrix.data() + matrix.size());
      continue;
    }
    const RotationRow row = rotation_row(study.embedding, position);
    for (std::size_t k = 0; k < row.cos.size(); ++k) {
      values.push_back(row.cos[k]);
      values.push_back(row.sin[k]);
    }
  }
  const RotaryEmbedding& embedding = study.embedding;
  std::vector<std::size_t> shape = {embedding.head_dim, embedding.head_dim};
  if (study.form == MatrixForm::pairs) shape = {embedding.pairs(), 2};
  if (study.positions.size() > 1) shape.insert(shape.begin(), study.positions.size());
  return io::to_npy(shape, values);
}

std::string matrix_json(const MatrixStudy& study) {
  const bool dense = study.form == MatrixForm::dense;
  return io::JsonValue{{"schema", "rope.matrix/2"},
                       {"rotary", rotary_json(study.embedding)},
                       {"positions", study.positions},
                       {dense ? "matrices" : "pairs",
                        io::json_list(study.positions,
                                      [&](std::int64_t position) {
                                        return dense
                                                   ? dense_json(study.embedding, position)
                                                   : json_rows(pairs_at(study.embedding, position));
                                      })},
                       {"checks", io::json_list(study.properties, check_json)}}
      .document();
}

std::string matrix_tex(const MatrixStudy& study) {
  std::string text;
  for (const std::int64_t position : study.positions)
    text +=
        study.form == MatrixForm::dense ? dense_tex(study, position) : pairs_tex(study, position);
  return text;
}

}  // namespace rope
