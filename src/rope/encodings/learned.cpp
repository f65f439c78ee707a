#include "rope/encodings/learned.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "rope/encodings/additive.hpp"
#include "rope/encodings/encoding.hpp"
#include "rope/encodings/untrained.hpp"
#include "rope/error.hpp"

namespace rope {

LearnedTable::LearnedTable(RowMatrix rows) : rows_(std::move(rows)) {
  if (rows_.size() == 0)
    throw ShapeError(Subject{"learned"}, "expected at least one position, got none");
  for (Eigen::Index i = 0; i < rows_.rows(); ++i)
    largest_norm_ = std::max(largest_norm_, norm(row_of(rows_, i)));
  largest_norm_ *= 1 + dot_error(dim());
}

std::size_t LearnedTable::dim() const { return static_cast<std::size_t>(rows_.cols()); }

std::vector<double> LearnedTable::row(std::int64_t position) const {
  if (position < 0 || position >= rows_.rows())
    throw DomainError(Subject{"learned"},
                      "expected a position from 0 to " + std::to_string(rows_.rows() - 1) +
                          ", got " + std::to_string(position),
                      "A learned table has no row beyond the positions it was trained on.");
  const std::span<const double> found = row_of(rows_, position);
  return {found.begin(), found.end()};
}

double LearnedTable::unseen_share(std::int64_t trained, std::int64_t length) const {
  check_lengths(trained, length);
  return length > trained ? 1 : 0;
}

double LearnedTable::parameters(std::int64_t positions, double columns) const {
  return static_cast<double>(positions) * columns;
}

extern constinit const EncodingEntry learned_encoding = {
    .name = "learned",
    .title = "learned",
    .make = [](const ParameterValues& /*values*/, const EncodingContext& context) {
      return untrained_additive(
          context, std::make_shared<LearnedTable>(
                       untrained_rows(context, context.learned_rows.value_or(context.trained),
                                      std::sqrt(0.5), Untrained::rows)));
    }};

}  // namespace rope
