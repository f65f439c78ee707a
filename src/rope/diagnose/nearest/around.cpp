#include "rope/diagnose/nearest/around.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "rope/diagnose/advice.hpp"
#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/frequencies/recognise.hpp"
#include "rope/diagnose/frequencies/round_numbers.hpp"
#include "rope/diagnose/nearest/least_squares.hpp"
#include "rope/diagnose/remedies.hpp"
#include "rope/diagnose/samples.hpp"
#include "rope/precision/largest.hpp"
#include "rope/rotary/ranges_text.hpp"

namespace rope {
namespace {

constexpr double kMostAround = 0.02;
constexpr double kMostOfEach = 0.1;  // of a single vector
constexpr std::size_t kLeastVectors = 4;

/// What is left of y when the best factors of a kind are taken out, relative to |y|.
class Undone {
 public:
  /// `z`: y turned back, vector by vector as x.
  Undone(const RotatedTensors& tensors, std::vector<double> z)
      : tensors_(tensors), z_(std::move(z)) {
    for (const double value : z_) size_ += value * value;
  }

  /// A factor of its own for each vector: z_v = s_v x_v. Whether s_v = 1/rms(x_v), and whether the
  /// vectors of a token, or those of a lane, share theirs.
  struct PerVector {
    double residual = 1;
    bool of_each = true;  ///< it leaves little of every vector, not only of them all
    bool normalises = false, per_token = false, per_lane = false;
    std::vector<double> factors;  ///< of the first vector of each token
    std::vector<double> of_lane;  ///< of the first vector of each lane
  };
  PerVector per_vector() const {
    PerVector result;
    double rest = 0, off_norm = 0, off_token = 0, off_lane = 0;
    result.of_lane.assign(tensors_.lanes, 0);
    for (std::size_t t = 0; t < tensors_.tokens; ++t) {
      double first = 0;
      for (std::size_t lane = 0; lane < tensors_.lanes; ++lane) {
        double xx = 0, xz = 0, zz = 0;
        for (std::size_t i = 0; i < tensors_.dim; ++i) {
          const double x = tensors_.x[tensors_.row(t, lane) + i];
          const double z = z_[tensors_.dense_row(t, lane) + i];
          xx += x * x;
          xz += x * z;
          zz += z * z;
        }
        if (!(xx > 0)) continue;
        rest += zz - xz * xz / xx;
        if (!(zz - xz * xz / xx <= kMostOfEach * kMostOfEach * zz)) result.of_each = false;
        const double factor = xz / xx;
        if (lane == 0) {
          first = factor;
          result.factors.push_back(factor);
        }
        double& of_lane = result.of_lane[lane];
        if (of_lane == 0) of_lane = factor;
        off_lane = larger(off_lane, std::abs(factor / of_lane - 1));
        const double rms = std::sqrt(xx / static_cast<double>(tensors_.dim));
        off_norm = larger(off_norm, std::abs(factor * rms - 1));
        off_token = larger(off_token, std::abs(factor / first - 1));
      }
    }
    result.residual = std::sqrt(larger(rest, 0.0) / size_);
    result.normalises = off_norm < kMostAround;
    result.per_token = tensors_.lanes > 1 && off_token < kMostAround;
    result.per_lane = tensors_.lanes > 2 && tensors_.tokens > 1 && off_lane < kMostAround;
    return result;
  }

  /// A power of the position for each pair: z = exp(m_t·c_i)·x.
  struct PerPair {
    double residual = 1;
    bool powers = false;        ///< each token has that factor by itself, up to rounding
    std::vector<double> rates;  ///< c_i
  };
  PerPair per_pair(const Arrangement& a, std::span<const std::int64_t> positions) const {
    PerPair result;
    double rest = outside(a), misfit = 0, sum = 0;
    std::vector<PairProducts> products(tensors_.tokens);
    for (std::size_t k = 0; k < a.pairs(); ++k) {
      double mg = 0, mm = 0;
      for (std::size_t t = 0; t < tensors_.tokens; ++t) {
        products[t] = products_of(a, k, t);
        const auto m = static_cast<double>(positions[t]);
        mg += m * products[t].logarithm();
        mm += m * m;
      }
      result.rates.push_back(mm > 0 ? mg / mm : 0);
      for (std::size_t t = 0; t < tensors_.tokens; ++t) {
        const auto& [xx, xz, zz] = products[t];
        const double power = result.rates.back() * static_cast<double>(positions[t]);
        misfit += std::pow(products[t].logarithm() - power, 2);
        sum += std::pow(products[t].logarithm(), 2);
        rest += zz - 2 * std::exp(power) * xz + std::exp(2 * power) * xx;
      }
    }
    result.residual = std::sqrt(larger(rest, 0.0) / size_);
    const double noise = limits(narrowest_format(tensors_, &RotatedTensors::y)).unit_roundoff *
                         std::sqrt(static_cast<double>(a.pairs() * tensors_.tokens));
    // One factor is a power of whatever position it has.
    std::vector<std::int64_t> moved(positions.begin(), positions.end());
    std::erase(moved, 0);
    const bool several =
        std::ranges::any_of(moved, [&](std::int64_t m) { return m != moved.front(); });
    result.powers = several && sum > 0 && std::sqrt(misfit) < kMostAround * std::sqrt(sum) + noise;
    return result;
  }

