#include "rope/verify/multiprecision.hpp"

#include <mpfr.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <string>

#include "rope/error.hpp"
#include "rope/precision/measured.hpp"
#include "rope/verify/random_case.hpp"

namespace rope {
namespace {

/// One MPFR number; every operation below rounds to nearest.
class Number {
 public:
  explicit Number(int bits) { mpfr_init2(value_, bits); }
  ~Number() { mpfr_clear(value_); }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
  Number(Number&& other) noexcept {
    mpfr_init2(value_, MPFR_PREC_MIN);
    mpfr_swap(value_, other.value_);
  }
  Number& operator=(Number&& other) noexcept {
    mpfr_swap(value_, other.value_);
    return *this;
  }

  mpfr_ptr get() { return value_; }
  mpfr_srcptr get() const { return value_; }
  long double magnitude() const { return std::abs(mpfr_get_ld(value_, MPFR_RNDN)); }

 private:
  mpfr_t value_;
};

using Numbers = std::vector<Number>;

Numbers zeros(std::size_t count, int bits) {
  Numbers numbers;
  for (std::size_t i = 0; i < count; ++i) {
    numbers.emplace_back(bits);
    mpfr_set_zero(numbers.back().get(), 1);
  }
  return numbers;
}

/// A rotor (scheme.hpp) with every number in the same number of bits.
class BitsRotor {
 public:
  BitsRotor(const RotorSpec& spec, int bits)
      : spec_(spec),
        theta_(zeros(spec.embedding.pairs(), bits)),
        cos_(zeros(theta_.size(), bits)),
        upper_(zeros(theta_.size(), bits)),
        lower_(zeros(theta_.size(), bits)),
        product_(bits) {
    Number base(64);
    const RotaryEmbedding& e = spec.embedding;
    for (std::size_t k = 0; k < theta_.size(); ++k) {
      if (!e.geometric_base()) {
        mpfr_set_d(theta_[k].get(), e.frequencies.theta[k], MPFR_RNDN);
        continue;
      }
      mpfr_set_d(base.get(), *e.base, MPFR_RNDN);
      mpfr_set_si(theta_[k].get(), -2 * static_cast<long>(k), MPFR_RNDN);
      mpfr_div_ui(theta_[k].get(), theta_[k].get(), e.rotary_dim(), MPFR_RNDN);
      mpfr_pow(theta_[k].get(), base.get(), theta_[k].get(), MPFR_RNDN);
    }
  }

  std::span<const Number> theta() const { return theta_; }

  void turn_to(std::int64_t position) {
    const std::int64_t moved = (spec_.reversed ? -position : position) + spec_.offset;
    for (std::size_t k = 0; k < theta_.size(); ++k) {
      mpfr_set_sj(product_.get(), moved, MPFR_RNDN);
      mpfr_mul(product_.get(), product_.get(), theta_[k].get(), MPFR_RNDN);
      mpfr_sin_cos(lower_[k].get(), cos_[k].get(), product_.get(), MPFR_RNDN);
      distort(k);
      mpfr_mul_d(cos_[k].get(), cos_[k].get(), spec_.factor, MPFR_RNDN);
      mpfr_mul_d(lower_[k].get(), lower_[k].get(), spec_.factor, MPFR_RNDN);
      mpfr_mul_d(upper_[k].get(), upper_[k].get(), spec_.factor, MPFR_RNDN);
    }
  }

  void apply(const Numbers& x, Numbers& y) {
    for (std::size_t i = 0; i < x.size(); ++i) mpfr_set(y[i].get(), x[i].get(), MPFR_RNDN);
    for (std::size_t k = 0; k < theta_.size(); ++k) {
      const auto [i, j] = spec_.embedding.dimensions(k);
      if (spec_.distortion == Distortion::additive) {
        mpfr_add(y[i].get(), x[i].get(), lower_[k].get(), MPFR_RNDN);
        mpfr_add(y[j].get(), x[j].get(), cos_[k].get(), MPFR_RNDN);
        continue;
      }
      mpfr_mul(y[i].get(), x[i].get(), cos_[k].get(), MPFR_RNDN);
      mpfr_mul(product_.get(), x[j].get(), upper_[k].get(), MPFR_RNDN);
      mpfr_sub(y[i].get(), y[i].get(), product_.get(), MPFR_RNDN);
      mpfr_mul(y[j].get(), x[i].get(), lower_[k].get(), MPFR_RNDN);
      mpfr_mul(product_.get(), x[j].get(), cos_[k].get(), MPFR_RNDN);
      mpfr_add(y[j].get(), y[j].get(), product_.get(), MPFR_RNDN);
    }
  }

