#include "rope/diagnose/nearest/mixed_heads.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "rope/diagnose/advice.hpp"
#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/frequencies/recognise.hpp"
#include "rope/diagnose/nearest/least_squares.hpp"
#include "rope/diagnose/samples.hpp"

namespace rope {
namespace {

constexpr double kMostOfMixed =
    0.02;  // of |x|: more than 8-bit numbers leave, far less than chance
constexpr std::size_t kMixedTokens = 12, kMostHeadsMixed = 128;

using Rows = std::vector<std::size_t>;  // row i of the result is row rows[i] of what there was

/// What converters do to a projection of so many heads: row j·K + i of a head becomes 2i + j.
Rows to_half(std::size_t size, std::size_t heads) {
  const std::size_t head = size / heads, pairs = head / 2;
  Rows rows(size);
  for (std::size_t h = 0; h < heads; ++h)
    for (std::size_t k = 0; k < pairs; ++k)
      for (std::size_t j = 0; j < 2; ++j) rows[h * head + j * pairs + k] = h * head + 2 * k + j;
  return rows;
}

Rows inverse(const Rows& rows) {
  Rows back(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) back[rows[i]] = i;
  return back;
}

/// First `first`, then `second`.
Rows after(const Rows& second, const Rows& first) {
  Rows both(first.size());
  for (std::size_t i = 0; i < both.size(); ++i) both[i] = first[second[i]];
  return both;
}

std::string heads_text(std::size_t heads) {
  return std::to_string(heads) + (heads == 1 ? " head" : " heads");
}

class Mixed {
 public:
  Mixed(const RotatedTensors& tensors, std::span<const std::int64_t> given,
        const DiagnosisRequest& request)
      : all_(tensors),
        given_(given),
        request_(request),
        heads_(tensors.lanes),
        size_(tensors.lanes * tensors.dim),
        token_x_(size_),
        token_y_(size_) {
    tokens_ = spread(tensors.tokens, kMixedTokens);
    for (const std::size_t t : tokens_) {
      heads_of(all_.x, t, token_x_);
      for (const double x : token_x_) norm_ += x * x;
    }
  }

  std::optional<KnownBug> find() {
    for (const int order : {-1, 0}) {
      for (const RotaryEmbedding& embedding : plain_readings(request_, all_.dim))
        try_heads({0, all_.dim, order, order}, embedding);
      for (const RotaryEmbedding& embedding : plain_readings(request_, size_))
        try_whole({0, size_, order, order}, embedding);
    }
    if (!(best_.residual < kMostOfMixed)) return std::nullopt;
    return best_;
  }

 private:
  static std::string layout_word(const Arrangement& a) {
    return a.in == 0 ? "interleaved" : "half";
  }

  void take(std::string finding, Remedy remedy, const Arrangement& a,
            const RotaryEmbedding& embedding, double residual) {
    if (!(residual < 0.9 * best_.residual)) return;
    best_ = {std::move(finding), std::move(remedy),
             layout_word(a) + ", " + frequencies_text(named(embedding)), residual};
  }

  void try_heads(const Arrangement& a, const RotaryEmbedding& embedding) {
    try_numbers_of_heads(a, embedding);
    try_order_of_heads(a, embedding);
    try_reshapes(a, embedding);
  }

  /// The rows of a projection were reordered over another number of heads than it has.
  void try_numbers_of_heads(const Arrangement& a, const RotaryEmbedding& embedding) {
    const std::string own = heads_text(heads_);
    const auto mend = [&](const std::string& whose) {
      return Remedy("reordered-over-heads",
                    "reorder the rows " + whose +
                        ": rope convert model.safetensors --from interleaved --to half --heads " +
                        std::to_string(heads_) + " --head-dim " + std::to_string(all_.dim) +
                        " -o converted.safetensors");
    };
    const Remedy of_both = mend("for " + own + ", in the same way for x and y");
    const Remedy of_this = mend("of this projection for " + own);
    const Remedy none = {"reordered-over-heads", "leave that reordering out"};
    const Rows right = to_half(size_, heads_);
    for (std::size_t n = 1; n <= std::min<std::size_t>(kMostHeadsMixed, size_ / 2); ++n) {
      if (n == heads_ || size_ % (2 * n) != 0) continue;
      const Rows wrong = to_half(size_, n);
      const std::string over = "for " + heads_text(n) + " instead of " + own;
      take("the rows of y's projection were reordered from interleaved to half " + over, of_both, a,
           embedding, residual_of(a, embedding, wrong));
      take("the rows of x's projection were reordered from interleaved to half " + over +
               ", while those of y's were not",
           none, a, embedding, residual_of(a, embedding, inverse(wrong)));
      // For some numbers of heads the two are one permutation.
      const std::string of_one =
          "the rows of one projection, x's or y's, were reordered from interleaved to half " +
          over + ", while those of the other were reordered correctly";
      take(of_one, of_this, a, embedding, residual_of(a, embedding, after(right, inverse(wrong))));
      take(of_one, of_this, a, embedding, residual_of(a, embedding, after(wrong, inverse(right))));
    }
  }

