#include "matrix/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rope/error.hpp"
#include "rope/pictures/embedding_text.hpp"
#include "rope/rotary/rotation_matrix.hpp"
#include "rope/rotary/turns_kernel.hpp"
#include "shown/pair_columns.hpp"

namespace rope::app {
namespace {

constexpr std::size_t kMostPositions = 8;  // in a report to people
constexpr Eigen::Index kMostDenseColumns = 8;

Table dense_table(const MatrixStudy& study, std::int64_t position) {
  const Eigen::MatrixXd matrix = rotation_matrix(study.embedding, position);
  Table table(std::vector<Table::Column>(static_cast<std::size_t>(matrix.cols())));
  for (Eigen::Index row = 0; row < matrix.rows(); ++row) {
    std::vector<std::string> cells;
    for (Eigen::Index column = 0; column < matrix.cols(); ++column)
      cells.push_back(six_digits(matrix(row, column)));
    table.add_row(std::move(cells));
  }
  return table;
}

std::string where(const MatrixStudy& study, const PropertyResult& property) {
  if (study.positions.size() <= (property.n ? 2 : 1)) return {};
  return property.n ? fmt::format("largest, at m = {}, n = {}", property.m, *property.n)
                    : fmt::format("largest, at m = {}", property.m);
}

Table properties_table(const MatrixStudy& study, const Console& console) {
  Table table({{"", Table::Align::left}, {""}, {""}, {""}, {""}, {"", Table::Align::left}});
  for (const PropertyResult& property : study.properties) {
    const bool passed = property.check.passed();
    table.add_row({property.formula, six_digits(property.check.value),
                   "<=", six_digits(property.check.bound),
                   console.paint(passed ? Ink::good : Ink::bad, passed ? "ok" : "FAIL"),
                   where(study, property)});
  }
  return table;
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

void print_matrix(const MatrixStudy& study, bool details, const Console& console) {
  const bool dense = study.form == MatrixForm::dense &&
                     study.embedding.head_dim <= static_cast<std::size_t>(kMostDenseColumns);
  for (std::size_t i = 0; i < std::min(kMostPositions, study.positions.size()); ++i) {
    const std::int64_t position = study.positions[i];
    console.say(console.paint(
        Ink::strong, fmt::format("R_m at m = {} ({})", position, describe(study.embedding))));
    if (dense)
      console.print(dense_table(study, position));
    else
      print_pairs(pairs_at(study.embedding, position), {}, details, console);
    console.print("\n");
  }
  if (study.form == MatrixForm::dense && !dense)
    console.say(
        fmt::format("A matrix above d = {} is shown by its pairs: -o FILE writes it whole.\n",
                    kMostDenseColumns));
  if (study.positions.size() > kMostPositions)
    console.say(fmt::format("{} positions are left out: -o FILE writes all.\n",
                            study.positions.size() - kMostPositions));
  const double factor = study.embedding.attention_factor;
  console.say(console.paint(
      Ink::strong, factor == 1 ? std::string("Properties (2-norms)")
                               : fmt::format("Properties (2-norms) of R/A, A = {:.6g}", factor)));
  console.print(properties_table(study, console));
}

}  // namespace rope::app
