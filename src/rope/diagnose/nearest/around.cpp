#include "rope/diagnose/nearest/around.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "rope/diagnose/advice.hpp"
#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/frequencies/recognise.hpp"
#include "rope/diagnose/nearest/least_squares.hpp"
#include "rope/precision/largest.hpp"

namespace rope {
namespace {

constexpr double kMostAround = 0.02;
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
  /// vectors of a token share theirs.
  struct PerVector {
    double residual = 1;
    bool normalises = false, per_token = false;
  };
  PerVector per_vector() const {
    PerVector result;
    double rest = 0, off_norm = 0, off_token = 0;
    for (std::size_t t = 0; t < tensors_.tokens; ++t) {
      double first = 0;
      for (std::size_t lane = 0; lane < tensors_.lanes; ++lane) {
        const std::size_t row = tensors_.row(t, lane);
        double xx = 0, xz = 0, zz = 0;
        for (std::size_t i = row; i < row + tensors_.dim; ++i) {
          xx += tensors_.x[i] * tensors_.x[i];
          xz += tensors_.x[i] * z_[i];
          zz += z_[i] * z_[i];
        }
        if (!(xx > 0)) continue;
        rest += zz - xz * xz / xx;
        const double factor = xz / xx;
        if (lane == 0) first = factor;
        const double rms = std::sqrt(xx / static_cast<double>(tensors_.dim));
        off_norm = larger(off_norm, std::abs(factor * rms - 1));
        off_token = larger(off_token, std::abs(factor / first - 1));
      }
    }
    result.residual = std::sqrt(larger(rest, 0.0) / size_);
    result.normalises = off_norm < kMostAround;
    result.per_token = tensors_.lanes > 1 && off_token < kMostAround;
    return result;
  }

  /// RMSNorm with a weight per dimension: z_vi = w_i x_vi / rms(x_v).
  double weighted_norm() const {
    std::vector<double> xz(tensors_.dim), xx(tensors_.dim), zz(tensors_.dim);
    for (std::size_t row = 0; row < z_.size(); row += tensors_.dim) {
      double squares = 0;
      for (std::size_t i = 0; i < tensors_.dim; ++i)
        squares += tensors_.x[row + i] * tensors_.x[row + i];
      const double rms = std::sqrt(squares / static_cast<double>(tensors_.dim));
      if (!(rms > 0)) continue;
      for (std::size_t i = 0; i < tensors_.dim; ++i) {
        const double x = tensors_.x[row + i] / rms;
        xx[i] += x * x;
        xz[i] += x * z_[row + i];
        zz[i] += z_[row + i] * z_[row + i];
      }
    }
    double rest = 0;
    for (std::size_t i = 0; i < tensors_.dim; ++i)
      rest += xx[i] > 0 ? larger(0.0, zz[i] - xz[i] * xz[i] / xx[i]) : zz[i];
    return std::sqrt(rest / size_);
  }

 private:
  const RotatedTensors& tensors_;
  std::vector<double> z_;
  double size_ = 0;
};

/// What is left of b − a when one number per dimension is added, relative to |b|.
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

class AroundSearch {
 public:
  AroundSearch(const RotatedTensors& tensors, std::span<const std::int64_t> given,
               const DiagnosisRequest& request)
      : tensors_(tensors), given_(given), request_(request) {}

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
    const Undone::PerVector scaled = undone.per_vector();
    if (scaled.normalises)
      take("x is normalised (RMSNorm, without a weight) before it is rotated",
           "give x as it is after the normalisation, or normalise q and k before the rotation",
           convention, scaled.residual);
    else if (scaled.per_token)
      take("every token has a factor of its own, which its vectors share (as logn scaling has)",
           "multiply the queries of each token by its factor, or leave that out on both sides",
           convention, scaled.residual);
    else
      take("every vector has a factor of its own", "compare x as it enters the rotation",
           convention, scaled.residual);
    take("x is normalised (RMSNorm) and weighted before it is rotated",
         "give x as it is after the normalisation, or normalise q and k before the rotation",
         convention, undone.weighted_norm());
    take("a bias is added before the rotation", "add the bias of q_proj and k_proj to x",
         convention, bias_residual(tensors_.x, turned(a, spectrum, true), tensors_.dim));
    take("a bias is added after the rotation",
         "add the bias of q_proj and k_proj before the rotation, not after it", convention,
         bias_residual(turned(a, spectrum, false), tensors_.y, tensors_.dim));
  }

  /// R x, or y turned back.
  std::vector<double> turned(const Arrangement& a, const Spectrum& spectrum, bool back) const {
    std::vector<double> cos(a.pairs()), sin(a.pairs()), result(tensors_.x.size());
    Spectrum way = spectrum;
    way.clockwise = back;
    way.embedding.attention_factor = 1;
    for (std::size_t t = 0; t < tensors_.tokens; ++t) {
      row_of(way, given_[t], cos, sin);
      for (std::size_t lane = 0; lane < tensors_.lanes; ++lane) {
        const std::size_t row = tensors_.row(t, lane);
        rotate_by(a, cos, sin, std::span(back ? tensors_.y : tensors_.x).subspan(row, tensors_.dim),
                  std::span(result).subspan(row, tensors_.dim));
      }
    }
    return result;
  }

  void take(std::string finding, std::string remedy, const std::string& convention,
            double residual) {
    if (!(residual < 0.5 * best_.residual)) return;
    best_ = {std::move(finding), std::move(remedy), convention, residual};
  }

  const RotatedTensors& tensors_;
  std::span<const std::int64_t> given_;
  const DiagnosisRequest& request_;
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
