// Bare frequencies instead of vectors.

#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <utility>

#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/frequencies/hidden_rules.hpp"
#include "rope/diagnose/frequencies/recognise.hpp"
#include "rope/error.hpp"
#include "rope/precision/largest.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/scaling/scaling.hpp"

namespace rope {
namespace {

/// Rounding error of a frequency that was computed in a format.
double frequency_slack(double theta, Format made_in) {
  const double slope = theta > 0 ? std::abs(std::log(theta)) : 0;
  return theta * limits(made_in).unit_roundoff * (16 + 2 * slope);
}

/// Compares frequencies with those of a spectrum, computed in one format and then rounded to
/// `storage`. Rounding is monotonic, so each number lies between the rounded ends of its interval.
Judgement compare(std::span<const double> theta, const Spectrum& spectrum, Format made_in,
                  Format storage) {
  Judgement judgement;
  for (std::size_t pair = 0; pair < theta.size(); ++pair) {
    const double known = spectrum.embedding.frequencies.theta[spectrum.frequency_of(pair)];
    const double found = spectrum.clockwise ? -theta[pair] : theta[pair];
    const double slack = frequency_slack(known, made_in);
    const double low = round_to(storage, known - slack), high = round_to(storage, known + slack);
    const double error = std::abs(found - known);
    const double bound = larger(std::abs(low - known), std::abs(high - known));
    ++judgement.elements;
    judgement.max_error = larger(judgement.max_error, error);
    if (!(found >= low && found <= high)) ++judgement.violations;
    if (judgement.elements == 1 || exceeds(error * judgement.bound, judgement.error * bound)) {
      judgement.error = error;
      judgement.bound = bound;
      judgement.dimension = pair;
    }
  }
  judgement.passed = judgement.violations == 0;
  return judgement;
}

/// The rate that becomes `theta` when computed in `made_in` and rounded to `storage`, as an
/// interval.
AngleLine line_of(double theta, Format made_in, Format storage) {
  const double size = std::abs(theta);
  double low = size, high = size;
  if (made_in != storage) {
    high += half_ulp(limits(storage), size);
    low -= half_ulp(limits(storage),
                    std::nextafter(size, 0));  // numbers are denser below a power of two
  }
  const double middle = low + (high - low) / 2;
  AngleLine line;
  line.rate = std::copysign(middle, theta) / (2 * std::numbers::pi);
  line.rate_error = ((high - low) / 2 + frequency_slack(middle, made_in)) / (2 * std::numbers::pi);
  line.reference_error = 0;
  return line;
}

/// The spectra to try: the assumed one, then those recognised.
std::vector<Spectrum> spectra_of(std::span<const double> theta, const DiagnosisRequest& request,
                                 bool assumed, Format made_in, Format storage) {
  AngleLines lines;
  for (const double value : theta) lines.lines.push_back(line_of(value, made_in, storage));
  std::vector<Spectrum> spectra;
  if (assumed) spectra.push_back(named(request.assumed->embedding));
  for (Spectrum& spectrum : recognise(lines, 2 * theta.size(), request.presets))
    if (spectrum.recognised) spectra.push_back(std::move(spectrum));
  return spectra;
}

/// The first spectrum that reproduces the frequencies.
std::optional<Explanation> explain(std::span<const double> theta, std::vector<Spectrum> spectra,
                                   bool assumed, Format made_in, Format storage) {
  for (std::size_t i = 0; i < spectra.size(); ++i) {
    const Judgement judgement = compare(theta, spectra[i], made_in, storage);
    if (!judgement.passed) continue;
    Explanation explanation;
    explanation.arrangement = {0, 2 * theta.size(), 0, 0};
    explanation.pairs_seen = false;
    explanation.assumed = assumed && i == 0;
    // The assumed spectrum gets the names of presets with the same frequencies.
    for (std::size_t other = 1; explanation.assumed && other < spectra.size(); ++other)
      if (spectra[i].also.empty() && same_frequencies(spectra[other], spectra[i]))
        spectra[i].also = spectra[other].also;
    explanation.regimes.push_back({{}, {}, spectra[i]});
    explanation.judgement = judgement;
    for (const Spectrum& hidden : nearest_hidden_rules(spectra[i], 1)) {
      if (hidden.embedding.frequencies.theta.front() !=
              spectra[i].embedding.frequencies.theta.front() ||
          !compare(theta, hidden, made_in, storage).passed)
        continue;
      explanation.open.push_back("the scaling: " + scaling_text(hidden.embedding.scaling) +
                                 " gives these numbers as well");
      break;
    }
    return explanation;
  }
  return std::nullopt;
}

}  // namespace

Diagnosis diagnose_frequencies(std::span<const double> theta, const DiagnosisRequest& request) {
  if (theta.empty() || theta.size() > kMaxRotaryDim / 2)
    throw ShapeError("frequencies: expected 1 to " + std::to_string(kMaxRotaryDim / 2) +
                         " numbers, got " + std::to_string(theta.size()),
                     "Give one frequency per pair.");
  for (const double value : theta)
    if (!std::isfinite(value))
      throw DomainError("frequencies: expected finite numbers, got " + number_text(value),
                        "Give radians per token.");
  Diagnosis result;
  const Format storage = result.storage = narrowest_format(theta);
  const bool assumed = request.assumed && request.assumed->frequencies &&
                       request.assumed->embedding.pairs() == theta.size();
  const auto spectra = [&](Format made_in) {
    return spectra_of(theta, request, assumed, made_in, storage);
  };
  std::optional<Explanation> found;
  const bool cast = limits(storage).precision < limits(Format::float32).precision;
  if (cast) {
    // 16-bit numbers are usually computed in float32 or wider and then cast. A base that gives them
    // without any rounding before the cast comes first.
    const std::vector<Spectrum> before_cast = spectra(Format::float32);
    for (const Format made_in : {Format::float64, Format::float32})
      if (!found) found = explain(theta, before_cast, assumed, made_in, storage);
  }
  if (!found) {
    found = explain(theta, spectra(storage), assumed, storage, storage);
    if (found && cast)
      found->open.push_back("the frequencies: rounded to " + std::string(limits(storage).name) +
                            ", they differ from these numbers, which fit only if every step " +
                            "was computed in " + std::string(limits(storage).name));
  }
  if (!found) return result;
  const Spectrum& spectrum = found->spectrum();
  const std::string& rule = spectrum.embedding.scaling.rule;
  if (cast && !found->assumed && spectrum.also.empty() && (rule == "yarn" || rule == "llama3"))
    found->open.emplace_back("the parameters of the rule: others give the same 16-bit numbers");
  result.verdict = found->open.empty() ? DiagnosisVerdict::unique : DiagnosisVerdict::ambiguous;
  result.explanations.push_back(std::move(*found));
  return result;
}

}  // namespace rope
