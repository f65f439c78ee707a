// Tables of cosines and sines instead of vectors.

#include <optional>
#include <string>
#include <utility>

#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/tensors.hpp"
#include "rope/error.hpp"

namespace rope {
namespace {

/// A table by token and column.
struct TableView {
  std::span<const double> values;
  std::size_t columns;
  double at(std::size_t token, std::size_t column) const {
    return values[token * columns + column];
  }
};

/// Whether every column equals column other(i), in both tables.
template <typename Other>
bool columns_repeat(const TableView& cos, const TableView& sin, std::size_t tokens, Other other) {
  for (std::size_t t = 0; t < tokens; ++t)
    for (std::size_t i = 0; i < cos.columns; ++i)
      if (cos.at(t, i) != cos.at(t, other(i)) || sin.at(t, i) != sin.at(t, other(i))) return false;
  return true;
}

/// A table is the vectors (1, 0, 1, 0, …) after rotation.
Diagnosis diagnose_pairs(std::size_t tokens, const TableView& cos, const TableView& sin,
                         TableColumns columns, const DiagnosisRequest& request) {
  const std::size_t pairs = columns == TableColumns::pairs ? cos.columns : cos.columns / 2;
  std::vector<double> x, y;
  for (std::size_t t = 0; t < tokens; ++t)
    for (std::size_t k = 0; k < pairs; ++k) {
      const std::size_t column = columns == TableColumns::interleaved ? 2 * k : k;
      x.insert(x.end(), {1, 0});
      y.insert(y.end(), {cos.at(t, column), sin.at(t, column)});
    }
  const RotatedTensors tensors{tokens, 1, 2 * pairs, std::move(x), std::move(y)};
  DiagnosisRequest of_pairs = request;
  of_pairs.arrangement = Arrangement{0, 2 * pairs, 0, 0};
  Diagnosis diagnosis = diagnose(tensors, of_pairs);
  for (Explanation& explanation : diagnosis.explanations) explanation.pairs_seen = false;
  return diagnosis;
}

}  // namespace

std::string_view name(TableColumns columns) {
  switch (columns) {
    case TableColumns::half:
      return "half";
    case TableColumns::interleaved:
      return "interleaved";
    case TableColumns::pairs:
      break;
  }
  return "pairs";
}

TableColumns table_columns(std::size_t tokens, std::span<const double> cos,
                           std::span<const double> sin) {
  const std::size_t columns = cos.size() / tokens, half = columns / 2;
  if (columns < 2 || columns % 2 != 0) return TableColumns::pairs;
  const TableView cosines{cos, columns}, sines{sin, columns};
  if (columns_repeat(cosines, sines, tokens, [=](std::size_t i) { return i % half; }))
    return TableColumns::half;
  if (columns_repeat(cosines, sines, tokens, [](std::size_t i) { return i - i % 2; }))
    return TableColumns::interleaved;
  return TableColumns::pairs;
}

TableDiagnosis diagnose_tables(std::size_t tokens, std::span<const double> cos,
                               std::span<const double> sin, const DiagnosisRequest& request) {
  if (tokens == 0 || cos.empty() || cos.size() != sin.size() || cos.size() % tokens != 0)
    throw ShapeError("tables: expected as many cosines as sines for " + std::to_string(tokens) +
                         " tokens, got " + std::to_string(cos.size()) + " and " +
                         std::to_string(sin.size()),
                     "Both tables must have one row per token.");
  const TableView cosines{cos, cos.size() / tokens}, sines{sin, cos.size() / tokens};
  TableDiagnosis result;
  result.columns = table_columns(tokens, cos, sin);
  result.diagnosis = diagnose_pairs(tokens, cosines, sines, result.columns, request);
  if (!result.diagnosis.explanations.empty()) return result;
  // The two tables may have been exchanged.
  const TableView &first = sines, &second = cosines;
  Diagnosis exchanged = diagnose_pairs(tokens, first, second, result.columns, request);
  if (!exchanged.explanations.empty() && exchanged.explanations.front().spectrum().recognised) {
    result.exchanged = true;
    result.diagnosis = std::move(exchanged);
  }
  return result;
}

}  // namespace rope
