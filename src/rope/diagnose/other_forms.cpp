// Tables and bare frequencies instead of vectors.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <utility>

#include "rope/diagnose/advice.hpp"
#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/hidden_rules.hpp"
#include "rope/diagnose/recognise.hpp"
#include "rope/error.hpp"
#include "rope/precision/largest.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/scaling/scaling.hpp"

namespace rope {
namespace {

/// The value of a table at a token and column.
struct TableView {
  std::span<const double> values;
  std::size_t columns;
  double at(std::size_t token, std::size_t column) const {
    return values[token * columns + column];
  }
};

/// Whether column a equals column b at every token, in both tables.
template <typename Other>
bool columns_repeat(const TableView& cos, const TableView& sin, std::size_t tokens, Other other) {
  for (std::size_t t = 0; t < tokens; ++t)
    for (std::size_t i = 0; i < cos.columns; ++i)
      if (cos.at(t, i) != cos.at(t, other(i)) || sin.at(t, i) != sin.at(t, other(i))) return false;
  return true;
}

TableColumns columns_of(const TableView& cos, const TableView& sin, std::size_t tokens) {
  const std::size_t n = cos.columns, half = n / 2;
  if (n < 2 || n % 2 != 0) return TableColumns::pairs;
  if (columns_repeat(cos, sin, tokens, [=](std::size_t i) { return i % half; }))
    return TableColumns::half;
  if (columns_repeat(cos, sin, tokens, [](std::size_t i) { return i - i % 2; }))
    return TableColumns::interleaved;
  return TableColumns::pairs;
}

/// A table is what becomes of the vectors (1, 0, 1, 0, …).
Diagnosis diagnose_pairs(std::size_t tokens, const TableView& cos, const TableView& sin,
                         TableColumns columns, const DiagnosisRequest& request) {
  const std::size_t pairs = columns == TableColumns::pairs ? cos.columns : cos.columns / 2;
  RotatedTensors tensors;
  tensors.tokens = tokens;
  tensors.lanes = 1;
  tensors.dim = 2 * pairs;
  for (std::size_t t = 0; t < tokens; ++t)
    for (std::size_t k = 0; k < pairs; ++k) {
      const std::size_t column = columns == TableColumns::interleaved ? 2 * k : k;
      tensors.x.push_back(1);
      tensors.x.push_back(0);
      tensors.y.push_back(cos.at(t, column));
      tensors.y.push_back(sin.at(t, column));
    }
  DiagnosisRequest of_pairs = request;
  of_pairs.arrangement = Arrangement{0, 2 * pairs, 0, 0};
  Diagnosis diagnosis = diagnose(tensors, of_pairs);
  for (Explanation& explanation : diagnosis.explanations) explanation.pairs_seen = false;
  return diagnosis;
}

/// What steps of a rule in a format may do to a frequency.
double frequency_slack(double theta, Format made_in) {
  const double slope = theta > 0 ? std::abs(std::log(theta)) : 0;
  return theta * limits(made_in).unit_roundoff * (16 + 2 * slope);
}

/// The frequencies beside those of a spectrum, made in one format and then rounded to the one of
/// the numbers: rounding keeps the order, so each is between what the ends of the steps become.
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

/// The rate of a pair from which rounding to `storage` makes `theta`, after steps in `made_in`.
AngleLine line_of(double theta, Format made_in, Format storage) {
  const double size = std::abs(theta);
  double low = size, high = size;
  if (made_in != storage) {
    high += half_ulp(limits(storage), size);
    low -= half_ulp(limits(storage),
                    std::nextafter(size, 0));  // below a power of two numbers are denser
  }
  const double middle = low + (high - low) / 2;
  AngleLine line;
  line.rate = std::copysign(middle, theta) / (2 * std::numbers::pi);
  line.rate_error = ((high - low) / 2 + frequency_slack(middle, made_in)) / (2 * std::numbers::pi);
  line.reference_error = 0;
  return line;
}

/// What may have made the frequencies: what is assumed, then what is recognised in them.
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

/// The first of the spectra that comes to the frequencies.
std::optional<Explanation> explain(std::span<const double> theta, std::vector<Spectrum> spectra,
                                   bool assumed, Format made_in, Format storage) {
  for (std::size_t i = 0; i < spectra.size(); ++i) {
    const Judgement judgement = compare(theta, spectra[i], made_in, storage);
    if (!judgement.passed) continue;
    Explanation explanation;
    explanation.arrangement = {0, 2 * theta.size(), 0, 0};
    explanation.pairs_seen = false;
    explanation.assumed = assumed && i == 0;
    // Presets are recognised beside what is assumed.
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
                                 " comes to these numbers as well");
      break;
    }
    return explanation;
  }
  return std::nullopt;
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
  const std::size_t columns = cos.size() / tokens;
  return columns_of({cos, columns}, {sin, columns}, tokens);
}

TableDiagnosis diagnose_tables(std::size_t tokens, std::span<const double> cos,
                               std::span<const double> sin, const DiagnosisRequest& request) {
  if (tokens == 0 || cos.empty() || cos.size() != sin.size() || cos.size() % tokens != 0)
    throw ShapeError("tables: expected as many cosines as sines for " + std::to_string(tokens) +
                         " tokens, got " + std::to_string(cos.size()) + " and " +
                         std::to_string(sin.size()),
                     "Both tables have one row a token.");
  const TableView cosines{cos, cos.size() / tokens}, sines{sin, cos.size() / tokens};
  TableDiagnosis result;
  result.columns = table_columns(tokens, cos, sin);
  result.diagnosis = diagnose_pairs(tokens, cosines, sines, result.columns, request);
  if (!result.diagnosis.explanations.empty()) return result;
  // What was given as sines may be the cosines, and the other way round.
  const TableView &first = sines, &second = cosines;
  Diagnosis exchanged = diagnose_pairs(tokens, first, second, result.columns, request);
  if (!exchanged.explanations.empty() && exchanged.explanations.front().spectrum().recognised) {
    result.exchanged = true;
    result.diagnosis = std::move(exchanged);
  }
  return result;
}

Diagnosis diagnose_frequencies(std::span<const double> theta, const DiagnosisRequest& request) {
  if (theta.empty() || theta.size() > kMaxRotaryDim / 2)
    throw ShapeError("frequencies: expected 1 to " + std::to_string(kMaxRotaryDim / 2) +
                         " numbers, got " + std::to_string(theta.size()),
                     "Give one frequency a pair.");
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
    // Numbers of 16 bits are made in float32 at least and then cast. A base that comes to them
    // without any rounding before the cast is named first.
    const std::vector<Spectrum> before_cast = spectra(Format::float32);
    for (const Format made_in : {Format::float64, Format::float32})
      if (!found) found = explain(theta, before_cast, assumed, made_in, storage);
  }
  if (!found) {
    found = explain(theta, spectra(storage), assumed, storage, storage);
    if (found && cast)
      found->open.push_back("the frequencies: rounded to " + std::string(limits(storage).name) +
                            " they are other numbers than these, which fit only if every step " +
                            "was made in " + std::string(limits(storage).name));
  }
  if (!found) return result;
  const Spectrum& spectrum = found->spectrum();
  const std::string& rule = spectrum.embedding.scaling.rule;
  if (cast && !found->assumed && spectrum.also.empty() && (rule == "yarn" || rule == "llama3"))
    found->open.emplace_back(
        "the parameters of the rule: others come to the same numbers of 16 bits");
  result.verdict = found->open.empty() ? DiagnosisVerdict::unique : DiagnosisVerdict::ambiguous;
  result.explanations.push_back(std::move(*found));
  return result;
}

}  // namespace rope
