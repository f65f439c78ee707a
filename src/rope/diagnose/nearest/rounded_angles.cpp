#include "rope/diagnose/nearest/rounded_angles.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include "rope/diagnose/frequencies/round_numbers.hpp"
#include "rope/diagnose/named_numbers.hpp"
#include "rope/precision/largest.hpp"
#include "rope/precision/rounding.hpp"

namespace rope {
namespace {

constexpr std::int64_t kMostAccumulated = std::int64_t{1} << 20;  // positions

/// How a mistake comes to cos and sin of every pair at a position.
enum class AngleMistake {
  cast_frequencies,  ///< m·fl(θ_i)
  angles,            ///< fl(mθ_i)
  everything,        ///< fl(fl(m)·fl(θ_i))
  pair_products,     ///< a_0 = fl(m), a_i = fl(a_{i−1}·fl(s)) with s = b^(−2/r)
  frequencies,       ///< m·θ_i with θ_i = fl(θ_{i−1}·fl(s))
  token_sums,        ///< a_m = fl(a_{m−1} + fl(θ_i))
  token_rotations,   ///< z_m = fl(z_{m−1}·e^{iθ_i})
};

struct Mistake {
  AngleMistake kind;
  const char* finding;  ///< without the format, which follows
  RemedyName name;
  const char* remedy;
};
constexpr const char* kWider = "compute the angles in float32 or wider, and cast only cos and sin";
constexpr const char* kFromPosition =
    "compute every angle from its position, as mθ, not from the angle of the previous token";
constexpr std::array kMistakes = {
    Mistake{AngleMistake::cast_frequencies, "frequencies (inv_freq) that were rounded to ",
            "rounded-frequencies",
            "compute inv_freq in float32, and never cast it: a module's half(), to(dtype) and "
            "autocast cast its buffers too"},
    Mistake{AngleMistake::angles, "angles mθ that were rounded to ", "rounded-angles", kWider},
    Mistake{AngleMistake::everything,
            "positions, frequencies and their products that were all rounded to ",
            "everything-rounded", kWider},
    Mistake{AngleMistake::pair_products,
            "angles that were multiplied by b^(−2/r) from pair to pair in ", "angle-products",
            "compute every angle as mθ_i, or the products in float32 or wider"},
    Mistake{AngleMistake::frequencies,
            "frequencies that were multiplied by b^(−2/r) from pair to pair in ",
            "frequency-products", "compute every θ_i as b^(−2i/r) in float32 or wider"},
    Mistake{AngleMistake::token_sums, "angles that were added up from token to token in ",
            "angle-sums", kFromPosition},
    Mistake{AngleMistake::token_rotations,
            "cos and sin that were multiplied from token to token in ", "rotation-products",
            kFromPosition},
};

class Rounded {
 public:
  Rounded(const LeastSquares& fit, AngleMistake kind, Format format)
      : fit_(fit), theta_(fit.spectrum.embedding.frequencies.theta), kind_(kind), format_(format) {
    const RotaryEmbedding& e = fit.spectrum.embedding;
    scale_ = e.base ? rounded(std::pow(*e.base, -2 / static_cast<double>(e.rotary_dim()))) : 0;
  }

  /// Whether it can be computed for these positions and frequencies.
  bool possible() const {
    const bool by_pairs =
        kind_ == AngleMistake::pair_products || kind_ == AngleMistake::frequencies;
    const bool by_tokens =
        kind_ == AngleMistake::token_sums || kind_ == AngleMistake::token_rotations;
    if (by_pairs) return fit_.spectrum.embedding.geometric_base().has_value();
    return !by_tokens || std::all_of(fit_.positions.begin(), fit_.positions.end(),
                                     [](auto m) { return m >= 0 && m <= kMostAccumulated; });
  }

  /// e^{iφ} of every token (rows) and pair (columns).
  std::vector<std::complex<double>> turns() const {
    std::vector<std::complex<double>> all(fit_.positions.size() * theta_.size());
    for (std::size_t i = 0; i < theta_.size(); ++i)
      by_tokens() ? accumulate(i, all) : compute(i, all);
    return all;
  }

 private:
  double rounded(double value) const { return round_to(format_, value); }
  /// As code in float32 has it: beside a tie of 16 bits the exact product rounds the other way.
  static double single(double value) { return round_to(Format::float32, value); }
  bool by_tokens() const {
    return kind_ == AngleMistake::token_sums || kind_ == AngleMistake::token_rotations;
  }