  /// What is left relative to |y| where nothing but the rotation was done.
  double untouched() const {
    double rest = 0;
    for (std::size_t t = 0; t < tensors_.tokens; ++t)
      for (std::size_t lane = 0; lane < tensors_.lanes; ++lane)
        for (std::size_t i = 0; i < tensors_.dim; ++i) rest += squared_change(t, lane, i);
    return std::sqrt(rest / size_);
  }

 private:
  /// x·x, x·z and z·z of a pair over the vectors of a token.
  struct PairProducts {
    double xx = 0, xz = 0, zz = 0;
    /// Of the factor that leaves least of z.
    double logarithm() const { return xz > 0 && xx > 0 ? std::log(xz / xx) : 0; }
  };
  PairProducts products_of(const Arrangement& a, std::size_t k, std::size_t t) const {
    PairProducts sums;
    for (std::size_t lane = 0; lane < tensors_.lanes; ++lane)
      for (const std::size_t i : {a.in_dimensions(k).first, a.in_dimensions(k).second}) {
        const double x = tensors_.x[tensors_.row(t, lane) + i];
        const double z = z_[tensors_.dense_row(t, lane) + i];
        sums.xx += x * x, sums.xz += x * z, sums.zz += z * z;
      }
    return sums;
  }

  double squared_change(std::size_t t, std::size_t lane, std::size_t i) const {
    return std::pow(z_[tensors_.dense_row(t, lane) + i] - tensors_.x[tensors_.row(t, lane) + i], 2);
  }

  /// What changed in the dimensions that pass through, squared.
  double outside(const Arrangement& a) const {
    double rest = 0;
    for (std::size_t t = 0; t < tensors_.tokens; ++t)
      for (std::size_t lane = 0; lane < tensors_.lanes; ++lane)
        for (std::size_t i = 0; i < tensors_.dim; ++i)
          if (!a.rotates(i)) rest += squared_change(t, lane, i);
    return rest;
  }

