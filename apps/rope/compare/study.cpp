#include "compare/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rope/encodings/vectors.hpp"
#include "rope/error.hpp"
#include "rope/random/random.hpp"

namespace rope::app {
namespace {

constexpr double kAlike = 0.5;  // the cosine between q and k: related, and not the same
constexpr std::size_t kDecaySamples = 16;
constexpr std::int64_t kMostDecayReach = 256;

/// The one query and the one key.
void choose_vectors(ComparisonStudy& study) {
  const std::size_t d = study.settings.rotary.head_dim;
  std::vector<double> other(d);
  study.q.resize(d);
  study.k.resize(d);
  RandomStream stream(study.settings.seed, 1000);
  stream.fill_normal(study.q);
  stream.fill_normal(other);
  for (std::size_t i = 0; i < d; ++i)
    study.k[i] = kAlike * study.q[i] + std::sqrt(1 - kAlike * kAlike) * other[i];
  study.content = dot(study.q, study.k) / std::sqrt(static_cast<double>(d));
}

/// 0, 1, 10, 100 … and the last shift at which all tokens still stand within training.
std::vector<std::int64_t> shifts_of(const ComparisonStudy& study) {
  const std::int64_t last = study.settings.trained - 1 - 2 * study.reach;
  std::vector<std::int64_t> shifts = {0};
  for (std::int64_t shift = 1; shift < last; shift *= 10) shifts.push_back(shift);
  if (last > 0) shifts.push_back(last);
  return shifts;
}

RowMatrix map_of(const ComparisonStudy& study, const PositionEncoding& encoding) {
  Tokens queries, keys;
  queries.vectors.resize(study.tokens, static_cast<Eigen::Index>(study.q.size()));
  keys.vectors.resize(study.tokens, static_cast<Eigen::Index>(study.k.size()));
  for (std::int64_t t = 0; t < study.tokens; ++t) {
    std::ranges::copy(study.q, queries.vectors.row(t).data());
    std::ranges::copy(study.k, keys.vectors.row(t).data());
    queries.positions.push_back(t);
    keys.positions.push_back(t);
  }
  RowMatrix map = encoding.scores(queries, keys).array() - study.content;
  apply_mask(study.mask, queries.positions, keys.positions, map);
  return map;
}

/// Whether there is a score at the end of T*, with the nearest and the farthest key; if not, why.
std::string undefined_at_end(const ComparisonStudy& study, const PositionEncoding& encoding) {
  const auto d = static_cast<Eigen::Index>(study.q.size());
  RowMatrix q(1, d), k(2, d);
  std::ranges::copy(study.q, q.row(0).data());
  std::ranges::copy(study.k, k.row(0).data());
  std::ranges::copy(study.k, k.row(1).data());
  try {
    const RowMatrix scores = encoding.scores({q, {study.length - 1}}, {k, {0, study.length - 1}});
    if (scores.allFinite()) return {};
    return "its scores are no numbers there";
  } catch (const DomainError& error) {
    return error.what();
  }
}

/// ReRoPE's window lies far outside a map: there it is drawn with one that shows.
std::unique_ptr<PositionEncoding> for_map(const ComparisonStudy& study,
                                          const EncodingEntry& entry) {
  EncodingSettings settings = study.settings;
  settings.window = map_window(study);
  return entry.make(settings);
}

void take_content_away(const ComparisonStudy& study, ShiftedScores& scores) {
  for (std::vector<double>& row : scores.scores)
    for (double& score : row) score -= study.content;
}

EncodingResult measured(const ComparisonStudy& study, const EncodingEntry& entry) {
  EncodingResult result;
  result.entry = &entry;
  result.encoding = entry.make(study.settings);
  const PositionEncoding& encoding = *result.encoding;
  const double q = norm(study.q), k = norm(study.k);
  result.scores = shifted_scores(encoding, study.q, study.k, study.reach, shifts_of(study));
  result.spread = spread_over_shifts(result.scores);
  result.directions = difference_of_directions(result.scores);
  take_content_away(study, result.scores);
  const ScoreDecay decay = score_decay(encoding, study.q.size(), study.decay_reach,
                                       study.settings.trained, kDecaySamples, study.settings.seed);
  // Means of differences of two scores of vectors about as long as q and k.
  result.law = decay_law(decay, 8 * encoding.score_error(q, k, -study.decay_reach));
  result.fall = decay.mean.back();
  result.cost = encoding.cost(study.shape);
  result.undefined = undefined_at_end(study, encoding);
  result.unseen = encoding.unseen_share(study.settings.trained, study.length);
  const std::unique_ptr<PositionEncoding> drawn = for_map(study, entry);
  result.map = map_of(study, *drawn);
  result.drawn = shifted_scores(*drawn, study.q, study.k, study.reach, shifts_of(study));
  take_content_away(study, result.drawn);
  return result;
}

/// How far p_i·p_{i+Δ} of the sinusoidal table spreads over the same shifts.
double spread_of_table(const ComparisonStudy& study) {
  const SinusoidalTable table(study.q.size(), study.settings.base, study.settings.form);
  double spread = 0;
  for (std::int64_t distance = 0; distance <= study.reach; ++distance) {
    const double first = dot(table.row(0), table.row(distance));
    for (const std::int64_t shift : shifts_of(study))
      spread =
          std::max(spread, std::abs(dot(table.row(shift), table.row(shift + distance)) - first));
  }
  return spread;
}

}  // namespace

std::int64_t map_window(const ComparisonStudy& study) {
  return study.window_given ? study.settings.window
                            : std::min(study.settings.window, study.tokens / 4);
}

double projection_flops(const ComparisonStudy& study) {
  const auto width = static_cast<double>(study.shape.heads * study.settings.rotary.head_dim);
  return 8 * width * width;
}

void measure(ComparisonStudy& study, const Console& console) {
  study.reach = std::min(study.tokens, (study.settings.trained - 1) / 4);
  study.decay_reach = std::min(kMostDecayReach, study.settings.trained / 2);
  choose_vectors(study);
  if (study.settings.form != SinusoidalForm::blocks_to_end || study.q.size() > 1)
    study.table_spread = spread_of_table(study);
  Progress progress(console, study.entries.size(), "rope compare");
  for (const EncodingEntry* entry : study.entries) {
    try {
      study.results.push_back(measured(study, *entry));
    } catch (const Error& error) {
      if (study.chosen || error.kind() != ErrorKind::invalid_input) throw;
      console.warn(fmt::format("{} is left out: {}", entry->name, error.what()));
    }
    progress.advance(1);
  }
}

}  // namespace rope::app