  /// Which vector of x each vector of y is.
  void try_order_of_heads(const Arrangement& a, const RotaryEmbedding& embedding) {
    Rows from(heads_);
    for (std::size_t lane = 0; lane < heads_; ++lane) {
      const auto follows = [&](std::size_t source) {
        return residual_of(
                   a, embedding,
                   [&](std::size_t t, std::size_t) {
                     return Source{t, source, given_[t]};
                   },
                   lane) < kMostOfMixed;
      };
      std::size_t source = 0;
      while (source < heads_ && !follows(source)) ++source;
      if (source == heads_) return;
      from[lane] = source;
    }
    Rows as_they_are(heads_);
    std::iota(as_they_are.begin(), as_they_are.end(), std::size_t{0});
    if (from == as_they_are) return;
    std::string which;
    for (std::size_t lane = 0; lane < std::min<std::size_t>(heads_, 8); ++lane)
      which += (lane == 0 ? "" : ", ") + std::to_string(from[lane]);
    take("the heads of y are in another order: its heads 0, 1 … are heads " + which +
             (heads_ > 8 ? " …" : "") + " of x",
         {"head-order",
          "put the heads in the same order on both sides: for grouped keys, use repeat_interleave, "
          "not "
          "repeat or tile"},
         a, embedding, residual_of(a, embedding, [&](std::size_t t, std::size_t lane) {
           return Source{t, from[lane], given_[t]};
         }));
  }

  /// [tokens, heads] read as [heads, tokens], before the rotation, around it, or for the positions
  /// alone. Vector (t, h) is number t·H + h of one, h·T + t of the other.
  void try_reshapes(const Arrangement& a, const RotaryEmbedding& embedding) {
    if (heads_ == all_.tokens) return;  // then the other axis is read as tokens, which is plainer
    const std::size_t tokens = all_.tokens, heads = heads_;
    const Remedy mend = {
        "reshape",
        "use transpose(1, 2) on [batch, tokens, heads, head_dim] instead of view or reshape"};
    take(
        "the axes of heads and tokens are exchanged by a reshape before the rotation and by "
        "another after it: vector i of [tokens, heads] is given position i mod tokens",
        mend, a, embedding, residual_of(a, embedding, [&](std::size_t t, std::size_t h) {
          return Source{t, h, given_[(t * heads + h) % tokens]};
        }));
    take(
        "the axes of heads and tokens are exchanged by a reshape: vector i of [heads, tokens] "
        "has the position of vector i of [tokens, heads]",
        mend, a, embedding, residual_of(a, embedding, [&](std::size_t t, std::size_t h) {
          return Source{t, h, given_[(t + h * tokens) / heads]};
        }));
    take(
        "before the rotation, [tokens, heads] was reshaped to [heads, tokens] instead of being "
        "transposed: the vectors of y come from other heads and tokens of x",
        mend, a, embedding, residual_of(a, embedding, [&](std::size_t t, std::size_t h) {
          const std::size_t i = h * tokens + t;
          return Source{i / heads, i % heads, given_[t]};
        }));
    take(
        "x was reshaped from [tokens, heads] to [heads, tokens] instead of being transposed: its "
        "vectors belong to other heads and tokens of y",
        mend, a, embedding, residual_of(a, embedding, [&](std::size_t t, std::size_t h) {
          const std::size_t i = t * heads + h;
          return Source{i % tokens, i / tokens, given_[t]};
        }));
  }