  const RotatedTensors& tensors_;
  std::vector<double> z_;
  double size_ = 0;
};

/// Heads that have a factor of their own, which is not that of most.
struct OddLanes {
  std::vector<std::size_t> lanes;
  double factor = 1, usual = 1;
};
std::optional<OddLanes> odd_lanes(const Undone::PerVector& scaled) {
  if (!scaled.per_lane) return std::nullopt;
  std::vector<double> sorted = scaled.of_lane;
  std::ranges::sort(sorted);
  OddLanes odd;
  odd.usual = sorted[sorted.size() / 2];
  const auto alike = [](double a, double b) { return std::abs(a / b - 1) < kMostAround; };
  for (std::size_t lane = 0; lane < scaled.of_lane.size(); ++lane) {
    if (alike(scaled.of_lane[lane], odd.usual)) continue;
    if (!odd.lanes.empty() && !alike(scaled.of_lane[lane], odd.factor)) return std::nullopt;
    odd.factor = scaled.of_lane[lane];
    odd.lanes.push_back(lane);
  }
  if (odd.lanes.empty() || 2 * odd.lanes.size() > scaled.of_lane.size()) return std::nullopt;
  return odd;
}

/// What is left of b − a when a number of its own is added to each of `dim` numbers, relative to
/// |b|.
double bias_residual(std::span<const double> a, std::span<const double> b, std::size_t dim) {
  std::vector<double> sum(dim), squares(dim);
  double size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum[i % dim] += b[i] - a[i];
    squares[i % dim] += (b[i] - a[i]) * (b[i] - a[i]);
    size += b[i] * b[i];
  }
  const std::size_t whole = a.size() / dim;
  const auto vectors = static_cast<double>(whole);
  double rest = 0;
  for (std::size_t i = 0; i < dim; ++i) rest += larger(0.0, squares[i] - sum[i] * sum[i] / vectors);
  return size > 0 ? std::sqrt(rest / size) : 1;
}

/// Weights of the numbers of each pair: y1 = α·c x1 − β·s x2, y2 = γ·s x1 + δ·c x2 by least
/// squares.
struct PairWeights {
  double residual = 1;
  bool before = true, behind = true, across = true;
};

/// The normal equations of two weights.
struct Normal {
  double uu = 0, uv = 0, vv = 0, uy = 0, vy = 0, yy = 0, count = 0;
  void add(double u, double v, double y) {
    uu += u * u, uv += u * v, vv += v * v, uy += u * y, vy += v * y, yy += y * y, ++count;
  }
  /// The two weights, what they leave, and whether that tells both of them.
  struct Solution {
    double p = 1, q = 1, rest = 0;
    bool told = false;
  };
  Solution solve() const {
    const double det = uu * vv - uv * uv;
    // One of the two hardly counts where a pair hardly turns.
    if (!(det > 1e-6 * uu * vv)) return {1, 1, larger(0.0, yy)};
    const double p = (uy * vv - vy * uv) / det, q = (vy * uu - uy * uv) / det;
    const double rest = larger(0.0, yy - p * uy - q * vy);
    constexpr double kDeviations = 4;
    const double scatter = kDeviations * std::sqrt(rest / (count * det));
    return {p, q, rest,
            scatter * std::sqrt(vv) < kMostAround * std::abs(p) &&
                scatter * std::sqrt(uu) < kMostAround * std::abs(q)};
  }
};

/// What a weight of its own leaves of each dimension that passes through, squared, and how much
/// there is.
std::pair<double, double> left_of_passing(const RotatedTensors& tensors, const Arrangement& a,
                                          std::span<const double> lengths) {
  double rest = 0, size = 0;
  for (std::size_t i = 0; i < tensors.dim; ++i) {
    if (a.rotates(i)) continue;
    double xx = 0, xy = 0, yy = 0;
    std::size_t vector = 0;
    for_each_vector(tensors, [&](std::size_t row) {
      const double length = lengths[vector++], y = tensors.y[row + i];
      const double x = length > 0 ? tensors.x[row + i] / length : 0;
      xx += x * x, xy += x * y, yy += y * y;
    });
    rest += xx > 0 ? larger(0.0, yy - xy * xy / xx) : yy;
    size += yy;
  }
  return {rest, size};
}

/// `lengths`: what each vector of x is divided by first.
PairWeights pair_weights(const RotatedTensors& tensors, const Arrangement& a,
                         const Spectrum& spectrum, std::span<const std::int64_t> positions,
                         std::span<const double> lengths) {
  std::vector<Normal> first(a.pairs()), second(a.pairs());
  std::vector<double> cos(a.pairs()), sin(a.pairs());
  for (std::size_t t = 0; t < tensors.tokens; ++t) {
    row_of(spectrum, positions[t], cos, sin);
    for (std::size_t lane = 0; lane < tensors.lanes; ++lane) {
      const std::size_t row = tensors.row(t, lane);
      const double length = lengths[t * tensors.lanes + lane];
      if (!(length > 0)) continue;
      for (std::size_t k = 0; k < a.pairs(); ++k) {
        const PairDimensions in = a.in_dimensions(k), out = a.out_dimensions(k);
        const double x1 = tensors.x[row + in.first] / length;
        const double x2 = tensors.x[row + in.second] / length;
        first[k].add(cos[k] * x1, -sin[k] * x2, tensors.y[row + out.first]);
        second[k].add(sin[k] * x1, cos[k] * x2, tensors.y[row + out.second]);
      }
    }
  }
  PairWeights result;
  bool told = false;
  auto [rest, size] = left_of_passing(tensors, a, lengths);
  for (std::size_t k = 0; k < a.pairs(); ++k) {
    const auto [alpha, beta, one, first_told] = first[k].solve();
    const auto [gamma, delta, other, second_told] = second[k].solve();
    rest += one + other;
    size += first[k].yy + second[k].yy;
    // A pair tells as far as what is left shows it to turn: slow pairs, whose weights would be the
    // numbers of other frequencies, are spared only where rounding hides how they turn.
    if (!first_told || !second_told) continue;
    told = true;
    const auto alike = [](double p, double q) {
      return std::abs(p - q) < kMostAround * std::abs(q);
    };
    result.before = result.before && alike(alpha, gamma) && alike(beta, delta);
    result.behind = result.behind && alike(alpha, beta) && alike(gamma, delta);
    result.across = result.across && alike(alpha, 1) && alike(delta, 1) && alike(beta * gamma, 1);
  }
  // Where no pair turns, its four weights are two, which any mistake in a half may have made.
  if (!told) result.before = result.behind = result.across = false;
  result.residual = size > 0 ? std::sqrt(rest / size) : 1;
  return result;
}

/// |x|/√d of every vector.
std::vector<double> root_mean_squares(const RotatedTensors& tensors) {
  std::vector<double> result;
  for_each_vector(tensors, [&](std::size_t row) {
    double squares = 0;
    for (std::size_t i = row; i < row + tensors.dim; ++i) squares += tensors.x[i] * tensors.x[i];
    result.push_back(std::sqrt(squares / static_cast<double>(tensors.dim)));
  });
  return result;
}

class AroundSearch {
 public:
  AroundSearch(const RotatedTensors& tensors, std::span<const std::int64_t> given,
               const DiagnosisRequest& request)
      : tensors_(tensors),
        given_(given),
        request_(request),
        numbers_(copied(tensors)),
        rms_(root_mean_squares(tensors)) {}

