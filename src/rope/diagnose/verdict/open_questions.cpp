#include "rope/diagnose/verdict/open_questions.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <optional>
#include <string>

#include "rope/diagnose/frequencies/round_numbers.hpp"
#include "rope/diagnose/positions/direction.hpp"
#include "rope/diagnose/positions/offsets.hpp"
#include "rope/error.hpp"
#include "rope/precision/largest.hpp"
#include "rope/rotary/ranges_text.hpp"

namespace rope {
namespace {

/// The pairs that are only known to be slow, and how slow; empty if there is none.
std::string unseen_text(const Spectrum& spectrum) {
  std::vector<std::size_t> pairs;
  double fastest = 0;
  for (std::size_t k = 0; k < spectrum.embedding.pairs(); ++k) {
    if (spectrum.known(k)) continue;
    pairs.push_back(k);
    fastest = larger(fastest, spectrum.embedding.frequencies.theta[k] + spectrum.theta_error[k]);
  }
  if (pairs.empty()) return {};
  const double step = fastest > 0 ? std::pow(10, std::floor(std::log10(fastest)) - 1) : 1;
  const bool one = pairs.size() == 1;
  return (one ? "the frequency of pair " : "the frequencies of pairs ") + ranges_text(pairs) +
         ": all that is known is that " + (one ? "it is not above " : "none is above ") +
         plain_number(std::ceil(fastest / step) * step, 2) + " radians per token";
}

/// Whether frequencies that were measured pair by pair may follow a rule of others: some are known
/// less exactly than float32 rounds, or to a hundredth where the positions are `given`, or all are
/// nearly b^(−2i/r) times a factor.
bool may_follow_a_rule(const Spectrum& measured, bool given) {
  constexpr double kNearly = 1e-3;
  const double known_to = given ? 1e-2 : 1e-5;
  const std::vector<double>& theta = measured.embedding.frequencies.theta;
  std::vector<std::size_t> known;
  for (std::size_t k = 0; k < theta.size(); ++k)
    if (theta[k] > 0 && measured.known(k)) known.push_back(k);
  for (const std::size_t k : known)
    if (!measured.theta_error.empty() && measured.theta_error[k] > known_to * theta[k]) return true;
  if (known.size() < 3) return true;
  const std::size_t first = known.front(), last = known.back();
  const double slope = std::log(theta[last] / theta[first]) / static_cast<double>(last - first);
  return std::all_of(known.begin(), known.end(), [&](std::size_t k) {
    const double line = slope * static_cast<double>(k - first);
    return std::abs(std::log(theta[k] / theta[first]) - line) <= kNearly;
  });
}

/// Frequencies from π − 1 to π: those from 0 to 1 with every odd token negated.
bool near_half_a_turn(const Spectrum& measured) {
  const std::vector<double>& theta = measured.embedding.frequencies.theta;
  return std::all_of(theta.begin(), theta.end(),
                     [](double t) { return t > std::numbers::pi - 1.001; });
}

/// Whether one pair more would make a more usual size: the whole head, or a divisor of it.
bool plainer_with_a_pair_more(std::size_t rotary_dim, std::size_t dim) {
  return rotary_dim + 2 == dim || (dim % rotary_dim != 0 && dim % (rotary_dim + 2) == 0);
}

/// The base with the same frequencies at a larger rotated size of which interleaved pairs are left
/// out, first or last: a usual base, or that of a more usual size.
std::optional<double> base_of_longer(const Spectrum& spectrum, const Arrangement& a,
                                     std::size_t dim) {
  if (!spectrum.recognised || !spectrum.embedding.base || is_round(*spectrum.embedding.base) ||
      a.in != 0 || a.out != 0 || a.pairs() < 2 || !(spectrum.base_low > 0) ||
      !std::isfinite(spectrum.base_high))
    return std::nullopt;
  constexpr double kSlack = 1e-6;
  const auto own_size = static_cast<double>(a.rotary_dim);
  for (std::size_t size = a.rotary_dim + 2; size <= dim; size += 2)
    for (const double usual : kUsualBases) {
      const double own = std::pow(usual, own_size / static_cast<double>(size));
      if (own >= spectrum.base_low * (1 - kSlack) && own <= spectrum.base_high * (1 + kSlack))
        return usual;
    }
  if (!plainer_with_a_pair_more(a.rotary_dim, dim)) return std::nullopt;
  const double power = static_cast<double>(a.rotary_dim + 2) / own_size;
  return simplest_number(std::pow(spectrum.base_low, power), std::pow(spectrum.base_high, power));
}

/// The base with the same frequencies at half the rotated size, of one that no model has: if none
/// of the other pairs turns by what the numbers show, those dimensions may as well pass through.
std::optional<double> base_of_shorter(const Explanation& e) {
  constexpr double kLargestPublished = 1e9;
  const Spectrum& spectrum = e.spectrum();
  const RotaryEmbedding& embedding = spectrum.embedding;
  if (!spectrum.recognised || !spectrum.also.empty() || embedding.scaling.rule != "default" ||
      e.arrangement.in != 0 || e.arrangement.pairs() % 2 != 0 ||
      !(embedding.base.value_or(0) > kLargestPublished))
    return std::nullopt;
  const double theta = embedding.frequencies.theta[e.arrangement.pairs() / 2];
  const double shows = limits(e.policy.store).unit_roundoff;
  for (const Regime& regime : e.regimes)
    for (const std::int64_t position : regime.positions)
      if (std::abs(static_cast<double>(position)) * theta > shows) return std::nullopt;
  return simplest_number(std::sqrt(spectrum.base_low), std::sqrt(spectrum.base_high));
}

bool at_one_position(const Regime& regime) {
  return regime.positions.front() != 0 &&
         std::all_of(regime.positions.begin(), regime.positions.end(),
                     [&](std::int64_t p) { return p == regime.positions.front(); });
}

bool all_at_zero(const Regime& regime) {
  return std::all_of(regime.positions.begin(), regime.positions.end(),
                     [](std::int64_t position) { return position == 0; });
}

/// Other rotated sizes with the same frequencies.
std::vector<std::string> other_sizes(const Spectrum& spectrum, std::size_t dim,
                                     const Explanation& e) {
  std::vector<std::string> open;
  if (const std::optional<double> base = base_of_longer(spectrum, e.arrangement, dim))
    open.push_back("the base: base " + plain_number(*base, 15) +
                   " gives the same frequencies if the rotated size is larger and one of its pairs "
                   "does not turn");
  if (const std::optional<double> base = base_of_shorter(e))
    open.push_back("the rotated size: dimensions 0 to " +
                   std::to_string(e.arrangement.rotary_dim / 2 - 1) +
                   " turn by the same angles with base " + plain_number(*base, 15) +
                   "; the others turn too little to show and may pass through");
  return open;
}

/// Whether both directions are as good; where the positions are a mere count, whoever made the
/// count chooses.
bool direction_open(const Candidate& candidate, const Told& told) {
  return !told.counted &&
         std::any_of(candidate.regimes.begin(), candidate.regimes.end(), [&](const Regime& regime) {
           return direction_is_open(regime, told.positions);
         });
}

}  // namespace

void note_open_questions(const Candidate& candidate, const Told& told, Explanation& explanation) {
  const Arrangement& a = candidate.arrangement;
  const Regime& first = candidate.regimes.front();
  const Spectrum& widened = explanation.spectrum();
  const auto note = [&](std::string sentence) { explanation.open.push_back(std::move(sentence)); };
  // A single pair has no others that would show how many whole turns it made.
  const bool one_pair = a.pairs() == 1;
  if (candidate.alias > 1 && (!candidate.recognised || one_pair))
    note((one_pair ? "frequency and direction: " : "the frequencies: ") +
         ("the positions determine them only modulo 2π/" + std::to_string(candidate.alias)));
  explanation.direction_open = candidate.alias > 1 && one_pair;
  if (!candidate.recognised && may_follow_a_rule(widened, !told.positions.empty()))
    note(kMeasuredOpen);
  if (all_at_zero(first)) note(kAtPositionZero);
  if (!candidate.recognised && near_half_a_turn(first.spectrum)) {
    explanation.direction_open = true;
    note(
        "the frequencies: all are near half a turn per token, which is how low frequencies look if "
        "every odd token is negated");
  }
  std::ranges::move(other_sizes(first.spectrum, told.dim, explanation),
                    std::back_inserter(explanation.open));
  if (!candidate.recognised && a.in == 0 && a.out == 0 &&
      longer_block(a, first.spectrum.reversed, told.dim))
    note(kSizeOpen);
  if (const std::string unseen = unseen_text(widened); !unseen.empty()) note(unseen);
  if (direction_open(candidate, told)) {
    explanation.direction_open = true;
    note("the direction: the opposite rotation at negated positions gives the same numbers");
  }
  if (at_one_position(first))
    note(
        "frequencies and position: one position shows only their products; s times the "
        "frequencies at position p/s give the same angles");
  if (candidate.other_offsets) {
    const std::optional<double>& base = first.spectrum.embedding.base;
    const bool fitted = candidate.recognised && base && !is_round(*base);
    const bool slowed =
        candidate.recognised && first.spectrum.embedding.scaling.numbers.contains("factor");
    note(std::string("the position offset") +
         (fitted   ? ", and the base with it"
          : slowed ? ", and the factor with it"
                   : "") +
         ": with so few digits, others up to ±" + std::to_string(kFarthestOffset) +
         " may fit as well");
  }
}

}  // namespace rope
