#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "rope/scaling/scaling.hpp"
#include "support/interval.hpp"

// The scaling rules of docs/scaling.md, read off the page once more and computed in intervals of
// 700 bits: of src/rope/scaling there are the names of rules and parameters alone. Where a rule
// decides (⌊c⌋, θ_i ≥ high) the intervals decide as well, or say that they cannot.
namespace rope::test {

class DocumentedScaling {
 public:
  using Real = IntervalOf<700>;

  DocumentedScaling(const ScalingSpec& spec, const ScalingContext& context)
      : spec_(spec),
        context_(context),
        d_(static_cast<double>(context.head_dim)),
        r_(static_cast<double>(context.rotary_dim)),
        base_(context.base),
        factor_(number("factor") ? Real(*number("factor"))
                : context.max_positions && number("original")
                    ? Real(*context.max_positions) / Real(*number("original"))
                    : Real(1.0)),
        original_(
            number("original").value_or(static_cast<double>(context.max_positions.value_or(0)))) {}

  std::vector<Real> theta() const {
    if (spec_.rule == "proportional") return proportional();
    std::vector<Real> result;
    const std::size_t pairs = context_.rotary_dim / 2;
    for (std::size_t k = 0; k < pairs; ++k) result.push_back(theta(k));
    return result;
  }

  Real attention_factor() const {
    const bool yarn = spec_.rule == "yarn" || spec_.rule == "yarn-paper";
    if (!yarn && spec_.rule != "longrope") return 1.0;
    if (const std::optional<double> given = number("attention_factor")) return *given;
    if (!surely_above(factor_, Real(1.0))) return 1.0;
    if (!yarn) return sqrt(Real(1.0) + log(factor_) / log(original_));
    const double one = number("mscale").value_or(0), all = number("mscale_all_dim").value_or(0);
    return one != 0 && all != 0 ? magnitude(one) / magnitude(all) : magnitude(1);
  }

 private:
  std::optional<double> number(std::string_view name) const {
    const auto found = spec_.numbers.find(name);
    return found == spec_.numbers.end() ? std::nullopt : std::optional(found->second);
  }

  static Real power(const Real& x, const Real& y) { return exp(y * log(x)); }
  static Real of_pair(std::size_t k) { return static_cast<double>(k); }
  static Real two_pi() { return Real(2.0) * Real::pi(); }
  static Real clamped(const Real& x) { return larger_of(Real(0.0), smaller_of(x, Real(1.0))); }
  static bool at_most(const Real& x, const Real& y) {
    if (surely_at_most(x, y)) return true;
    if (surely_above(x, y)) return false;
    throw std::runtime_error("intervals of 700 bits cannot decide");
  }

  /// b^(−2i/r).
  static Real geometric(const Real& base, std::size_t k, const Real& size) {
    return power(base, -(Real(2.0) * of_pair(k) / size));
  }
  Real unscaled(std::size_t k) const { return geometric(base_, k, r_); }
  Real turns_in_original(std::size_t k) const { return original_ * unscaled(k) / two_pi(); }
  Real blend(std::size_t k, const Real& kept) const {
    return (Real(1.0) - kept) * unscaled(k) / factor_ + kept * unscaled(k);
  }
  Real magnitude(double m) const { return Real(1.0) + Real(m) * log(factor_) / Real(10.0); }

  Real theta(std::size_t k) const {
    const Real one = 1.0, two = 2.0;
    if (spec_.rule == "linear") return unscaled(k) / factor_;
    if (spec_.rule == "ntk") return unscaled(k) * power(factor_, -(two * of_pair(k) / (r_ - two)));
    if (spec_.rule == "ntk-fixed")
      return unscaled(k) * power(factor_, -(two * (of_pair(k) + one) / r_));
    if (spec_.rule == "ntk-mixed") {
      const Real exponent = number("power").value_or(0.625);
      const Real a = log(factor_) / power(r_ / two, exponent);
      return unscaled(k) / exp(a * power(of_pair(k) + one, exponent));
    }
    if (spec_.rule == "dynamic") {
      const Real length = larger_of(Real(context_.seq_len.value_or(0)), original_);
      const Real growth = factor_ * length / original_ - (factor_ - one);
      return geometric(base_ * power(growth, r_ / (r_ - two)), k, r_);
    }
    if (spec_.rule == "yarn") return blend(k, one - yarn_ramp(k));
    if (spec_.rule == "yarn-paper")
      return blend(
          k, ramp_of_turns(k, number("beta_slow").value_or(1), number("beta_fast").value_or(32)));
    if (spec_.rule == "llama3") return llama3(k);
    if (spec_.rule == "longrope") {
      const bool beyond = context_.seq_len && !at_most(Real(*context_.seq_len), original_);
      return unscaled(k) / Real(spec_.lists.find(beyond ? "long" : "short")->second.at(k));
    }
    if (spec_.rule == "truncation") return truncated(k);
    throw std::runtime_error("a rule that is not read off docs/scaling.md yet: " + spec_.rule);
  }

  Real ramp_of_turns(std::size_t k, double low, double high) const {
    return clamped((turns_in_original(k) - Real(low)) / (Real(high) - Real(low)));
  }
  /// For low ≤ high.
  Real llama3(std::size_t k) const {
    const double low = *number("low"), high = *number("high");
    if (low < high) return blend(k, ramp_of_turns(k, low, high));
    return at_most(turns_in_original(k), Real(low)) ? unscaled(k) / factor_ : unscaled(k);
  }

  static double whole(const Real& x, double (*round)(double)) {
    if (round(x.low()) != round(x.high())) throw std::runtime_error("no bits left for ⌊c⌋");
    return round(x.low());
  }
  Real yarn_ramp(std::size_t k) const {
    const auto dimension = [&](std::string_view name, double standard) {
      const double given = number(name).value_or(0);
      const Real turns = given == 0 ? standard : given;
      return r_ * log(original_ / (two_pi() * turns)) / (Real(2.0) * log(base_));
    };
    Real low = dimension("beta_fast", 32), high = dimension("beta_slow", 1);
    if (number("truncate").value_or(1) != 0) {
      low = whole(low, std::floor);
      high = whole(high, std::ceil);
    }
    low = larger_of(low, Real(0.0));
    high = smaller_of(high, r_ - Real(1.0));
    if (surely_at_most(low, high) && surely_at_most(high, low)) high += Real(1.0) / Real(1000.0);
    return clamped((of_pair(k) - low) / (high - low));
  }

  std::vector<Real> proportional() const {
    const std::optional<double> partial = number("partial");
    const auto turning = partial ? static_cast<std::size_t>(std::floor(*partial * d_.high() / 2))
                                 : context_.rotary_dim / 2;
    std::vector<Real> result;
    for (std::size_t k = 0; k < context_.head_dim / 2; ++k)
      result.push_back(k < turning ? geometric(base_, k, d_) / factor_ : Real(0.0));
    return result;
  }

  Real truncated(std::size_t k) const {
    const Real theta = unscaled(k);
    if (at_most(Real(*number("high")), theta)) return theta;
    return at_most(theta, Real(*number("low"))) ? Real(0.0) : Real(*number("value"));
  }

  const ScalingSpec& spec_;
  const ScalingContext& context_;
  Real d_, r_, base_, factor_, original_;
};

}  // namespace rope::test