  std::optional<Around> find() {
    for (const auto& [in, layout] : {std::pair(-1, "half"), std::pair(0, "interleaved")})
      for (const RotaryEmbedding& embedding : plain_readings(request_, size()))
        try_all({0, size(), in, in}, named(embedding), layout);
    if (!(best_.residual < kMostAround)) return std::nullopt;
    return best_;
  }

 private:
  std::size_t size() const {
    const std::size_t whole = tensors_.dim - tensors_.dim % 2;
    return request_.assumed ? std::min<std::size_t>(request_.assumed->embedding.rotary_dim(), whole)
                            : whole;
  }

  void try_all(const Arrangement& a, const Spectrum& spectrum, const std::string& layout) {
    const std::string convention = layout + ", " + frequencies_text(spectrum);
    const Undone undone(tensors_, turned(a, spectrum, true));
    untouched_ = undone.untouched();
    const Undone::PerVector scaled = undone.per_vector();
    if (!scaled.of_each) {
      // A factor near 0 makes all of a vector small, whatever it holds.
    } else if (scaled.normalises)
      take(
          "x is normalised (RMSNorm without a weight) before it is rotated or, equivalently, "
          "afterwards",
          {"norm", either("leave the normalisation out",
                          "normalise x before it is rotated, as was done for y")},
          convention, scaled.residual);
    else if (scaled.per_token)
      take("every token has a factor of its own, shared by its vectors" +
               token_factor_text(scaled.factors),
           {"token-factor", either("leave the factor out",
                                   "multiply each token's x by its factor before the rotation")},
           convention, scaled.residual);
    else if (const std::optional<OddLanes> odd = odd_lanes(scaled))
      take((odd->lanes.size() == 1 ? "vector " : "vectors ") + ranges_text(odd->lanes) +
               " of every token " + (odd->lanes.size() == 1 ? "is" : "are") + " multiplied by " +
               plain_number(odd->factor, 3) + ", the others by " + plain_number(odd->usual, 3),
           {"odd-heads", either("leave the factor out for these heads",
                                "multiply the same heads of x by it before they are rotated")},
           convention, scaled.residual);
    else
      take("every vector has a factor of its own",
           {"vector-factors",
            either("leave these factors out",
                   "give rope the x that enters the rotation, with these factors applied")},
           convention, scaled.residual);
    const Undone::PerPair growing = undone.per_pair(a, given_);
    if (growing.powers)
      take("every pair is scaled by a number to the power of the position, as in xPos: pair 0 by " +
               plain_number(std::exp(growing.rates.front())) + "^m",
           {"xpos", either("leave xPos out of both q and k",
                           "scale q by this factor and k by its inverse")},
           convention, growing.residual);
    try_weights(a, spectrum, convention);
    const std::size_t row = tensors_.dim * tensors_.lanes;  // every head has a bias of its own
    for (const std::size_t numbers : {tensors_.dim, row}) {
      if (tensors_.size() / numbers < kLeastVectors) continue;
      take("a bias is added before the rotation",
           {"bias", either("leave the bias out", "add the bias of q_proj and k_proj to x")},
           convention, bias_residual(numbers_.x, turned(a, spectrum, true), numbers));
      take("a bias is added after the rotation",
           {"bias-behind",
            "add the bias of q_proj and k_proj to x before the rotation, not after it, and give "
            "rope that x"},
           convention, bias_residual(turned(a, spectrum, false), numbers_.y, numbers));
    }
  }

