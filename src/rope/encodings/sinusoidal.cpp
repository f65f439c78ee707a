#include "rope/encodings/sinusoidal.hpp"

#include <array>
#include <cmath>
#include <numeric>

#include "rope/error.hpp"
#include "rope/rotary/exact_real.hpp"
#include "rope/rotary/unseen_angles.hpp"

namespace rope {
namespace {

struct FormName {
  SinusoidalForm form;
  std::string_view name;
};
constexpr std::array<FormName, 3> kForms = {{{SinusoidalForm::interleaved, "interleaved"},
                                             {SinusoidalForm::blocks, "blocks"},
                                             {SinusoidalForm::blocks_to_end, "blocks-to-end"}}};

Frequencies sinusoidal_frequencies(std::size_t dim, double base, SinusoidalForm form) {
  const bool to_end = form == SinusoidalForm::blocks_to_end;
  const std::size_t least = to_end ? 2 : 1;
  if (dim < least || dim > kMaxRotaryDim)
    throw ShapeError("sinusoidal: expected a size from " + std::to_string(least) + " to " +
                         std::to_string(kMaxRotaryDim) + ", got " + std::to_string(dim),
                     to_end ? "Wavelengths to the end need a sine and a cosine at least." : "");
  if (!(base > 0) || !std::isfinite(base))
    throw DomainError("base: expected a finite number above 0, got " + number_text(base));
  if (!to_end) return round_frequencies(exact_geometric(ExactReal(base), dim));
  // base^(−i/(h−1)), i = 0 … h−1: a geometric family of "size" 2(h−1), and its last member.
  const std::size_t half = dim / 2;
  if (half == 1) return round_frequencies(std::array{ExactReal(1)});
  std::vector<ExactReal> omega = exact_geometric(ExactReal(base), 2 * (half - 1));
  omega.push_back(1 / ExactReal(base));
  return round_frequencies(omega);
}

}  // namespace

std::string_view name(SinusoidalForm form) {
  for (const FormName& known : kForms)
    if (known.form == form) return known.name;
  return {};
}

std::optional<SinusoidalForm> sinusoidal_form(std::string_view name) {
  for (const FormName& known : kForms)
    if (known.name == name) return known.form;
  return std::nullopt;
}

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

}  // namespace rope
