// The family `encoding`: scores along a diagonal, without and with RoPE.
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "rope/attention/layers.hpp"
#include "rope/attention/relative.hpp"
#include "rope/claims/families/encoding_given.hpp"
#include "rope/claims/families/families.hpp"
#include "rope/claims/families/outcomes.hpp"
#include "rope/claims/parameters.hpp"
#include "rope/encodings/encoding.hpp"
#include "rope/encodings/none.hpp"
#include "rope/encodings/rope.hpp"
#include "rope/error.hpp"
#include "rope/random/random.hpp"
#include "rope/rotary/unseen_angles.hpp"

namespace rope::claims {
namespace encoding_family {
namespace {

std::vector<double> vector_of(Parameters& given, std::string_view name, std::size_t size,
                              std::uint64_t stream) {
  if (given.has(name)) return given.vector(name, size);
  std::vector<double> x(size);
  RandomStream(static_cast<std::uint64_t>(given.integer("seed", 42)), stream).fill_normal(x);
  return x;
}

/// An encoding, one query and one key.
struct Scored {
  std::unique_ptr<PositionEncoding> encoding;
  std::vector<double> q, k;

  explicit Scored(Parameters& given) {
    const EncodingContext context = context_given(given);
    encoding = make_encoding(given.word("encoding"), context);
    q = vector_of(given, "query", context.rotary.head_dim, 1);
    k = vector_of(given, "key", context.rotary.head_dim, 2);
  }
  double at(std::int64_t m, std::int64_t n) const {
    return encoding->scores(copies_at(q, {m}), copies_at(k, {n}))(0, 0);
  }
  double error(std::int64_t distance) const {
    return encoding->score_error(length_of(q), length_of(k), distance);
  }
};

/// Divided by √d where the encoding has that.
Outcome score(Parameters& given) {
  const Scored scored(given);
  const std::vector<std::int64_t> at = given.integers("positions");
  if (at.size() != 2) throw DomainError("expected the two positions m and n");
  return {{scored.at(at[0], at[1])}, scored.error(at[1] - at[0])};
}

/// The smallest and the largest score at i and i + distance, i = 0 … last.
outcomes::Range range_of(Parameters& given) {
  const Scored scored(given);
  const std::int64_t distance = given.integer("distance");
  const std::int64_t last = given.integer("last");
  outcomes::Range range;
  for (std::int64_t i = 0; i <= last; ++i)
    range.add(scored.at(i, i + distance), scored.error(distance));
  return range;
}

Outcome range(Parameters& given) { return range_of(given).ends(); }

Outcome spread(Parameters& given) { return range_of(given).spread(); }

/// 1 if there is a score at the position and before it, else 0.
Outcome defined(Parameters& given) {
  const Scored scored(given);
  const std::int64_t position = given.integer("position");
  try {
    return {{std::isfinite(scored.at(position, position - 1)) ? 1.0 : 0.0}, 0};
  } catch (const DomainError&) {
    return {{0}, 0};
  }
}

/// The share of what it meets from `trained` to `length` that training did not show; with `pairs`,
/// that of their angles alone.
Outcome unseen(Parameters& given) {
  const EncodingContext context = context_given(given);
  std::vector<double> shares;
  if (given.has("pairs")) {
    const Frequencies& frequencies = context.rotary.frequencies;
    const std::vector<double> all =
        angle_coverage(frequencies, frequencies, context.trained, context.length).unseen;
    for (const std::int64_t pair : given.integers("pairs")) shares.push_back(item_of(all, pair));
  } else {
    shares.push_back(make_encoding(given.word("encoding"), context)
                         ->unseen_share(context.trained, context.length));
  }
  // Counts over counts, and their mean.
  return {shares, dot_error(context.rotary.pairs())};
}

constexpr std::array kQuantities = {
    Quantity{"encoding.score", "score", score},
    Quantity{"encoding.range", "smallest and largest score", range},
    Quantity{"encoding.spread", "largest minus smallest score", spread},
    Quantity{"encoding.defined", "whether there is a score", defined},
    Quantity{"encoding.unseen", "share not seen in training", unseen},
};

}  // namespace
}  // namespace encoding_family

std::span<const Quantity> encoding_quantities() { return encoding_family::kQuantities; }

}  // namespace rope::claims