  /// A weight per dimension, of a norm or alone.
  void try_weights(const Arrangement& a, const Spectrum& spectrum, const std::string& convention) {
    const std::vector<double> ones(tensors_.tokens * tensors_.lanes, 1), norms = rms_;
    constexpr std::size_t kLeastForWeights = 12;  // vectors: two weights are fitted to each number
    if (ones.size() < kLeastForWeights) return;
    for (const bool normed : {false, true}) {
      const PairWeights found = pair_weights(tensors_, a, spectrum, given_, normed ? norms : ones);
      const std::string what = normed ? "x is normalised (RMSNorm) and weighted"
                                      : "every dimension has a weight of its own";
      if (found.before)
        take(normed ? what + " before it is rotated" : what + ", applied before the rotation",
             normed
                 ? Remedy("weighted-norm",
                          either("leave the normalisation and its weight out",
                                 "normalise and weight x before it is rotated, as was done for y"))
                 : Remedy(
                       "weight",
                       either("leave the weight out",
                              "multiply x by the weight before it is rotated, as was done for y")),
             convention, found.residual);
      else if (found.behind)
        take(normed ? what + " after it is rotated" : what + ", applied after the rotation",
             normed ? Remedy("norm-behind",
                             "normalise and weight x before the rotation, not after it, and give "
                             "rope that x")
                    : Remedy("weight-behind",
                             "weight x before the rotation, not after it, and give rope that x"),
             convention, found.residual);
      else if (found.across && !normed)
        take(
            "x includes a weight per dimension (from a norm), but in y it is applied after the "
            "rotation",
            {"weight-across", "normalise and weight q and k before the rotation, not after it"},
            convention, found.residual);
    }
  }

  /// What the factors of the tokens follow: a·ln(m + 1), or Llama 4's temperature.
  std::string token_factor_text(std::span<const double> factors) const {
    constexpr double kFollows = 1e-3;
    constexpr double kScale = 0.1, kFloor = 8192;  // of Llama 4
    if (factors.size() != given_.size()) return {};
    double of_last = 0, off_logn = 0, off_llama = 0;
    for (std::size_t t = 0; t < factors.size(); ++t) {
      const auto m = static_cast<double>(given_[t]);
      if (!(m >= 1)) continue;
      const double base = std::exp(std::log(m + 1) / factors[t]);
      if (std::abs(factors[t] - 1) > kFollows) {
        if (of_last > 0) off_logn = larger(off_logn, std::abs(std::log(base / of_last)));
        of_last = base;
      }
      const double llama = kScale * std::log(std::floor((m + 1) / kFloor) + 1) + 1;
      off_llama = larger(off_llama, std::abs(factors[t] - llama));
    }
    if (off_llama < kFollows) return ": 1 + 0.1·ln(⌊(m + 1)/8192⌋ + 1), Llama 4's temperature";
    if (of_last > 0 && off_logn < kFollows * 10)
      return ": ln(m + 1)/ln " + plain_number(of_last, 4) + ", logn scaling";
    return {};
  }

  /// R x, or y turned back.
  std::vector<double> turned(const Arrangement& a, const Spectrum& spectrum, bool back) const {
    std::vector<double> cos(a.pairs()), sin(a.pairs()), result(tensors_.size());
    Spectrum way = spectrum;
    way.clockwise = back;
    way.embedding.attention_factor = 1;
    for (std::size_t t = 0; t < tensors_.tokens; ++t) {
      row_of(way, given_[t], cos, sin);
      for (std::size_t lane = 0; lane < tensors_.lanes; ++lane) {
        const std::size_t row = tensors_.dense_row(t, lane);
        rotate_by(a, cos, sin, std::span(back ? numbers_.y : numbers_.x).subspan(row, tensors_.dim),
                  std::span(result).subspan(row, tensors_.dim));
      }
    }
    return result;
  }

  void take(std::string finding, Remedy remedy, const std::string& convention, double residual) {
    // A factor of 1, an exponent of 0 and a bias of 0 explain nothing.
    if (!(residual < 0.5 * best_.residual) || !(residual < 0.5 * untouched_)) return;
    best_ = {std::move(finding), std::move(remedy), convention, residual};
  }

  const RotatedTensors& tensors_;
  std::span<const std::int64_t> given_;
  const DiagnosisRequest& request_;
  CopiedNumbers numbers_;
  std::vector<double> rms_;
  double untouched_ = 1;  // what the rotation alone leaves, relative to |y|
  Around best_;
};

}  // namespace

std::optional<Around> around_rotation(const RotatedTensors& tensors,
                                      std::span<const std::int64_t> given,
                                      const DiagnosisRequest& request) {
  if (tensors.tokens * tensors.lanes < kLeastVectors) return std::nullopt;
  return AroundSearch(tensors, given, request).find();
}

}  // namespace rope
