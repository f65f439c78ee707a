#include "rope/diagnose/verdict/judge.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "rope/error.hpp"
#include "rope/precision/bounds.hpp"
#include "rope/precision/largest.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/rotary/rotation.hpp"

namespace rope {
namespace {

constexpr double kRotationRounding =
    3 * 0x1p-53;  // of our R x: two products and a sum, cos and sin

bool narrow(Format format) { return limits(format).precision < limits(Format::float32).precision; }

/// Steps in which model code computes frequencies that a rule changed, in units of u, relative to
/// θ_i: a ramp rounded in three steps is multiplied by up to θ/θ_i, beside eight other roundings.
double rule_rounding(const RotaryEmbedding& embedding, std::size_t pair, double u) {
  const double theta = embedding.frequencies.theta[pair];
  if (theta == 0) return 0;
  const double base = embedding.base.value_or(1 / theta);
  const double unscaled =
      embedding.base
          ? std::pow(base, -static_cast<double>(pair) / static_cast<double>(embedding.pairs()))
          : theta;
  const double slope = std::abs(std::log(unscaled));  // rounding of the exponent
  return u * (8 + slope + 4 * larger(1.0, unscaled / theta));
}

/// Angle errors that the bounds of the precision layer do not cover, relative to the angle: the
/// steps of a rule, frequencies of another libm, and repeated products of frequencies that are not
/// geometric.
double further_angle_error(const Policy& policy, const RotaryEmbedding& embedding,
                           std::size_t pair) {
  if (policy.angle_rule == AngleRule::exact) return 0;
  const double u = limits(policy.frequency).unit_roundoff;
  const bool narrower = limits(policy.frequency).precision < limits(policy.angle).precision;
  if (embedding.geometric_base()) return narrower ? 4 * u : 0;
  double error = rule_rounding(embedding, pair, u);
  if (policy.angle_rule == AngleRule::recurrence) error += 4 * static_cast<double>(pair) * u;
  return error;
}

/// The policy without the cast of cos and sin.
Policy before_cast(Policy policy) {
  policy.table = policy.trig();
  return policy;
}

/// The pipeline of a reference whose numbers `storage` holds: as that of y, or as rough as these
/// numbers. A reference is right: it rounds no angle by mistake.
Policy of_reference(Policy policy, Format storage) {
  const auto finer = [](Format a, Format b) { return limits(a).precision > limits(b).precision; };
  for (Format* step : {&policy.position, &policy.frequency, &policy.angle})
    if (finer(Format::float32, *step)) *step = Format::float32;
  for (Format* step : {&policy.table, &policy.apply})
    if (finer(*step, storage)) *step = storage;
  policy.store = storage;
  return policy;
}

/// A number and its error.
struct Known {
  double value, error;
};

/// An uncertain number cast to a format. Rounding is monotonic, so the result lies between the
/// rounded ends of the interval, which mostly are the same number.
Known cast(Format format, Known number) {
  const double low = round_to(format, number.value - number.error);
  const double high = round_to(format, number.value + number.error);
  return {low + (high - low) / 2, (high - low) / 2};
}

/// The rotation of one token after the other, as the pipeline's tables have it (or emulated), and
/// its error.
class TokenBounds {
 public:
  TokenBounds(const JudgedPolicy& judged, const Spectrum& spectrum,
              const DiagnosisHypotheses& hypotheses)
      : judged_(judged),
        spectrum_(spectrum),
        pipeline_(judged.policy, spectrum.embedding),
        casts_(!judged.emulated && judged.policy.angle_rule != AngleRule::exact &&
               limits(judged.policy.table).precision < limits(judged.policy.trig()).precision),
        bounds_(casts_ ? Pipeline(before_cast(judged.policy), spectrum.embedding) : pipeline_,
                Hypotheses{hypotheses.libm_ulp, hypotheses.libm_ulp}) {
    for (std::size_t k = 0; k < spectrum.embedding.pairs(); ++k) {
      // Uses the policy itself: without a base, the pipeline falls back to products.
      further_.push_back(further_angle_error(judged.policy, spectrum.embedding, k) *
                         spectrum.embedding.frequencies.theta[k]);
    }
  }

