#include "rope/diagnose/positions/decoder.hpp"

#include <algorithm>
#include <cmath>

#include "rope/diagnose/frequencies/recognise.hpp"

namespace rope {

Decoder::Decoder(const MeasuredAngles& angles, std::span<const std::size_t> pairs,
                 const Spectrum& spectrum, const Search& search, std::int64_t farthest)
    : angles_(angles), rounding_(search.repeated ? 0x1p-21 : search.angle_rounding) {
  const KnownRates all = rates_of(spectrum);
  for (const std::size_t pair : pairs) {
    const double factors =
        search.repeated ? 4 * static_cast<double>(spectrum.frequency_of(pair)) * 0x1p-24 : 0;
    rates_.rate.push_back(all.rate[pair]);
    rates_.error.push_back(all.error[pair] + factors * std::abs(all.rate[pair]));
  }
  const auto tokens = static_cast<std::int64_t>(angles.tokens);
  farthest_ = pairs.size() < 4 ? std::max<std::int64_t>(4 * tokens, 4096) : farthest;
}

std::optional<std::int64_t> Decoder::position(std::size_t token,
                                              std::optional<std::int64_t> before) const {
  if (before)
    for (const std::int64_t step : {1, 0})
      if (fits(token, *before + step)) return *before + step;
  const FoundPosition found = positions(token);
  return found.candidates == 1 ? found.position : std::nullopt;
}

FoundPosition Decoder::positions(std::size_t token) const {
  const std::span<const double> turns(angles_.turns.data() + token * angles_.pairs, angles_.pairs);
  const std::span<const double> errors(angles_.error.data() + token * angles_.pairs, angles_.pairs);
  return find_position(rates_, turns, errors, rounding_, -farthest_, farthest_);
}

std::int64_t Decoder::closest(std::size_t token, std::int64_t start) const {
  double toward = 0, weight = 0;
  for (std::size_t k = 0; k < angles_.pairs; ++k) {
    const double error = angles_.uncertainty(token, k);
    if (!std::isfinite(error) || !(error > 0)) continue;
    const double rate = rates_.rate[k] / error;
    toward +=
        rate *
        wrapped(angles_.turn(token, k) - wrapped(rates_.rate[k] * static_cast<double>(start))) /
        error;
    weight += rate * rate;
  }
  return weight > 0 ? start + std::llround(toward / weight) : start;
}

bool Decoder::fits(std::size_t token, std::int64_t position) const {
  const auto distance = static_cast<double>(position);
  for (std::size_t k = 0; k < angles_.pairs; ++k) {
    const double angle = distance * rates_.rate[k];
    const double slack = angles_.uncertainty(token, k) + rounding_ * std::abs(angle) +
                         rates_.error[k] * std::abs(distance);
    if (std::abs(wrapped(angles_.turn(token, k) - wrapped(angle))) > slack) return false;
  }
  return true;
}

}  // namespace rope