 private:
  void distort(std::size_t k) {
    mpfr_set(upper_[k].get(), lower_[k].get(), MPFR_RNDN);
    switch (spec_.distortion) {
      case Distortion::swapped_sine:
        mpfr_neg(upper_[k].get(), lower_[k].get(), MPFR_RNDN);
        break;
      case Distortion::identity:
        mpfr_set_ui(cos_[k].get(), 1, MPFR_RNDN);
        [[fallthrough]];
      case Distortion::cosine_only:
        mpfr_set_zero(lower_[k].get(), 1);
        mpfr_set_zero(upper_[k].get(), 1);
        break;
      case Distortion::none:
      case Distortion::additive:
        break;
    }
  }

  RotorSpec spec_;
  Numbers theta_, cos_, upper_, lower_;
  Number product_;
};

/// The bounds of docs/accuracy.md for arithmetic in `bits` bits with correctly rounded functions.
/// long double, as u = 2^-bits may be far below what a double holds.
class BitsBounds {
 public:
  BitsBounds(int bits, std::size_t head_dim)
      : u_(std::ldexp(1.0L, -bits)), bits_(bits), dim_(static_cast<long double>(head_dim)) {}

  /// E: half a unit in the last place of numbers below 1, in both components.
  long double table() const { return u_ / std::numbers::sqrt2_v<long double>; }

  /// D: the position and its product with θ̂ are rounded once each.
  long double angle(std::int64_t position, long double theta) const {
    const auto p = static_cast<long double>(position < 0 ? -position : position);
    const long double position_error = bits_ >= 63 || p < std::ldexp(1.0L, bits_) ? 0 : u_ * p;
    return (position_error + u_ * (p + position_error)) * theta;
  }

  /// T of one pair.
  long double identity(std::int64_t m, std::int64_t n, long double theta) const {
    const long double turned = angle(m, theta) + angle(n, theta) + angle(n - m, theta);
    const long double e = table();
    return smaller(turned, 2.0L) + (m != 0 ? e : 0) + (n != 0 ? e : 0) + e * e + (m != n ? e : 0);
  }

  /// (A_L + A_R)/(‖q‖‖k‖)
  long double evaluation() const {
    const long double rho = std::numbers::sqrt2_v<long double> * (2 * u_ + u_ * u_);
    const long double nu = dim_ * u_, y = 1 + table(), dy = rho * y;
    return nu * (y + dy) * (y + dy) + 2 * y * dy + dy * dy + nu * (y + dy) + dy;
  }

 private:
  long double u_;
  int bits_;
  long double dim_;
};

class BitsRun {
 public:
  BitsRun(const SchemeSpec& spec, const RotaryEmbedding& embedding, int bits)
      : embedding_(embedding),
        query_(spec.query, bits),
        key_(spec.key, bits),
        relative_(spec.relative, bits),
        claimed_(right_scheme(embedding).key, bits),
        bounds_(bits, embedding.head_dim),
        q_(zeros(embedding.head_dim, bits)),
        k_(zeros(embedding.head_dim, bits)),
        rotated_q_(zeros(embedding.head_dim, bits)),
        rotated_k_(zeros(embedding.head_dim, bits)),
        left_(bits),
        right_(bits),
        product_(bits),
        difference_(bits + 64) {
    step_.bits = bits;
  }

