#include "matrix/report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rope/rotary/rotation_matrix.hpp"
#include "rope/words/embedding_text.hpp"
#include "shown/pair_tables.hpp"

namespace rope::app {
namespace {

constexpr std::size_t kMostPositions = 8;  // in a report to people
constexpr Eigen::Index kMostDenseColumns = 8;

/// The columns that each 2×2 block stands in; a dimension that is not rotated is one of its own.
std::vector<std::vector<std::size_t>> columns_of_blocks(const RotaryEmbedding& embedding) {
  std::vector<std::vector<std::size_t>> blocks;
  for (std::size_t k = 0; k < embedding.pairs(); ++k) {
    const auto [first, second] = pair_dimensions(embedding.layout, k, embedding.rotary_dim());
    blocks.push_back({first, second});
  }
  for (std::size_t i = embedding.rotary_dim(); i < embedding.head_dim; ++i) blocks.push_back({i});
  return blocks;
}

Table dense_table(const MatrixStudy& study, std::int64_t position) {
  const Eigen::MatrixXd matrix = rotation_matrix(study.embedding, position);
  Table table(std::vector<Table::Column>(static_cast<std::size_t>(matrix.cols())));
  for (Eigen::Index row = 0; row < matrix.rows(); ++row) {
    std::vector<std::string> cells;
    for (Eigen::Index column = 0; column < matrix.cols(); ++column)
      cells.push_back(six_digits(matrix(row, column)));
    table.add_row(std::move(cells));
  }
  table.keep_together(columns_of_blocks(study.embedding));
  return table;
}

std::string where(const MatrixStudy& study, const PropertyResult& property) {
  if (study.positions.size() <= (property.n ? 2 : 1)) return {};
  return property.n ? fmt::format("at m = {}, n = {}", property.m, *property.n)
                    : fmt::format("at m = {}", property.m);
}

Table properties_table(const MatrixStudy& study, const Console& console) {
  Table table({{"2-norms", Table::Align::left},
               {study.positions.size() > 1 ? "largest" : "measured"},
               {"allowed"},
               {""},
               {"", Table::Align::left}});
  for (const PropertyResult& property : study.properties) {
    const bool passed = !property.check.violated();
    table.add_row({property.formula, six_digits(property.check.error),
                   six_digits(property.check.bound),
                   console.paint(passed ? Ink::good : Ink::bad, passed ? "ok" : "FAIL"),
                   where(study, property)});
  }
  return table;
}

/// What the properties say of the matrices.
void print_answer(const MatrixStudy& study, const Console& console) {
  const double factor = study.embedding.attention_factor;
  const std::string name = factor == 1 ? "R_m" : fmt::format("R_m/A (A = {:.6g})", factor);
  const bool passed = std::ranges::all_of(
      study.properties, [](const PropertyResult& property) { return !property.check.violated(); });
  if (!passed) {
    console.say(console.paint(Ink::bad, name + " is not the rotation that it should be."));
    return;
  }
  const bool pairs = std::ranges::any_of(
      study.properties, [](const PropertyResult& property) { return property.n.has_value(); });
  console.say(console.paint(
      Ink::strong, fmt::format("{} is a rotation matrix, to rounding: its columns are orthonormal, "
                               "its determinant is 1{}.",
                               name, pairs ? ", and R_mᵀR_n is R_{n−m}" : "")));
}

}  // namespace

void print_matrix(const MatrixStudy& study, bool details, const Console& console) {
  print_answer(study, console);
  const bool dense = study.form == MatrixForm::dense &&
                     study.embedding.head_dim <= static_cast<std::size_t>(kMostDenseColumns);
  const std::size_t most = dense || details ? kMostPositions : 1;
  const std::size_t shown = std::min(most, study.positions.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const std::int64_t position = study.positions[i];
    console.print("\n");
    console.say(console.paint(
        Ink::strong, fmt::format("R_m at m = {} ({})", position, describe(study.embedding))));
    if (dense)
      console.print(dense_table(study, position));
    else
      print_pairs(pairs_at(study.embedding, position), {}, details, console);
  }
  if (study.form == MatrixForm::dense && !dense)
    console.say(fmt::format("A matrix above d = {} is shown by its pairs: -o FILE writes it whole.",
                            kMostDenseColumns));
  if (shown < study.positions.size())
    console.say(fmt::format("{} not shown: -o FILE writes all.",
                            study.positions.size() - shown == 1
                                ? "One position is"
                                : fmt::format("{} positions are", study.positions.size() - shown)));
  console.print("\n");
  console.print(properties_table(study, console));
}

}  // namespace rope::app