  /// Each pair's row and error are those of the position on its own axis.
  void go_to(const Position& place) {
    const Axes& axes = spectrum_.embedding.axes;
    go_to(place[0]);
    for (std::size_t a = 1; a < axes.count(); ++a) {
      if (place[a] == place[0]) continue;
      const RotationRow before = row_;
      const std::vector<double> errors = per_pair_;
      go_to(place[a]);
      for (std::size_t k = 0; k < errors.size(); ++k) {
        if (axes.of_pair[k] == a) continue;
        row_.cos[k] = before.cos[k];
        row_.sin[k] = before.sin[k];
        per_pair_[k] = errors[k];
      }
    }
  }

  void go_to(std::int64_t position) {
    const std::int64_t signed_position = spectrum_.clockwise ? -position : position;
    if (judged_.emulated) {
      pipeline_.table_row(signed_position, row_);
      per_pair_.assign(further_.size(), 2 * bounds_.table_error(signed_position));
      return;
    }
    row_ = rotation_row(spectrum_.embedding, signed_position);
    bounds_.exact(signed_position, per_pair_);
    bounds_.faithfulness(signed_position, faithful_);
    const double distance = std::abs(static_cast<double>(position));
    for (std::size_t k = 0; k < per_pair_.size(); ++k)
      per_pair_[k] = larger(per_pair_[k], faithful_[k]) + distance * further_[k] +
                     fitting_error(distance, k) +
                     smaller(spectrum_.factor_error,
                             0.5 * limits(judged_.policy.store).unit_roundoff + 0x1p-50);
  }

  /// ŷ = R̂x of one pair, and the error of its two numbers.
  struct Rotated {
    std::array<double, 2> first, second;  // the exact products of which ŷ is the sum
    std::array<double, 2> open;
    std::array<double, 2> exact;  // R x
  };
  Rotated rotate(std::size_t frequency, double a, double b) const {
    const double c = row_.cos[frequency], s = row_.sin[frequency], error = per_pair_[frequency];
    const double factor = spectrum_.embedding.attention_factor;
    const std::array<double, 2> exact = {a * c - b * s, a * s + b * c};
    if (!casts_) {
      const double moved = error * (factor * std::sqrt(a * a + b * b));
      return {{a * c, a * s}, {-b * s, b * c}, {moved, moved}, exact};
    }
    const Known cos = cast(judged_.policy.table, {c, factor * error});
    const Known sin = cast(judged_.policy.table, {s, factor * error});
    const double one = std::abs(a), other = std::abs(b);
    return {{a * cos.value, a * sin.value},
            {-b * sin.value, b * cos.value},
            {one * cos.error + other * sin.error, one * sin.error + other * cos.error},
            exact};
  }

  /// The error of cos and sin of any pair at this position, whichever its frequency up to 1.
  double error_of_any_pair(const Position& place) const {
    double most = 0, farthest = 0;
    for (const double error : per_pair_) most = larger(most, error);
    for (std::size_t a = 0; a < spectrum_.embedding.axes.count(); ++a)
      farthest = larger(farthest, std::abs(static_cast<double>(place[a])));
    const double of_angle = 2 * limits(judged_.policy.angle).unit_roundoff +
                            limits(judged_.policy.frequency).unit_roundoff;
    return most + farthest * of_angle + (casts_ ? limits(judged_.policy.table).unit_roundoff : 0);
  }

 private:
  /// The error of fitted frequencies. They were fitted to rounded numbers, so the error of an angle
  /// is at most a few roundings of this pipeline, however large that of θ_i is.
  double fitting_error(double distance, std::size_t k) const {
    if (spectrum_.theta_error.empty()) return 0;
    const double angle = distance * spectrum_.embedding.frequencies.theta[k];
    const double few = spectrum_.recognised ? 1 : 16;  // one base, or every frequency by itself
    return smaller(distance * spectrum_.theta_error[k],
                   few * (limits(judged_.policy.store).unit_roundoff +
                          2 * limits(judged_.policy.angle).unit_roundoff * angle));
  }

