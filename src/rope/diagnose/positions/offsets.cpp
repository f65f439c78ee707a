#include "rope/diagnose/positions/offsets.hpp"

#include <algorithm>
#include <cmath>

#include "rope/diagnose/frequencies/recognise.hpp"
#include "rope/diagnose/frequencies/round_numbers.hpp"
#include "rope/diagnose/positions/find_position.hpp"
#include "rope/precision/largest.hpp"

namespace rope {
namespace {

constexpr int kBaseCells = 24;
constexpr double kWidened = 1.5;  // the cells reach beyond the interval of the base

/// Rates of which some pairs are ignored.
KnownRates silenced(KnownRates rates, const std::vector<bool>& silent) {
  for (std::size_t pair = 0; pair < silent.size(); ++pair)
    if (silent[pair]) rates.error[pair] = 1;
  return rates;
}

class OffsetSearch {
 public:
  OffsetSearch(const AngleLines& lines, double rounding)
      : origin_(lines.origin), rounding_(rounding) {
    for (const AngleLine& line : lines.lines) {
      turns_.push_back(line.reference);
      errors_.push_back(line.reference_error);
    }
  }

  void collect(const KnownRates& rates) {
    const FoundPosition found = find_position(rates, turns_, errors_, rounding_,
                                              origin_ - kFarthestOffset, origin_ + kFarthestOffset);
    // Where nearly every position fits, none is found.
    if (found.candidates > found.all.size()) return;
    for (const std::int64_t position : found.all) offsets_.push_back(position - origin_);
  }

  void collect_cells(const Spectrum& spectrum, const std::vector<bool>& silent) {
    for (int cell = 0; cell < kBaseCells; ++cell)
      collect(silenced(rates_of_base(spectrum, kWidened * ((cell + 0.5) / kBaseCells - 0.5),
                                     kWidened / kBaseCells),
                       silent));
  }

  const std::vector<std::int64_t>& offsets() const { return offsets_; }

  std::vector<std::int64_t> sorted() {
    std::sort(offsets_.begin(), offsets_.end(), [](std::int64_t a, std::int64_t b) {
      return std::abs(a) < std::abs(b) || (std::abs(a) == std::abs(b) && a < b);
    });
    offsets_.erase(std::unique(offsets_.begin(), offsets_.end()), offsets_.end());
    return offsets_;
  }

 private:
  std::int64_t origin_;
  double rounding_;
  std::vector<double> turns_, errors_;
  std::vector<std::int64_t> offsets_;
};

}  // namespace

double width_of_base(const Spectrum& spectrum) {
  if (!(spectrum.base_low > 0) || !std::isfinite(spectrum.base_high)) return HUGE_VAL;
  return std::log(spectrum.base_high / spectrum.base_low);
}

KnownRates rates_of_base(const Spectrum& spectrum, double shift, double part) {
  KnownRates rates = rates_of(spectrum);
  const double width = width_of_base(spectrum);
  if (!std::isfinite(width)) return rates;
  const double middle = std::sqrt(spectrum.base_low) * std::sqrt(spectrum.base_high);
  const double moved = std::log(middle / *spectrum.embedding.base) + shift * width;
  const auto pairs = static_cast<double>(rates.rate.size());
  for (std::size_t pair = 0; pair < rates.rate.size(); ++pair) {
    const double exponent = static_cast<double>(spectrum.frequency_of(pair)) / pairs;
    rates.rate[pair] *= std::exp(-exponent * moved);
    rates.error[pair] = std::abs(rates.rate[pair]) * (exponent * part * width / 2 + 0x1p-52);
  }
  return rates;
}

std::vector<std::int64_t> find_offsets(const Spectrum& spectrum, const AngleLines& lines,
                                       double rounding, bool cells) {
  OffsetSearch search(lines, rounding);
  search.collect(rates_of(spectrum));
  const double width = width_of_base(spectrum);
  const bool by_cells = cells && spectrum.recognised && width > 0 && std::isfinite(width);
  if (by_cells) search.collect_cells(spectrum, {});
  if (cells && search.offsets().empty()) {
    // A rule that is not visible over so few tokens may slow the slow pairs: use only the others.
    std::vector<bool> silent;
    for (const AngleLine& line : lines.lines)
      silent.push_back(!(std::abs(line.rate) > 16 * line.rate_error));
    search.collect(silenced(rates_of(spectrum), silent));
    if (by_cells && search.offsets().empty()) search.collect_cells(spectrum, silent);
  }
  return search.sorted();
}

std::vector<std::int64_t> find_offsets(const FastSpectrum& fast, const AngleLines& lines,
                                       double rounding) {
  std::vector<bool> silent;
  for (std::size_t pair = 0; pair < lines.lines.size(); ++pair)
    silent.push_back(fast.spectrum.frequency_of(pair) >= fast.count);
  OffsetSearch search(lines, rounding);
  search.collect_cells(fast.spectrum, silent);
  return search.sorted();
}

bool fits_by_chance(const AngleLines& lines, std::size_t fitted) {
  std::vector<double> allowed;
  for (const AngleLine& line : lines.lines)
    allowed.push_back(smaller(1.0, 2 * line.reference_error + 1e-15));
  std::sort(allowed.begin(), allowed.end());
  double expected = 2.0 * static_cast<double>(kFarthestOffset) * kBaseCells;
  for (std::size_t i = std::min<std::size_t>(fitted, allowed.size()); i < allowed.size(); ++i)
    expected *= allowed[i];
  return expected > 1e-3;
}

bool factor_admits_others(const Spectrum& free, const Spectrum& found, std::int64_t position) {
  if (!found.recognised || found.embedding.scaling.rule != "linear" ||
      is_round(found.embedding.scaling.numbers.at("factor")))
    return false;
  return std::log(free.divisor_high / free.divisor_low) * std::abs(static_cast<double>(position)) >=
         2;
}

std::size_t fitted_numbers(const Spectrum& spectrum) {
  if (!spectrum.recognised) return 0;
  const std::string& rule = spectrum.embedding.scaling.rule;
  const std::size_t of_rule = rule == "default" ? 0 : rule == "linear" ? 1 : 2;
  const std::optional<double>& base = spectrum.embedding.base;
  return of_rule + (base && !is_round(*base) ? 1 : 0);
}

}  // namespace rope
