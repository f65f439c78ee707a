// The files that `rope matrix` writes: csv, npy, json and LaTeX.

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "matrix/report.hpp"
#include "named/rotary_options.hpp"
#include "rope/io/csv.hpp"
#include "rope/io/json.hpp"
#include "rope/io/npy.hpp"
#include "rope/rotary/rotation_matrix.hpp"
#include "shown/rotary_json.hpp"
#include "shown/table.hpp"

namespace rope::app {
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

std::string pairs_csv(const MatrixStudy& study) {
  const Frequencies& frequencies = study.embedding.frequencies;
  std::vector<std::int64_t> positions, pairs;
  std::vector<double> theta, wavelength, angle, cos, sin;
  const auto append = [](std::vector<double>& values, const std::vector<double>& more) {
    values.insert(values.end(), more.begin(), more.end());
  };
  for (const std::int64_t position : study.positions) {
    const RotationRow row = rotation_row(study.embedding, position);
    for (std::size_t k = 0; k < frequencies.pairs(); ++k) {
      positions.push_back(position);
      pairs.push_back(static_cast<std::int64_t>(k));
    }
    append(theta, frequencies.theta);
    append(wavelength, frequencies.wavelength);
    append(angle, reduced_angles(frequencies, position));
    append(cos, row.cos);
    append(sin, row.sin);
  }
  return io::to_csv({{"position", std::move(positions)},
                     {"pair", std::move(pairs)},
                     {"theta", std::move(theta)},
                     {"wavelength", std::move(wavelength)},
                     {"angle", std::move(angle)},
                     {"cos", std::move(cos)},
                     {"sin", std::move(sin)}});
}

io::Json dense_json(const RotaryEmbedding& embedding, std::int64_t position) {
  const Eigen::MatrixXd matrix = rotation_matrix(embedding, position);
  io::Json rows = io::Json::array();
  for (Eigen::Index row = 0; row < matrix.rows(); ++row) {
    io::Json cells = io::Json::array();
    for (Eigen::Index column = 0; column < matrix.cols(); ++column)
      cells.push_back(matrix(row, column));
    rows.push_back(std::move(cells));
  }
  return rows;
}

io::Json pairs_json(const RotaryEmbedding& embedding, std::int64_t position) {
  const RotationRow row = rotation_row(embedding, position);
  const std::vector<double> angles = reduced_angles(embedding.frequencies, position);
  io::Json pairs = io::Json::array();
  for (std::size_t k = 0; k < embedding.pairs(); ++k) {
    io::Json pair;
    pair["pair"] = k;
    pair["theta"] = embedding.frequencies.theta[k];
    pair["wavelength"] = embedding.frequencies.wavelength[k];
    pair["angle"] = angles[k];
    pair["cos"] = row.cos[k];
    pair["sin"] = row.sin[k];
    pairs.push_back(std::move(pair));
  }
  return pairs;
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
      if (i == shown.gap_after) text += std::string(dots) + " & ";
      text += cell(static_cast<Eigen::Index>(shown.rows[i]));
    }
    return text + " \\\\\n";
  };
  std::string text = fmt::format("R_{{{}}} =\n\\begin{{bmatrix}}\n", position);
  for (std::size_t i = 0; i < shown.rows.size(); ++i) {
    if (i == shown.gap_after)
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
      "$k$ & $\\theta_k$ & $\\lambda_k$ & $m\\theta_k$ & $\\cos m\\theta_k$ & $\\sin m\\theta_k$ "
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
  io::Json document;
  document["schema"] = "rope.matrix/1";
  document["rotary"] = rotary_json(study.embedding);
  document["positions"] = study.positions;
  io::Json& all = document[dense ? "matrices" : "pairs"] = io::Json::array();
  for (const std::int64_t position : study.positions)
    all.push_back(dense ? dense_json(study.embedding, position)
                        : pairs_json(study.embedding, position));
  document["checks"] = io::Json::array();
  for (const PropertyResult& property : study.properties) {
    io::Json check;
    check["name"] = property.name;
    check["value"] = property.check.value;
    check["bound"] = property.check.bound;
    check["passed"] = property.check.passed();
    check["m"] = property.m;
    if (property.n) check["n"] = *property.n;
    document["checks"].push_back(std::move(check));
  }
  return io::to_json_text(document);
}

std::string matrix_tex(const MatrixStudy& study) {
  std::string text;
  for (const std::int64_t position : study.positions)
    text +=
        study.form == MatrixForm::dense ? dense_tex(study, position) : pairs_tex(study, position);
  return text;
}

}  // namespace rope::app