  JudgedPolicy judged_;
  const Spectrum& spectrum_;
  Pipeline pipeline_;
  bool casts_;
  ErrorBounds bounds_;  // of cos and sin before they are cast, if they are
  RotationRow row_;
  std::vector<double> per_pair_, faithful_, further_;
};

/// Rounding of one rotated number: products and sum, its storage, and noise that was declared.
class ElementBound {
 public:
  ElementBound(const Policy& policy, const DiagnosisHypotheses& hypotheses, bool input_is_cast)
      : apply_(limits(policy.apply)), store_(limits(policy.store)) {
    cast_ = store_.precision < apply_.precision ? store_.unit_roundoff : 0;
    input_ = input_is_cast ? limits(policy.input()).unit_roundoff : 0;
    noise_ = 2 * hypotheses.noise_ulp * store_.unit_roundoff;
  }

  /// `first`, `second`: the exact products whose sum is y; `moved`: its error from cos and sin.
  double of(double first, double second, double moved, double y) const {
    const double products = std::abs(first) + std::abs(second) + 2 * moved;
    const double magnitude = std::abs(y);
    const double u = apply_.unit_roundoff;
    const double cast = cast_ * magnitude * (1 + 2 * cast_) + store_.underflow / 2;
    return moved + (u * (products + magnitude + cast) * (1 + 2 * u) + apply_.underflow + cast +
                    input_ * products + noise_ * magnitude + kRotationRounding * products);
  }

  /// The error that numbers carry if they were turned back from a pair of that length, rotated by
  /// such a pipeline: both of its numbers erred as of() allows, whose products add up to √2·length,
  /// and were turned twice. 0 for a length of 0.
  double carried(double length, double rotation_error) const {
    if (length == 0) return 0;
    const double each = std::numbers::sqrt2 * length;
    return std::numbers::sqrt2 * of(each, 0, rotation_error * each, length);
  }

  double passing(double x, double y) const {
    const double widest = larger(store_.unit_roundoff, input_);
    return input_ > 0 || cast_ > 0 ? widest * std::abs(x) * (1 + 2 * widest) + store_.underflow / 2
                                   : noise_ * std::abs(y);
  }

 private:
  const FormatLimits &apply_, &store_;
  double cast_ = 0, input_ = 0, noise_ = 0;
};

/// The errors that x has if a rotation was turned back to obtain it; none otherwise.
class CarriedError {
 public:
  CarriedError(const Numbers& x, const Policy& policy, const Spectrum& spectrum,
               const DiagnosisHypotheses& hypotheses)
      : x_(x) {
    if (!x.turned_back()) return;
    const Policy reference = of_reference(policy, x.reference());
    bounds_.emplace(JudgedPolicy{reference, false}, spectrum, hypotheses);
    element_.emplace(reference, hypotheses, false);
  }

  void go_to(const Position& place) {
    if (!bounds_) return;
    bounds_->go_to(place);
    rotation_ = bounds_->error_of_any_pair(place);
  }

  double of(std::size_t i) const {
    return bounds_ ? element_->carried(x_.origin(i), rotation_) : 0;
  }
  double of(std::size_t i, std::size_t j) const {
    return bounds_ ? element_->carried(x_.origin(i, j), rotation_) : 0;
  }

 private:
  const Numbers& x_;
  std::optional<TokenBounds> bounds_;
  std::optional<ElementBound> element_;
  double rotation_ = 0;
};

/// Keeps the element with the largest ratio of error to bound.
struct Worst {
  Judgement result;

