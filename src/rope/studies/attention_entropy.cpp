#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "rope/attention/spread.hpp"
#include "rope/error.hpp"
#include "rope/studies/attention.hpp"

namespace rope {
namespace {

constexpr std::uint64_t kKeyStream = 2000;
constexpr std::uint64_t kQueryStream = 2001;
constexpr std::int64_t kScoresAtOnce = std::int64_t{1} << 21;

void check_request(const EntropyRequest& request) {
  const auto d = static_cast<std::int64_t>(request.context.rotary.head_dim);
  const std::int64_t most = kMostEntropyNumbers / std::max<std::int64_t>(d, 1);
  if (request.lengths.empty())
    throw ShapeError(Subject{"lengths"}, "expected at least one, got none");
  for (const std::int64_t length : request.lengths)
    if (length < 1 || length > most)
      throw ShapeError(
          Subject{"lengths"},
          "expected from 1 to " + std::to_string(most) + " keys of " + std::to_string(d) +
              " numbers, got " + std::to_string(length),
          length < 1 ? "Attention needs at least one key." : "A smaller --dim allows more.");
  if (request.queries < 1) throw ShapeError(Subject{"queries"}, "expected at least 1, got 0");
}

/// Keys at `positions`, the nearest to the last position first.
Tokens random_keys(const EncodingContext& context, std::int64_t count) {
  Tokens keys{random_matrix(static_cast<std::size_t>(count), context.rotary.head_dim, 1,
                            context.seed, kKeyStream),
              {}};
  for (std::int64_t j = 0; j < count; ++j) keys.positions.push_back(count - 1 - j);
  return keys;
}

void add_spread(const EntropyRequest& request, const RowMatrix& scores, EntropyCurve& curve) {
  for (Eigen::Index i = 0; i < scores.rows(); ++i)
    for (std::size_t l = 0; l < request.lengths.size(); ++l) {
      const Spread spread =
          spread_of(row_of(scores, i).first(static_cast<std::size_t>(request.lengths[l])));
      curve.entropy[l] += spread.entropy;
      curve.top[l] += spread.top;
    }
}

EntropyCurve entropy_curve(const EntropyRequest& request, const EncodingSpec& spec, bool scaled,
                           const std::function<void(std::size_t)>& done) {
  const std::int64_t longest = std::ranges::max(request.lengths);
  const std::unique_ptr<PositionEncoding> encoding = make_encoding(spec, request.context);
  const Tokens keys = random_keys(request.context, longest);
  const std::size_t d = request.context.rotary.head_dim;
  const double deviation = scaled ? 1 : std::sqrt(static_cast<double>(d));
  const RowMatrix queries =
      random_matrix(request.queries, d, deviation, request.context.seed, kQueryStream);
  const std::size_t lengths = request.lengths.size();
  EntropyCurve curve{spec, encoding_title(spec), scaled, std::vector(lengths, 0.0),
                     std::vector(lengths, 0.0)};
  const auto at_once =
      static_cast<Eigen::Index>(std::max<std::int64_t>(kScoresAtOnce / longest, 1));
  for (Eigen::Index begin = 0; begin < queries.rows(); begin += at_once) {
    const Eigen::Index count = std::min(at_once, queries.rows() - begin);
    const std::vector<std::int64_t> positions(static_cast<std::size_t>(count), longest - 1);
    add_spread(request, encoding->scores({queries.middleRows(begin, count), positions}, keys),
               curve);
    if (done) done(static_cast<std::size_t>(count));
  }
  const auto samples = static_cast<double>(request.queries);
  for (double& entropy : curve.entropy) entropy /= samples;
  for (double& top : curve.top) top /= samples;
  return curve;
}

}  // namespace

AttentionEntropy attention_entropy(const EntropyRequest& request,
                                   std::span<const EncodingSpec> encodings,
                                   const std::function<void(std::size_t queries)>& done) {
  check_request(request);
  AttentionEntropy result{request, {}};
  for (const EncodingSpec& spec : encodings)
    for (const bool scaled : {true, false})
      if (request.scale == ScoreScale::both || (request.scale == ScoreScale::scaled) == scaled)
        result.curves.push_back(entropy_curve(request, spec, scaled, done));
  return result;
}

}  // namespace rope
