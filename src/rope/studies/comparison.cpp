#include "rope/studies/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

#include "rope/encodings/vectors.hpp"
#include "rope/error.hpp"
#include "rope/random/random.hpp"

namespace rope {
namespace {

constexpr double kAlike = 0.5;  // the cosine between q and k: related, and not the same
constexpr std::size_t kDecaySamples = 16;
constexpr std::int64_t kMostDecayReach = 256;
constexpr std::int64_t kLeastTrained = 16;
constexpr std::uint64_t kVectorStream = 1000;

/// The one query and the one key.
void choose_vectors(EncodingComparison& comparison) {
  const EncodingContext& context = comparison.settings.context;
  const std::size_t d = context.rotary.head_dim;
  std::vector<double> other(d);
  comparison.q.resize(d);
  comparison.k.resize(d);
  RandomStream stream(context.seed, kVectorStream);
  stream.fill_normal(comparison.q);
  stream.fill_normal(other);
  for (std::size_t i = 0; i < d; ++i)
    comparison.k[i] = kAlike * comparison.q[i] + std::sqrt(1 - kAlike * kAlike) * other[i];
  comparison.content = dot(comparison.q, comparison.k) / std::sqrt(static_cast<double>(d));
}

/// 0, 1, 10, 100 … and the last shift at which all tokens still stand within training.
std::vector<std::int64_t> shifts_of(const EncodingComparison& comparison) {
  const std::int64_t last = comparison.settings.context.trained - 1 - 2 * comparison.reach;
  std::vector<std::int64_t> shifts = {0};
  for (std::int64_t shift = 1; shift < last; shift *= 10) shifts.push_back(shift);
  if (last > 0) shifts.push_back(last);
  return shifts;
}

/// The positions from `shift` on, twice the reach: those of one list.
std::vector<std::int64_t> list_at(const EncodingComparison& comparison, std::int64_t shift) {
  std::vector<std::int64_t> positions(2 * static_cast<std::size_t>(comparison.reach) + 1);
  std::iota(positions.begin(), positions.end(), shift);
  return positions;
}

/// One list at each shift within training and, where there are scores, the last one of T*: what
/// acts beyond training shows there.
std::vector<std::vector<std::int64_t>> lists_of(const EncodingComparison& comparison,
                                                bool defined_at_end) {
  std::vector<std::vector<std::int64_t>> lists;
  for (const std::int64_t shift : shifts_of(comparison))
    lists.push_back(list_at(comparison, shift));
  if (defined_at_end) lists.push_back(list_at(comparison, comparison.last_shift));
  return lists;
}

RowMatrix map_of(const EncodingComparison& comparison, const PositionEncoding& encoding) {
  std::vector<std::int64_t> positions(static_cast<std::size_t>(comparison.settings.tokens));
  std::iota(positions.begin(), positions.end(), 0);
  const Tokens queries = copies_at(comparison.q, positions);
  const Tokens keys = copies_at(comparison.k, positions);
  RowMatrix map = encoding.scores(queries, keys).array() - comparison.content;
  apply_mask(comparison.settings.mask, queries.positions, keys.positions, map);
  return map;
}

/// Whether there is a score at the end of T*, with the nearest and the farthest key; if not, why.
std::string undefined_at_end(const EncodingComparison& comparison,
                             const PositionEncoding& encoding) {
  const auto d = static_cast<Eigen::Index>(comparison.q.size());
  const std::int64_t last = comparison.settings.context.length - 1;
  RowMatrix q(1, d), k(2, d);
  std::ranges::copy(comparison.q, q.row(0).data());
  std::ranges::copy(comparison.k, k.row(0).data());
  std::ranges::copy(comparison.k, k.row(1).data());
  try {
    const RowMatrix scores = encoding.scores({q, {last}}, {k, {0, last}});
    if (scores.allFinite()) return {};
    return "its scores are not numbers there";
  } catch (const DomainError& error) {
    return error.what();
  }
}

void take_content_away(const EncodingComparison& comparison, ShiftedScores& scores) {
  for (std::vector<double>& row : scores.scores)
    for (double& score : row) score -= comparison.content;
}

/// Flops of W_Q, W_K, W_V and W_O for one token in one layer.
double projection_flops(const EncodingComparison& comparison) {
  const auto width = static_cast<double>(comparison.shape.heads * comparison.q.size());
  return 8 * width * width;
}

ComparedEncoding measured_encoding(const EncodingComparison& comparison, const EncodingSpec& spec) {
  const EncodingContext& context = comparison.settings.context;
  const std::vector<std::int64_t> shifts = shifts_of(comparison);
  ComparedEncoding result;
  result.spec = spec;
  result.values = encoding_values(spec, context);
  const EncodingLabel named = label_among(comparison.settings.encodings, spec);
  result.label = named.label;
  result.title = named.title;
  result.encoding = make_encoding(spec, context);
  const PositionEncoding& encoding = *result.encoding;
  const double q = norm(comparison.q), k = norm(comparison.k);
  result.scores = shifted_scores(encoding, comparison.q, comparison.k, comparison.reach, shifts);
  result.directions = difference_of_directions(result.scores);
  take_content_away(comparison, result.scores);
  const ScoreDecay decay = score_decay(encoding, comparison.q.size(), comparison.decay_reach,
                                       context.trained, kDecaySamples, context.seed);
  // Means of differences of two scores of vectors about as long as q and k.
  result.law = decay_law(decay, 8 * encoding.score_error(q, k, -comparison.decay_reach));
  result.fall = decay.mean.back();
  result.cost = encoding.cost(comparison.shape);
  result.cost_share = result.cost.flops / projection_flops(comparison);
  result.undefined = undefined_at_end(comparison, encoding);
  result.spread = spread_over_lists(encoding, comparison.q, comparison.k,
                                    lists_of(comparison, result.undefined.empty()));
  result.unseen = encoding.unseen_share(context.trained, context.length);
  result.remark = encoding.remark(comparison.reach, shifts);
  EncodingContext of_map = context;
  of_map.map_tokens = comparison.settings.tokens;
  result.map_values = encoding_values(spec, of_map);
  const std::unique_ptr<PositionEncoding> drawn = make_encoding(spec, of_map);
  result.map = map_of(comparison, *drawn);
  result.drawn = shifted_scores(*drawn, comparison.q, comparison.k, comparison.reach, shifts);
  take_content_away(comparison, result.drawn);
  result.caption = drawn->caption();
  return result;
}

/// Whether everything that was measured of both has the same bits.
bool measured_alike(const ComparedEncoding& a, const ComparedEncoding& b) {
  const auto measures = [](const ComparedEncoding& one) {
    return std::tie(one.scores.scores, one.drawn.scores, one.spread.error, one.directions.error,
                    one.fall, one.law.slope, one.cost.parameters, one.cost.flops,
                    one.cost.table_bytes, one.cost.squares, one.undefined, one.unseen);
  };
  return measures(a) == measures(b) && a.map == b.map;
}

/// What was given for an encoding and changes nothing that is measured, if anything.
void note_idle(EncodingComparison& comparison, const ComparedEncoding& result) {
  const EncodingContext& context = comparison.settings.context;
  const std::string what =
      "nothing that is measured up to T* = " + std::to_string(context.length) + " tokens";
  for (const auto& [name, without] : without_each(result.spec, context))
    if (measured_alike(result, measured_encoding(comparison, without)))
      comparison.notes.push_back(idle_text(result.spec, name, what));
}

}  // namespace

std::vector<EncodingSpec> all_encodings() {
  std::vector<EncodingSpec> specs;
  for (const EncodingEntry& entry : encodings()) specs.push_back({&entry, {}});
  return specs;
}

EncodingComparison compare_encodings(ComparisonSettings settings,
                                     const std::function<void()>& measured) {
  const EncodingContext& context = settings.context;
  if (context.trained < kLeastTrained)
    throw DomainError(
        "trained: expected at least 16 tokens, got " + std::to_string(context.trained),
        "Fewer leave no room for shifts.");
  check_lengths(context.trained, context.length);
  if (settings.tokens < 2)
    throw DomainError("tokens: expected at least 2, got " + std::to_string(settings.tokens),
                      "A map of one token shows no distance.");
  EncodingComparison comparison;
  comparison.settings = std::move(settings);
  const ComparisonSettings& chosen = comparison.settings;
  comparison.shape = {static_cast<std::size_t>(chosen.context.heads), chosen.layers,
                      chosen.context.trained};
  comparison.reach = std::min(chosen.tokens, (chosen.context.trained - 1) / 4);
  comparison.last_shift = chosen.context.length - 1 - 2 * comparison.reach;
  comparison.decay_reach = std::min(kMostDecayReach, chosen.context.trained / 2);
  choose_vectors(comparison);
  for (const EncodingSpec& spec : chosen.encodings) {
    try {
      comparison.results.push_back(measured_encoding(comparison, spec));
      note_idle(comparison, comparison.results.back());
    } catch (const Error& error) {
      if (!chosen.leave_out || error.kind() != ErrorKind::invalid_input) throw;
      comparison.notes.push_back(encoding_text(spec) + " is omitted: " + error.what());
    }
    if (measured) measured();
  }
  return comparison;
}

}  // namespace rope