  double angle(double m, std::size_t i) const {
    switch (kind_) {
      case AngleMistake::cast_frequencies:
        return m * rounded(theta_[i]);
      case AngleMistake::everything:
        return rounded(rounded(m) * rounded(theta_[i]));
      case AngleMistake::pair_products:
      case AngleMistake::frequencies: {
        double product = kind_ == AngleMistake::frequencies ? 1 : rounded(m);
        for (std::size_t pair = 0; pair < i; ++pair) product = rounded(product * scale_);
        return kind_ == AngleMistake::frequencies ? m * product : product;
      }
      default:
        return rounded(single(m * single(theta_[i])));
    }
  }

  void compute(std::size_t i, std::vector<std::complex<double>>& all) const {
    for (std::size_t t = 0; t < fit_.positions.size(); ++t)
      all[t * theta_.size() + i] =
          std::polar(1.0, angle(static_cast<double>(fit_.positions[t]), i));
  }

  /// From position 0 up to that of the last token.
  void accumulate(std::size_t i, std::vector<std::complex<double>>& all) const {
    std::int64_t last = 0;
    for (const std::int64_t position : fit_.positions)
      last = std::max<std::int64_t>(last, position);
    std::vector<std::complex<double>> at;
    at.reserve(static_cast<std::size_t>(last) + 1);
    const double step = rounded(theta_[i]);
    const std::complex<double> turn = std::polar(1.0, theta_[i]);
    double sum = 0;
    std::complex<double> product = 1;
    for (std::int64_t m = 0; m <= last; ++m) {
      at.push_back(kind_ == AngleMistake::token_sums ? std::polar(1.0, sum) : product);
      sum = rounded(sum + step);
      const std::complex<double> next = product * turn;
      product = {rounded(next.real()), rounded(next.imag())};
    }
    for (std::size_t t = 0; t < fit_.positions.size(); ++t)
      all[t * theta_.size() + i] = at[static_cast<std::size_t>(fit_.positions[t])];
  }

  const LeastSquares& fit_;
  const std::vector<double>& theta_;
  AngleMistake kind_;
  Format format_;
  double scale_ = 0;
};

/// |y − R̂ x| over |x|.
double residual_of(const RotatedTensors& tensors, const LeastSquares& fit,
                   std::span<const std::complex<double>> turns) {
  const std::size_t pairs = fit.arrangement.pairs();
  const double factor = fit.spectrum.embedding.attention_factor;
  std::vector<double> cos(pairs), sin(pairs), x(tensors.dim), y(tensors.dim);
  double rest = 0, all = 0;
  for (std::size_t t = 0; t < tensors.tokens; ++t) {
    for (std::size_t i = 0; i < pairs; ++i) {
      const std::complex<double> turn = turns[t * pairs + fit.spectrum.frequency_of(i)];
      cos[i] = factor * turn.real();
      sin[i] = factor * (fit.spectrum.clockwise ? -turn.imag() : turn.imag());
    }
    for (std::size_t lane = 0; lane < tensors.lanes; ++lane) {
      tensors.x.read(tensors.row(t, lane), x);
      rotate_by(fit.arrangement, cos, sin, x, y);
      for (std::size_t i = 0; i < tensors.dim; ++i) {
        rest += std::pow(tensors.y[tensors.row(t, lane) + i] - y[i], 2);
        all += x[i] * x[i];
      }
    }
  }
  return all > 0 ? std::sqrt(rest / all) : 1;
}

}  // namespace

Remains rounded_angles(const RotatedTensors& tensors, const LeastSquares& fit) {
  // Of what exact angles leave, and of |x|: what is left by the right angles is rounding.
  constexpr double kClearly = 0.25, kMostLeft = 0.01;
  Remains best;
  double squares = 0;
  for (const double left : lane_residuals(tensors, fit)) squares += left * left;
  double least =
      smaller(kClearly * std::sqrt(squares / static_cast<double>(tensors.lanes)), kMostLeft);
  for (const Mistake& mistake : kMistakes)
    for (const Format format : {Format::float16, Format::bfloat16, Format::float32}) {
      const Rounded rounded(fit, mistake.kind, format);
      if (!rounded.possible()) continue;
      const double left = residual_of(tensors, fit, rounded.turns());
      if (!(left < least)) continue;
      least = left;
      best = {mistake.finding + format_word(format) + "; with them, the remainder is " +
                  plain_number(left, 2) + " of |x|",
              {mistake.name, mistake.remedy}};
    }
  return best;
}

}  // namespace rope