  void add(const VerifyCase& given) {
    for (std::size_t i = 0; i < q_.size(); ++i) {
      mpfr_set_d(q_[i].get(), given.q[i], MPFR_RNDN);
      mpfr_set_d(k_[i].get(), given.k[i], MPFR_RNDN);
    }
    query_.turn_to(given.m);
    query_.apply(q_, rotated_q_);
    key_.turn_to(given.n);
    key_.apply(k_, rotated_k_);
    dot(rotated_q_, rotated_k_, left_);
    relative_.turn_to(given.n - given.m);
    relative_.apply(k_, rotated_k_);
    dot(q_, rotated_k_, right_);
    mpfr_sub(difference_.get(), left_.get(), right_.get(), MPFR_RNDN);
    const long double norms = length(q_) * length(k_);
    record(difference_.magnitude(), norms, bound(given, norms));
  }

  const MultiprecisionStep& step() const { return step_; }

 private:
  void dot(const Numbers& a, const Numbers& b, Number& sum) {
    mpfr_set_zero(sum.get(), 1);
    for (std::size_t i = 0; i < a.size(); ++i) {
      mpfr_mul(product_.get(), a[i].get(), b[i].get(), MPFR_RNDN);
      mpfr_add(sum.get(), sum.get(), product_.get(), MPFR_RNDN);
    }
  }

  static long double length(const Numbers& x) {
    long double squares = 0;
    for (const Number& value : x) squares += value.magnitude() * value.magnitude();
    return std::sqrt(squares);
  }

  long double bound(const VerifyCase& given, long double norms) const {
    const auto modulus = [](const Number& a, const Number& b) {
      return std::sqrt(a.magnitude() * a.magnitude() + b.magnitude() * b.magnitude());
    };
    long double sum = bounds_.evaluation() * norms;
    for (std::size_t k = 0; k < embedding_.pairs(); ++k) {
      const auto [i, j] = embedding_.dimensions(k);
      sum += bounds_.identity(given.m, given.n, claimed_.theta()[k].magnitude()) *
             modulus(q_[i], q_[j]) * modulus(k_[i], k_[j]);
    }
    return sum * static_cast<long double>(kBoundInflation);
  }

  void record(long double error, long double norms, long double bound) {
    ++step_.cases;
    if (!(error <= bound)) ++step_.violations;
    const auto ratio = static_cast<double>(error == 0 ? 0 : error / bound);
    if (exceeds(ratio, step_.max_ratio)) step_.max_ratio = ratio;
    if (norms == 0 || (step_.bound > 0 && error / norms <= step_.max_error)) return;
    step_.max_error = error / norms;
    step_.bound = bound / norms;
  }

  const RotaryEmbedding& embedding_;
  BitsRotor query_, key_, relative_;
  BitsRotor claimed_;  // a planted mistake may have other frequencies, or fewer
  BitsBounds bounds_;
  Numbers q_, k_, rotated_q_, rotated_k_;
  Number left_, right_, product_;
  Number difference_;  // with bits to spare, so that it is exact
  MultiprecisionStep step_;
};

}  // namespace

std::vector<MultiprecisionStep> verify_in_bits(const VerifyOptions& options,
                                               const std::vector<int>& bits) {
  RotaryEmbedding embedding = options.embedding;
  embedding.layout = options.layouts.at(0);
  const SchemeSpec spec =
      options.control ? options.control->plant(embedding) : right_scheme(embedding);
  const CaseMaker maker(options.seed, embedding.head_dim, options.max_position, Format::float64);
  std::vector<MultiprecisionStep> steps;
  VerifyCase given;
  for (const int each : bits) {
    if (each < kFewestBits || each > kMostBits)
      throw DomainError("precision: expected " + std::to_string(kFewestBits) + " to " +
                        std::to_string(kMostBits) + " bits, got " + std::to_string(each));
    BitsRun run(spec, embedding, each);
    if (options.given) run.add(*options.given);
    const std::uint64_t begin = options.only_case.value_or(0);
    const std::uint64_t end = options.given       ? begin
                              : options.only_case ? begin + 1
                                                  : options.trials;
    for (std::uint64_t number = begin; number < end; ++number) {
      maker.make(number, given);
      run.add(given);
      if (options.progress) options.progress(number + 1 - begin);
    }
    steps.push_back(run.step());
  }
  mpfr_free_cache();
  return steps;
}

}  // namespace rope
