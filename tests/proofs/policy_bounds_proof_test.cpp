// What gappa can say of the bounds of every policy that has a name, for all numbers at once: the
// error of one entry of its table, of one component of a rotated pair, cast included, of one angle
// and of a short sum. It knows no lengths of vectors, so pairs are taken from the square
// |x| ≤ 1, |y| ≤ 1, and what is scaled by the largest number of a vector (float8) is left out.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <numbers>
#include <string>
#include <vector>

#include "proofs/prover.hpp"
#include "rope/precision/bounds.hpp"

namespace rope {
namespace {

using test::Prover;

constexpr std::int64_t kLast = 32768;  // positions of the angle; those of float16 end at 65504

std::string exact(double x) {
  char text[64];
  std::snprintf(text, sizeof text, "%a", x);
  return text;
}

std::string rounding(const char* name, Format format) {
  const FormatLimits& limits = rope::limits(format);
  return std::string("@") + name + " = float<" + std::to_string(limits.precision) + ", " +
         std::to_string(std::ilogb(limits.underflow)) + ", ne>;\n";
}

/// What the library allows an entry, and a rotated pair (1, 1) in each component; and what the
/// formulas of docs/accuracy.md, written here, allow the angle θ ≤ 1 of a position below kLast and
/// a sum of four products.
struct Allowed {
  double entry, component, angle, sum;

  explicit Allowed(const Policy& policy) {
    const Pipeline pipeline(policy, default_embedding(2, 10000));
    const ErrorBounds bounds(pipeline);
    entry = bounds.table_error(1) / std::numbers::sqrt2 * kBoundInflation;
    std::vector<double> per_pair;
    bounds.rotated(0, std::vector{1.0, 1.0}, per_pair);
    component = per_pair[0];
    // A position that is rounded may become kLast.
    const FormatLimits& position = limits(policy.position);
    const bool held = std::ldexp(1.0, position.precision) >= kLast;
    angle = held ? half_ulp(limits(policy.angle), kLast - 1)
                 : half_ulp(position, kLast - 1) + half_ulp(limits(policy.angle), kLast);
    const FormatLimits& accumulate = limits(policy.accumulate);
    const double roundings = policy.exact_products() ? 3 : 4;  // d − 1 or d
    sum = roundings * 4 * accumulate.unit_roundoff + 2 * accumulate.underflow;
  }
};

bool known_to_gappa(const Policy& policy) {
  return policy.angle_rule != AngleRule::exact && policy.store != Format::float8;
}

std::string script(const Policy& policy, const Allowed& allowed) {
  std::string text = rounding("trig", policy.trig()) + rounding("table", policy.table) +
                     rounding("apply", policy.apply) + rounding("store", policy.store) +
                     rounding("input", policy.input()) + rounding("place", policy.position) +
                     rounding("angle", policy.angle) + rounding("theta", policy.frequency) +
                     rounding("add", policy.accumulate) + "@whole = fixed<0, ne>;\n";
  text +=
      "c = table(any_c); s = table(any_s); x = input(any_x); y = input(any_y);\n"
      "computed = trig(any_computed); entry = table(computed);\n"
      "turned = store(apply(apply(x * c) - apply(y * s)));\n"
      "p = whole(any_p); t = theta(any_t); phi = angle(place(p) * t);\n"
      "a1 = store(any_a1); a2 = store(any_a2); a3 = store(any_a3); a4 = store(any_a4);\n"
      "b1 = store(any_b1); b2 = store(any_b2); b3 = store(any_b3); b4 = store(any_b4);\n"
      "sum = add(add(add(add(a1 * b1) + add(a2 * b2)) + add(a3 * b3)) + add(a4 * b4));\n"
      "exact_sum = ((a1 * b1 + a2 * b2) + a3 * b3) + a4 * b4;\n"
      "{ |c| <= 1 /\\ |s| <= 1 /\\ |x| <= 1 /\\ |y| <= 1 /\\ |computed| <= 1 /\\\n"
      "  |computed - true| <= " +
      exact(limits(policy.trig()).unit_roundoff) + " /\\ |p| <= " + std::to_string(kLast - 1) +
      " /\\ |t| <= 1 /\\\n"
      "  |a1| <= 1 /\\ |a2| <= 1 /\\ |a3| <= 1 /\\ |a4| <= 1 /\\\n"
      "  |b1| <= 1 /\\ |b2| <= 1 /\\ |b3| <= 1 /\\ |b4| <= 1 ->\n"
      "  |entry - true| <= " +
      exact(allowed.entry) + " /\\ |turned - (x * c - y * s)| <= " + exact(allowed.component);
  // A product of many factors, or one of which whole turns are taken off, is another statement.
  if (policy.angle_rule == AngleRule::product && !policy.reduced)
    text += " /\\ |phi - p * t| <= " + exact(allowed.angle);
  return text + " /\\ |sum - exact_sum| <= " + exact(allowed.sum) + " }\n";
}

TEST(PolicyBounds, OfOneEntryComponentAngleAndSumAreProved) {
  Prover gappa("gappa");
  if (gappa.missing()) GTEST_SKIP() << gappa.remedy();
  int proved = 0;
  for (const Policy& policy : policies()) {
    if (!known_to_gappa(policy)) continue;
    EXPECT_TRUE(gappa.proves(script(policy, Allowed(policy)))) << policy.name << "\n"
                                                               << gappa.said();
    ++proved;
  }
  EXPECT_EQ(proved, 18);
}

// Two fifths: numbers of the square |x| ≤ 1 need no more than half of what their lengths allow.
TEST(PolicyBounds, OfTwoFifthsOfTheirSizeAreNotProved) {
  Prover gappa("gappa");
  if (gappa.missing()) GTEST_SKIP() << gappa.remedy();
  for (const char* name : {"float64", "float32", "bfloat16-table", "bfloat16-store"})
    for (const auto bound :
         {&Allowed::entry, &Allowed::component, &Allowed::angle, &Allowed::sum}) {
      const Policy policy = *find_policy(name);
      Allowed allowed(policy);
      allowed.*bound *= 0.4;
      EXPECT_FALSE(gappa.proves(script(policy, allowed))) << name;
      EXPECT_EQ(gappa.said().find("syntax"), std::string::npos) << gappa.said();
    }
}

}  // namespace
}  // namespace rope