  /// All heads of a token as one vector.
  void try_whole(const Arrangement& a, const RotaryEmbedding& embedding) {
    const Spectrum spectrum = named(embedding);
    std::vector<double> cos(a.pairs()), sin(a.pairs()), y(size_);
    double rest = 0;
    for (const std::size_t t : tokens_) {
      row_of(spectrum, given_[t], cos, sin);
      heads_of(all_.x, t, token_x_);
      heads_of(all_.y, t, token_y_);
      rotate_by(a, cos, sin, token_x_, y);
      for (std::size_t i = 0; i < size_; ++i) rest += std::pow(token_y_[i] - y[i], 2);
      if (hopeless(rest)) return;
    }
    take("all " + heads_text(heads_) + " of a token are rotated as one vector of " +
             std::to_string(size_) + " dimensions",
         {"heads-as-one-vector", "split the heads before the rotation, and rotate each of the " +
                                     heads_text(heads_) + " with the " +
                                     std::to_string(all_.dim / 2) +
                                     " frequencies of a head of size " + std::to_string(all_.dim)},
         a, embedding, std::sqrt(rest / norm_));
  }

  /// The numbers of all heads of a token, one behind the other.
  void heads_of(const Numbers& numbers, std::size_t token, std::span<double> values) const {
    for (std::size_t lane = 0; lane < heads_; ++lane)
      numbers.read(all_.row(token, lane), values.subspan(lane * all_.dim, all_.dim));
  }

  bool hopeless(double rest) const {
    return !(rest < kMostOfMixed * kMostOfMixed * norm_) ||
           !(rest < best_.residual * best_.residual * norm_);
  }

  /// Where a vector of y comes from, and its position.
  struct Source {
    std::size_t token, lane;
    std::int64_t position;
  };

  /// What is left when every vector of y, or those of one lane, is a vector of x that was turned.
  template <typename From>
  double residual_of(const Arrangement& a, const RotaryEmbedding& embedding, From from,
                     std::optional<std::size_t> only = std::nullopt) const {
    const Spectrum spectrum = named(embedding);
    std::vector<double> cos(a.pairs()), sin(a.pairs()), x(all_.dim), y(all_.dim);
    double rest = 0, norm = 0;
    for (const std::size_t t : tokens_) {
      for (std::size_t lane = only.value_or(0); lane < (only ? *only + 1 : heads_); ++lane) {
        const Source source = from(t, lane);
        row_of(spectrum, source.position, cos, sin);
        all_.x.read(all_.row(source.token, source.lane), x);
        rotate_by(a, cos, sin, x, y);
        for (std::size_t i = 0; i < all_.dim; ++i) {
          rest += std::pow(all_.y[all_.row(t, lane) + i] - y[i], 2);
          norm += x[i] * x[i];
        }
      }
      if (only ? !(rest < norm) : hopeless(rest)) return 1;
    }
    return norm > 0 ? std::sqrt(rest / norm) : 1;
  }

  /// The same where the numbers of all heads of a token are reordered first.
  double residual_of(const Arrangement& a, const RotaryEmbedding& embedding, const Rows& rows) {
    const Spectrum spectrum = named(embedding);
    std::vector<double> cos(a.pairs()), sin(a.pairs()), x(all_.dim), y(all_.dim);
    double rest = 0;
    for (const std::size_t t : tokens_) {
      row_of(spectrum, given_[t], cos, sin);
      heads_of(all_.x, t, token_x_);
      for (std::size_t lane = 0; lane < heads_; ++lane) {
        for (std::size_t i = 0; i < all_.dim; ++i) x[i] = token_x_[rows[lane * all_.dim + i]];
        rotate_by(a, cos, sin, x, y);
        for (std::size_t i = 0; i < all_.dim; ++i)
          rest += std::pow(all_.y[all_.row(t, lane) + i] - y[i], 2);
        if (hopeless(rest)) return 1;
      }
    }
    return std::sqrt(rest / norm_);
  }

  const RotatedTensors& all_;
  std::span<const std::int64_t> given_;
  const DiagnosisRequest& request_;
  std::size_t heads_, size_;
  std::vector<double> token_x_, token_y_;  // of all heads
  std::vector<std::size_t> tokens_;
  double norm_ = 0;
  KnownBug best_;
};

}  // namespace

std::optional<KnownBug> mixed_heads(const RotatedTensors& tensors,
                                    std::span<const std::int64_t> given,
                                    const DiagnosisRequest& request) {
  constexpr std::size_t kMostVectors = std::size_t{1} << 18;
  if (tensors.lanes < 2 || tensors.lanes > kMostHeadsMixed || tensors.dim % 2 != 0 ||
      tensors.tokens * tensors.lanes > kMostVectors)
    return std::nullopt;
  return Mixed(tensors, given, request).find();
}

}  // namespace rope