  struct Element {
    double error, bound;
    double distance;  ///< |y − R x|
  };
  void add(const Element& element, std::size_t token, std::size_t lane, std::size_t dimension) {
    const auto [error, bound, distance] = element;
    ++result.elements;
    result.max_error = larger(result.max_error, distance);
    if (!(error <= bound)) ++result.violations;
    // Compared as products, so that a bound of 0 needs no special case.
    if (result.elements == 1 || exceeds(error * result.bound, result.error * bound)) {
      result.error = error;
      result.bound = bound;
      result.token = token;
      result.lane = lane;
      result.dimension = dimension;
    }
  }
};

/// A policy that --policy has no name for.
struct FurtherPolicy {
  const char* text;
  const char* name;
  const char* summary;
};

constexpr auto kFurtherPolicies = std::to_array<FurtherPolicy>({
    {"float64,frequency=f32", "float64-float32-frequencies",
     "frequencies rounded to float32, everything else in float64"},
    {"angle=f32,table=f32,apply=f64", "float64-float32-tables",
     "cos and sin of float32 angles, applied to float64 vectors"},
    {"angle=f32,table=bf16,apply=f64", "float64-bfloat16-tables",
     "cos and sin kept in bfloat16, applied to float64 vectors"},
    {"angle=f32,table=f16,apply=f64", "float64-float16-tables",
     "cos and sin kept in float16, applied to float64 vectors"},
    {"angle=f32,table=f16,apply=f32", "float16-cache",
     "cos and sin kept in float16, rotated in float32"},
    {"float32,store=f16", "float16-store", "rotated in float32, the result cast to float16"},
    {"float64,store=f32", "float64-cast", "every stage in float64, the result cast to float32"},
    {"ggml,store=f16", "ggml-float16-store",
     "ggml's repeated products, the result cast to float16"},
    {"ggml,store=bf16", "ggml-bfloat16-store",
     "ggml's repeated products, the result cast to bfloat16"},
});

std::vector<JudgedPolicy> all_policies() {
  std::vector<JudgedPolicy> result;
  for (const Policy& policy : policies()) {
    if (policy.store == Format::float8 || policy.sum == SumOrder::pairwise) continue;
    const bool emulated = narrow(policy.position) || narrow(policy.frequency);
    result.push_back({policy, emulated});
  }
  for (const auto& [text, name, summary] : kFurtherPolicies) {
    Policy policy = parse_policy(text);
    policy.name = name;
    policy.summary = summary;
    result.push_back({std::move(policy), false});
  }
  return result;
}

/// How rough a pipeline is; pipelines are sorted by it, the most exact first.
double roughness(const JudgedPolicy& judged) {
  const Policy& p = judged.policy;
  double sum = 0;
  for (const Format format : {p.frequency, p.angle, p.table, p.apply, p.store})
    sum += limits(format).unit_roundoff;
  if (p.angle_rule == AngleRule::exact) sum *= 0.5;
  if (p.angle_rule == AngleRule::scale_power) sum *= 1.5;
  if (p.angle_rule == AngleRule::recurrence) sum *= 4;
  // Another libm may have rounded the frequencies differently: looser than angles in their format.
  if (limits(p.frequency).precision < limits(p.angle).precision) sum *= 2;
  if (judged.emulated) sum += 1;  // known bugs come last
  return sum;
}

}  // namespace

bool rounds_by_mistake(const Policy& policy) {
  return narrow(policy.position) || narrow(policy.frequency) || narrow(policy.angle);
}

bool rougher_than_result(const Policy& policy) {
  return rounds_by_mistake(policy) ||
         limits(policy.table).precision < limits(policy.store).precision;
}

std::vector<JudgedPolicy> possible_policies(const RotatedTensors& tensors) {
  std::vector<JudgedPolicy> result = all_policies();
  const Format narrowest = narrowest_format(tensors, &RotatedTensors::y);
  // A wider format would not leave every number exact in a narrower one.
  std::erase_if(result,
                [&](const JudgedPolicy& judged) { return judged.policy.store != narrowest; });
  std::stable_sort(result.begin(), result.end(), [](const JudgedPolicy& a, const JudgedPolicy& b) {
    return roughness(a) < roughness(b);
  });
  return result;
}

Judge::Judge(const RotatedTensors& tensors, const Arrangement& arrangement,
             const DiagnosisHypotheses& hypotheses)
    : Judge(tensors, arrangement, hypotheses, narrowest_format(tensors, &RotatedTensors::x)) {}

Judge::Judge(RotatedTensors tensors, const Arrangement& arrangement,
             const DiagnosisHypotheses& hypotheses, Format input)
    : tensors_(std::move(tensors)),
      arrangement_(arrangement),
      hypotheses_(hypotheses),
      input_format_(input) {
  for (std::size_t k = 0; k < arrangement.pairs(); ++k) {
    in_.push_back(arrangement.in_dimensions(k));
    out_.push_back(arrangement.out_dimensions(k));
  }
}

Judgement Judge::judge(const JudgedPolicy& policy, const Regime& regime, std::size_t enough) const {
  std::optional<TokenBounds> bounds_of_policy;
  std::optional<CarriedError> carried_error;
  try {
    bounds_of_policy.emplace(policy, regime.spectrum, hypotheses_);
    carried_error.emplace(tensors_.x, policy.policy, regime.spectrum, hypotheses_);
  } catch (const DomainError&) {  // its formats do not hold these frequencies
    Judgement impossible;
    impossible.elements = impossible.violations =
        regime.tokens.size() * tensors_.lanes * tensors_.dim;
    return impossible;
  }
  TokenBounds& token_bounds = *bounds_of_policy;
  CarriedError& carried = *carried_error;
  const Format input = policy.policy.input();
  const ElementBound element(policy.policy, hypotheses_,
                             input != Format::float64 && input != input_format_ &&
                                 limits(input).precision < limits(input_format_).precision);
  Worst worst;
  for (std::size_t i = 0; i < regime.tokens.size(); ++i) {
    const std::size_t token = regime.tokens[i];
    token_bounds.go_to(regime.place(i));
    carried.go_to(regime.place(i));
    for (std::size_t lane = 0; lane < tensors_.lanes; ++lane) {
      const std::size_t row = tensors_.row(token, lane);
      for (std::size_t k = 0; k < arrangement_.pairs(); ++k) {
        const PairDimensions in = in_[k], out = out_[k];
        const double before = carried.of(row + in.first, row + in.second);
        const std::size_t f = regime.spectrum.frequency_of(k);
        const double a = tensors_.x[row + in.first], b = tensors_.x[row + in.second];
        const TokenBounds::Rotated r = token_bounds.rotate(f, a, b);
        const std::array<std::size_t, 2> dimensions = {out.first, out.second};
        for (std::size_t i2 = 0; i2 < 2; ++i2) {
          const double y = tensors_.y[row + dimensions[i2]];
          worst.add({std::abs(y - (r.first[i2] + r.second[i2])),
                     element.of(r.first[i2], r.second[i2], r.open[i2], y) + before,
                     std::abs(y - r.exact[i2])},
                    token, lane, dimensions[i2]);
        }
      }
      for (std::size_t i2 = 0; i2 < tensors_.dim; ++i2) {
        if (rotates(i2)) continue;
        const double x = tensors_.x[row + i2], y = tensors_.y[row + i2];
        const double bound = element.passing(x, y) + carried.of(row + i2);
        worst.add({std::abs(y - x), bound, std::abs(y - x)}, token, lane, i2);
      }
      if (worst.result.violations >= enough) return worst.result;
    }
  }
  worst.result.passed = worst.result.violations == 0;
  return worst.result;
}

std::vector<double> Judge::error_map(const Regime& regime) const {
  std::vector<double> map;
  map.reserve(regime.tokens.size() * arrangement_.pairs());
  for (std::size_t i = 0; i < regime.tokens.size(); ++i) {
    const Spectrum& spectrum = regime.spectrum;
    RotationRow row = rotation_row(spectrum.embedding, regime.place(i));
    if (spectrum.clockwise) transpose(row);
    for (std::size_t k = 0; k < arrangement_.pairs(); ++k) {
      const PairDimensions in = in_[k], out = out_[k];
      const double c = row.cos[spectrum.frequency_of(k)], s = row.sin[spectrum.frequency_of(k)];
      Largest error;
      for (std::size_t lane = 0; lane < tensors_.lanes; ++lane) {
        const std::size_t at = tensors_.row(regime.tokens[i], lane);
        const double a = tensors_.x[at + in.first], b = tensors_.x[at + in.second];
        error.take(std::abs(tensors_.y[at + out.first] - (a * c - b * s)));
        error.take(std::abs(tensors_.y[at + out.second] - (a * s + b * c)));
      }
      map.push_back(error.value());
    }
  }
  return map;
}

}  // namespace rope
