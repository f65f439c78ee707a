#include "rope/verify/controls.hpp"

#include <array>
#include <cmath>

#include "rope/error.hpp"
#include "rope/parameters/suggest.hpp"
#include "rope/rotary/exact_real.hpp"

namespace rope {
namespace {

constexpr double kUsualBase = 10000;                         // where the frequencies are of no base
constexpr double kMinTheta = 0x1p-1000, kMaxTheta = 0x1p64;  // of given_frequencies

/// Rounded from 256 bits, so that no C library has a say.
double power(double base, double exponent) {
  return static_cast<double>(pow(ExactReal(base), ExactReal(exponent)));
}

/// θ_i·factor^(−2i/r): what another base, factor times as large, would give.
RotaryEmbedding with_base_multiplied(const RotaryEmbedding& right, double factor) {
  RotaryEmbedding wrong = right;
  if (const std::optional<double> base = right.geometric_base()) {
    wrong.base = *base * factor;
    wrong.frequencies = geometric_frequencies(*wrong.base, right.rotary_dim());
    return wrong;
  }
  std::vector<double> theta = right.frequencies.theta;
  for (std::size_t i = 0; i < theta.size(); ++i)
    theta[i] *= power(factor, -static_cast<double>(i) / static_cast<double>(theta.size()));
  wrong.frequencies = given_frequencies(theta);
  return wrong;
}

/// That, or a base as many times smaller where no embedding has so large a one.
RotaryEmbedding with_base_times(const RotaryEmbedding& right, double factor) {
  try {
    return with_base_multiplied(right, factor);
  } catch (const DomainError&) {
    return with_base_multiplied(right, 1 / factor);
  }
}

RotaryEmbedding with_layout(const RotaryEmbedding& right, PairLayout layout) {
  RotaryEmbedding wrong = right;
  wrong.layout = layout;
  return wrong;
}

/// θ_i = b^(−i/r) instead of b^(−2i/r): the square roots.
RotaryEmbedding with_halved_exponent(const RotaryEmbedding& right) {
  RotaryEmbedding wrong = right;
  if (const std::optional<double> base = right.geometric_base()) {
    wrong.base = std::sqrt(*base);
    wrong.frequencies = geometric_frequencies(*wrong.base, right.rotary_dim());
    return wrong;
  }
  std::vector<double> theta = right.frequencies.theta;
  for (double& value : theta) value = std::sqrt(value);
  wrong.frequencies = given_frequencies(theta);
  return wrong;
}

/// θ_i times b^(−2/r): every pair turns as the next one should.
RotaryEmbedding with_pairs_from_one(const RotaryEmbedding& right) {
  RotaryEmbedding wrong = right;
  const double base = right.geometric_base().value_or(kUsualBase);
  const double step = power(base, -1 / static_cast<double>(right.pairs()));
  std::vector<double> theta = right.frequencies.theta;
  for (double& value : theta)
    if (value * step <= kMaxTheta && value * step >= kMinTheta) value *= step;
  wrong.frequencies = given_frequencies(theta);
  wrong.base.reset();
  return wrong;
}

/// Rotates only the first half of the pairs (at least one), with the right θ_i for them.
RotaryEmbedding with_half_the_pairs(const RotaryEmbedding& right) {
  RotaryEmbedding wrong = right;
  std::vector<double> theta = right.frequencies.theta;
  theta.resize((theta.size() + 1) / 2);
  wrong.frequencies = given_frequencies(theta);
  wrong.base.reset();
  return wrong;
}

template <class Change>
SchemeSpec changed(const RotaryEmbedding& right, Change change) {
  SchemeSpec scheme = right_scheme(right);
  change(scheme);
  return scheme;
}

/// The same change to all three vectors.
template <class Change>
SchemeSpec changed_everywhere(const RotaryEmbedding& right, Change change) {
  RotorSpec rotor;
  rotor.embedding = right;
  change(rotor);
  return {rotor, rotor, rotor};
}

constexpr double kOtherBase = 50;       // 10000 → 500000, the commonest confusion
constexpr double kNearBase = 1 + 1e-3;  // a base that was rounded on the way

constexpr auto kControls = std::to_array<Control>({
    {"wrong-sign", "the right side is rotated by m − n instead of n − m",
     [](const RotaryEmbedding& right) {
       return changed(right, [](SchemeSpec& s) { s.relative.reversed = true; });
     },
     false},
    {"negative-query", "q is rotated by −m, as if the transpose of R_mᵀ were missing",
     [](const RotaryEmbedding& right) {
       return changed(right, [](SchemeSpec& s) { s.query.reversed = true; });
     },
     false},
    {"mixed-layouts", "q is paired as (2i, 2i+1), k as (i, i + r/2)",
     [](const RotaryEmbedding& right) {
       return changed(right, [&](SchemeSpec& s) {
         s.query.embedding = with_layout(right, PairLayout::interleaved);
         s.key.embedding = with_layout(right, PairLayout::half);
       });
     },
     false},
    {"other-layout-right", "the right side pairs the dimensions in the other layout",
     [](const RotaryEmbedding& right) {
       return changed(right, [&](SchemeSpec& s) {
         const bool half = right.layout == PairLayout::half;
         s.relative.embedding =
             with_layout(right, half ? PairLayout::interleaved : PairLayout::half);
       });
     },
     false},
    {"base-mismatch", "k is rotated with a base 50 times as large as q's",
     [](const RotaryEmbedding& right) {
       return changed(right,
                      [&](SchemeSpec& s) { s.key.embedding = with_base_times(right, kOtherBase); });
     },
     false},
    {"base-mismatch-right", "the right side is rotated with a base 50 times as large",
     [](const RotaryEmbedding& right) {
       return changed(right, [&](SchemeSpec& s) {
         s.relative.embedding = with_base_times(right, kOtherBase);
       });
     },
     false},
    {"base-nearly-right", "k is rotated with a base that is 0.1 % too large",
     [](const RotaryEmbedding& right) {
       return changed(right,
                      [&](SchemeSpec& s) { s.key.embedding = with_base_times(right, kNearBase); });
     },
     false},
    {"off-by-one", "q is rotated by m + 1",
     [](const RotaryEmbedding& right) {
       return changed(right, [](SchemeSpec& s) { s.query.offset = 1; });
     },
     false},
    {"swapped-sine", "every block is [c s; s c]: the minus sign is lost",
     [](const RotaryEmbedding& right) {
       return changed_everywhere(right,
                                 [](RotorSpec& r) { r.distortion = Distortion::swapped_sine; });
     },
     false},
    {"late-sine", "the first number of each pair uses the sine of the previous pair",
     [](const RotaryEmbedding& right) {
       return changed_everywhere(right, [](RotorSpec& r) { r.distortion = Distortion::late_sine; });
     },
     false},
    {"uneven-angle", "θ depends on the position: it is doubled at odd positions",
     [](const RotaryEmbedding& right) {
       return changed_everywhere(right, [](RotorSpec& r) { r.uneven = true; });
     },
     false},
    {"cos-only", "vectors are only multiplied by cos mθ",
     [](const RotaryEmbedding& right) {
       return changed_everywhere(right,
                                 [](RotorSpec& r) { r.distortion = Distortion::cosine_only; });
     },
     false},
    {"key-not-rotated", "k is left as it is",
     [](const RotaryEmbedding& right) {
       return changed(right, [](SchemeSpec& s) { s.key.distortion = Distortion::identity; });
     },
     false},
    {"scaled-left", "q and k carry an attention factor of 1.1 that the right side lacks",
     [](const RotaryEmbedding& right) {
       return changed(right, [](SchemeSpec& s) { s.query.factor = s.key.factor = 1.1; });
     },
     false},
    {"additive", "a sinusoidal vector is added in place of the rotation",
     [](const RotaryEmbedding& right) {
       return changed_everywhere(right, [](RotorSpec& r) { r.distortion = Distortion::additive; });
     },
     false},
    {"wrong-exponent",
     "θ_i = b^(−i/r) instead of b^(−2i/r), as if r were the hidden size of two heads, on both "
     "sides",
     [](const RotaryEmbedding& right) { return right_scheme(with_halved_exponent(right)); }, true},
    {"pairs-from-one", "θ_i = b^(−2(i+1)/r): pairs are counted from 1, on both sides",
     [](const RotaryEmbedding& right) { return right_scheme(with_pairs_from_one(right)); }, true},
    {"no-rotation", "R = I on both sides: nothing is rotated",
     [](const RotaryEmbedding& right) {
       return changed_everywhere(right, [](RotorSpec& r) { r.distortion = Distortion::identity; });
     },
     true},
    {"wrong-base", "a base 50 times as large, on both sides",
     [](const RotaryEmbedding& right) { return right_scheme(with_base_times(right, kOtherBase)); },
     true},
    {"wrong-rotary-dim", "only the first half of the pairs is rotated, on both sides",
     [](const RotaryEmbedding& right) { return right_scheme(with_half_the_pairs(right)); }, true},
});

}  // namespace

std::span<const Control> controls() { return kControls; }

std::optional<Control> find_control(std::string_view name) {
  const std::string word = plain_word(name);
  for (const Control& control : kControls)
    if (control.name == word) return control;
  return std::nullopt;
}

}  // namespace rope
