#include "rope/verify/multiprecision.hpp"

#include <mpfr.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "rope/error.hpp"
#include "rope/precision/largest.hpp"
#include "rope/verify/bits_bounds.hpp"
#include "rope/verify/random_case.hpp"
#include "rope/verify/wide.hpp"

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
  Wide magnitude() const {
    long exponent = 0;
    const double number = mpfr_get_d_2exp(&exponent, value_, MPFR_RNDN);
    return {std::abs(number), exponent};
  }

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

/// θ_i in as many bits as the number has: b^(−2i/r), or the double that θ_i is held in.
void set_theta(const RotaryEmbedding& embedding, std::size_t pair, Number& theta) {
  if (!embedding.geometric_base()) {
    mpfr_set_d(theta.get(), embedding.frequencies.theta[pair], MPFR_RNDN);
    return;
  }
  Number base(64);
  mpfr_set_d(base.get(), *embedding.base, MPFR_RNDN);
  mpfr_set_si(theta.get(), -2 * static_cast<long>(pair), MPFR_RNDN);
  mpfr_div_ui(theta.get(), theta.get(), embedding.rotary_dim(), MPFR_RNDN);
  mpfr_pow(theta.get(), base.get(), theta.get(), MPFR_RNDN);
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
    for (std::size_t k = 0; k < theta_.size(); ++k) set_theta(spec.embedding, k, theta_[k]);
  }

  std::span<const Number> theta() const { return theta_; }
  const RotorSpec& spec() const { return spec_; }

  /// The blocks [cos −upper; lower cos] of the row it was turned to.
  const Number& cos(std::size_t pair) const { return cos_[pair]; }
  const Number& upper(std::size_t pair) const { return upper_[pair]; }
  const Number& lower(std::size_t pair) const { return lower_[pair]; }

  void turn_to(std::int64_t position) {
    const std::int64_t moved = spec_.rotated_by(position);
    for (std::size_t k = 0; k < theta_.size(); ++k) {
      mpfr_set_sj(product_.get(), moved, MPFR_RNDN);
      mpfr_mul(product_.get(), product_.get(), theta_[k].get(), MPFR_RNDN);
      mpfr_sin_cos(lower_[k].get(), cos_[k].get(), product_.get(), MPFR_RNDN);
    }
    for (std::size_t k = theta_.size(); k-- > 0;) {  // downwards: a late sine is still as it was
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
      case Distortion::late_sine:
        mpfr_set(upper_[k].get(), lower_[k == 0 ? 0 : k - 1].get(), MPFR_RNDN);
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

/// The true cos and sin of every pair, in so many more bits that they are exact beside numbers of
/// `bits` bits: an angle of up to 2^125 (|p| ≤ 2^61, θ ≤ 2^64) is right to 2^-bits/2^35.
class TrueRow {
 public:
  TrueRow(const RotaryEmbedding& embedding, int bits)
      : theta_(zeros(embedding.pairs(), bits + kSpareBits)),
        angle_(bits + kSpareBits),
        one_(bits + kSpareBits),
        cos_(bits + kSpareBits),
        sin_(bits + kSpareBits),
        difference_(bits + kSpareBits) {
    for (std::size_t k = 0; k < theta_.size(); ++k) set_theta(embedding, k, theta_[k]);
    mpfr_set_ui(one_.get(), 1, MPFR_RNDN);
  }

  void turn_to(std::int64_t position, std::size_t pair) {
    mpfr_set_sj(angle_.get(), position, MPFR_RNDN);
    mpfr_mul(angle_.get(), angle_.get(), theta_[pair].get(), MPFR_RNDN);
    mpfr_sin_cos(sin_.get(), cos_.get(), angle_.get(), MPFR_RNDN);
  }

  /// How far [cos −upper; lower other_cos] is from the true block, the longer of its columns; no
  /// number: 1 on the diagonal, 0 beside it.
  Wide error(const Number* cos, const Number* upper, const Number* lower, const Number* other_cos) {
    const auto column = [&](const Number* c, const Number* s) {
      const Wide dc = distance(c != nullptr ? *c : one_, cos_);
      const Wide ds = s != nullptr ? distance(*s, sin_) : sin_.magnitude();
      return sqrt(dc * dc + ds * ds);
    };
    return larger(column(cos, lower), column(other_cos, upper));
  }

 private:
  static constexpr int kSpareBits = 160;

  Wide distance(const Number& a, const Number& b) {
    mpfr_sub(difference_.get(), a.get(), b.get(), MPFR_RNDN);
    return difference_.magnitude();
  }

  Numbers theta_;
  Number angle_, one_, cos_, sin_, difference_;
};

constexpr std::uint64_t kTableCases = 16;  // of which the tables are compared with the truth

class BitsRun {
 public:
  BitsRun(const SchemeSpec& spec, const RotaryEmbedding& embedding, int bits)
      : embedding_(embedding),
        query_(spec.query, bits),
        key_(spec.key, bits),
        relative_(spec.relative, bits),
        truth_(embedding, bits),
        claimed_(right_scheme(embedding).key, bits),
        bounds_(bits, embedding),
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
    if (step_.cases < kTableCases) {
      compare_table(query_, given.m);
      compare_table(key_, given.n);
      compare_table(relative_, given.n - given.m);
    }
    relative_.apply(k_, rotated_k_);
    dot(q_, rotated_k_, right_);
    mpfr_sub(difference_.get(), left_.get(), right_.get(), MPFR_RNDN);
    const Wide norms = length(q_) * length(k_);
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

  static Wide length(const Numbers& x) {
    Wide squares;
    for (const Number& value : x) squares = squares + value.magnitude() * value.magnitude();
    return sqrt(squares);
  }

  Wide bound(const VerifyCase& given, Wide norms) {
    const auto modulus = [](const Number& a, const Number& b) {
      return sqrt(a.magnitude() * a.magnitude() + b.magnitude() * b.magnitude());
    };
    Wide sum = bounds_.evaluation() * norms;
    Wide largest;
    for (std::size_t k = 0; k < embedding_.pairs(); ++k) {
      const auto [i, j] = embedding_.dimensions(k);
      const Wide turn = bounds_.identity(given.m, given.n, claimed_.theta()[k].magnitude());
      largest = larger(largest, turn);
      sum = sum + turn * modulus(q_[i], q_[j]) * modulus(k_[i], k_[j]);
    }
    if (!(largest < 1)) ++step_.vacuous;
    return sum * kBoundInflation;
  }

  void record(Wide error, Wide norms, Wide bound) {
    ++step_.cases;
    if (!(error <= bound)) ++step_.violations;
    const auto ratio = static_cast<double>(error == 0 ? Wide() : error / bound);
    if (exceeds(ratio, step_.max_ratio)) step_.max_ratio = ratio;
    if (norms == 0) return;
    const auto relative = static_cast<long double>(error / norms);
    if (step_.bound > 0 && !exceeds(relative, step_.max_error)) return;
    step_.max_error = relative;
    step_.bound = static_cast<long double>(bound / norms);
  }

  /// The row that a rotor was turned to, beside the true one of this position.
  void compare_table(const BitsRotor& rotor, std::int64_t position) {
    const bool additive = rotor.spec().distortion == Distortion::additive;
    const std::vector<PairSource> sources =
        pair_sources(rotor.spec().embedding, embedding_, additive);
    for (std::size_t k = 0; k < sources.size(); ++k) {
      const auto [first, second, together] = sources[k];
      truth_.turn_to(position, k);
      const auto diagonal = [&](std::size_t pair) {
        return pair == PairSource::kNone ? nullptr : &rotor.cos(pair);
      };
      const Wide error = truth_.error(diagonal(first), together ? &rotor.upper(first) : nullptr,
                                      together ? &rotor.lower(first) : nullptr, diagonal(second));
      const Wide bound = bounds_.truth(position, k, claimed_.theta()[k].magnitude());
      ++step_.entries;
      if (!(error <= bound)) ++step_.table_violations;
      const auto shown = static_cast<long double>(error);
      if (exceeds(shown, step_.max_table_error)) step_.max_table_error = shown;
      const auto ratio = static_cast<double>(error == 0 ? Wide() : error / bound);
      if (exceeds(ratio, step_.max_table_ratio)) step_.max_table_ratio = ratio;
    }
  }

  const RotaryEmbedding& embedding_;
  BitsRotor query_, key_, relative_;
  TrueRow truth_;
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
  check_options(options);
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

Verdict verdict(const VerifyOptions& options, const std::vector<MultiprecisionStep>& steps) {
  if (!std::ranges::all_of(steps, &MultiprecisionStep::held)) return Verdict::fail;
  const MultiprecisionStep* most = nullptr;
  for (const MultiprecisionStep& step : steps)
    if (most == nullptr || step.bits > most->bits) most = &step;
  const bool proven = most != nullptr && most->vacuous == 0 && !options.control;
  return proven ? Verdict::pass : Verdict::inconclusive;
}

bool error_falls(const std::vector<MultiprecisionStep>& steps) {
  const auto no_less = [](const MultiprecisionStep& a, const MultiprecisionStep& b) {
    return !(b.max_error < a.max_error);
  };
  const auto met = [](const MultiprecisionStep& step) { return step.violations == 0; };
  return steps.size() > 1 && std::ranges::all_of(steps, met) &&
         std::ranges::adjacent_find(steps, no_less) == steps.end();
}

}  // namespace rope
