#include "rope/encodings/sinusoidal.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "rope/encodings/additive.hpp"
#include "rope/encodings/encodings.hpp"
#include "rope/encodings/vectors.hpp"
#include "rope/error.hpp"
#include "rope/rotary/exact_real.hpp"
#include "rope/rotary/unseen_angles.hpp"

namespace rope {
namespace {

constexpr std::array<std::string_view, 3> kForms = {"interleaved", "blocks", "blocks-to-end"};
constexpr std::array<Parameter, 1> kSinusoidalParameters = {
    {{.name = "form",
      .meaning = "order of the columns; blocks-to-end has wavelengths up to 2 pi b",
      .domain = ParameterDomain::choice,
      .standard = 0,
      .choices = kForms}}};

Frequencies sinusoidal_frequencies(std::size_t dim, double base, SinusoidalForm form) {
  const bool to_end = form == SinusoidalForm::blocks_to_end;
  const std::size_t least = to_end ? 2 : 1;
  if (dim < least || dim > kMaxRotaryDim)
    throw ShapeError(
        Subject{"sinusoidal"},
        "expected a size from " + std::to_string(least) + " to " + std::to_string(kMaxRotaryDim) +
            ", got " + std::to_string(dim),
        to_end ? "The form blocks-to-end needs at least one sine and one cosine." : "");
  if (!(base > 0) || !std::isfinite(base))
    throw DomainError(Subject{"base"},
                      "expected a finite number above 0, got " + number_text(base));
  if (!to_end) return round_frequencies(exact_geometric(ExactReal(base), dim));
  // base^(−i/(h−1)), i = 0 … h−1: a geometric family of "size" 2(h−1), and its last member.
  const std::size_t half = dim / 2;
  if (half == 1) return round_frequencies(std::array{ExactReal(1)});
  std::vector<ExactReal> omega = exact_geometric(ExactReal(base), 2 * (half - 1));
  omega.push_back(1 / ExactReal(base));
  return round_frequencies(omega);
}

}  // namespace

SinusoidalTable::SinusoidalTable(std::size_t dim, double base, SinusoidalForm form)
    : dim_(dim), form_(form), frequencies_(sinusoidal_frequencies(dim, base, form)) {}

std::vector<double> SinusoidalTable::row(std::int64_t position) const {
  const std::size_t waves = frequencies_.pairs();
  std::vector<double> row(dim_, 0.0);
  for (std::size_t i = 0; i < waves; ++i) {
    const CosSin wave = cos_sin(position * frequencies_.turns[i]);
    const bool blocks = form_ != SinusoidalForm::interleaved;
    const std::size_t sine = blocks ? i : 2 * i;
    const std::size_t cosine = blocks ? waves + i : 2 * i + 1;
    row[sine] = wave.sin;
    if (cosine < dim_) row[cosine] = wave.cos;  // an odd size has no place for the last one
  }
  return row;
}

double SinusoidalTable::largest_norm() const {
  return std::sqrt(static_cast<double>(frequencies_.pairs())) * (1 + 4 * entry_error());
}

double SinusoidalTable::entry_error() const { return kCosSinError; }

double SinusoidalTable::unseen_share(std::int64_t trained, std::int64_t length) const {
  const std::vector<double> unseen =
      angle_coverage(frequencies_, frequencies_, trained, length).unseen;
  return std::accumulate(unseen.begin(), unseen.end(), 0.0) / static_cast<double>(unseen.size());
}

double SinusoidalTable::parameters(std::int64_t /*positions*/, double /*columns*/) const {
  return 0;
}

double SinusoidalTable::spread(std::int64_t reach, std::span<const std::int64_t> shifts) const {
  double spread = 0;
  for (std::int64_t distance = 0; distance <= reach; ++distance) {
    const double first = dot(row(0), row(distance));
    for (const std::int64_t shift : shifts)
      spread = std::max(spread, std::abs(dot(row(shift), row(shift + distance)) - first));
  }
  return spread;
}

std::string SinusoidalTable::remark(std::int64_t reach,
                                    std::span<const std::int64_t> shifts) const {
  const std::vector<double> first = row(0);
  return "p_m·p_n by itself is relative (spread " + rounded_text(spread(reach, shifts), 2) +
         ") and equals " + rounded_text(dot(first, row(reach)) / dot(first, first), 4) +
         " of p_m·p_m at a distance of " + std::to_string(reach) +
         " tokens; with W_Q, W_K and the contents, the score is no longer relative";
}

extern constinit const EncodingEntry sinusoidal_encoding = {
    .name = "sinusoidal",
    .title = "sinusoidal",
    .parameters = kSinusoidalParameters,
    .make = [](const ParameterValues& values, const EncodingContext& context) {
      const auto form = static_cast<SinusoidalForm>(values.whole("form"));
      return untrained_additive(
          context, std::make_shared<SinusoidalTable>(context.rotary.head_dim, context.base, form));
    }};

}  // namespace rope
