#include "rope/diagnose/named_numbers.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <vector>

#include "rope/diagnose/frequencies/round_numbers.hpp"
#include "rope/diagnose/remedies.hpp"
#include "rope/precision/largest.hpp"
#include "rope/precision/rounding.hpp"

namespace rope {
namespace {

constexpr double kGivenExactly = 1e-9;  // slack of a number that is given without an interval

/// The interval of a fitted number.
struct Interval {
  double low, high;
  bool holds(double number) const {
    return number >= low * (1 - kGivenExactly) && number <= high * (1 + kGivenExactly);
  }
  bool narrower_than(double relative) const { return low > 0 && high <= low * (1 + relative); }
};

/// What all angles are divided by where their unit is mistaken, or where they are turned twice.
struct Unit {
  double divisor;
  RemedyName name;
  const char* meaning;
  const char* mend;
};
constexpr double kPi = std::numbers::pi;
/// Of an interval of factors, relative: seven numbers over four decades lie in so narrow a one by
/// chance less than once in a hundred times.
constexpr double kUnitWidth = 1e-2;
constexpr std::array kUnits = {
    Unit{180 / kPi, "radians-as-degrees", "180/π, as when radians are taken for degrees",
         "give sin and cos radians: mθ without π/180"},
    Unit{kPi / 180, "degrees-as-radians",
         "π/180, as when sin and cos, which take radians, are given degrees",
         "give sin and cos radians: mθ without 180/π"},
    Unit{1 / kPi, "radians-as-half-turns",
         "1/π, as when sincospi, which takes half-turns, is given radians",
         "divide the angles by π before sincospi, or call sin and cos"},
    Unit{kPi, "half-turns-as-radians",
         "π, as when sin and cos, which take radians, are given half-turns",
         "multiply the angles by π before sin and cos"},
    Unit{1 / (2 * kPi), "radians-as-turns", "1/(2π), as when radians are taken for whole turns",
         "divide the angles by 2π where whole turns are expected"},
    Unit{2 * kPi, "turns-as-radians",
         "2π, as when sin and cos, which take radians, are given whole turns",
         "multiply the angles by 2π before sin and cos"},
    Unit{0.5, "doubled-angles", "1/2, so every angle is doubled, as a second rotation would do",
         "rotate once: a second call, a cache of rotated keys that is rotated again, and "
         "positions 0, 2, 4 … where 0, 1, 2 … are meant all double the angle"}};

/// A power of the usual base that an exponent of another form makes.
struct Power {
  double power;
  std::string meaning;
  Remedy mend;
};

std::vector<Power> exponents(double r, double head_dim) {
  std::vector<Power> all;
  if (head_dim > r)
    all.push_back({r / head_dim,
                   "as if the exponent were 2i/" + plain_number(head_dim) +
                       ", with the head size instead of the rotated size",
                   {"exponent-over-head", "divide 2i by the rotated size, " + plain_number(r)}});
  all.push_back(
      {0.5, "as if the exponent were i/r instead of 2i/r", {"exponent-k", "double the exponent"}});
  all.push_back(
      {2, "as if the exponent were 4i/r instead of 2i/r", {"exponent-4k", "halve the exponent"}});
  if (r > 4)
    all.push_back({r / (r - 2),
                   "as if the exponent were i/(r/2 − 1), as from linspace(0, 1, r/2)",
                   {"exponent-linspace", "make the exponent 2i/r: arange(0, r, 2)/r"}});
  constexpr double kFewestHeads = 4, kMostHeads = 128;
  for (double heads = kFewestHeads; heads <= kMostHeads; ++heads)
    all.push_back({1 / heads,
                   "as if 2i were divided by the hidden size of " + plain_number(heads) + " heads",
                   {"exponent-over-hidden", "divide 2i by the rotated size of one head"}});
  return all;
}

/// 1/√d, as the scores are divided by.
NamedNumber of_scores(double assumed, std::size_t head) {
  const std::string root = "√" + std::to_string(head);
  return {plain_number(assumed) + "/" + root,
          {"scores-divided",
           "leave 1/" + root + " out of cos and sin if the scores are divided by " + root},
          assumed / std::sqrt(static_cast<double>(head))};
}

/// Its root, in q and in k.
NamedNumber of_each_side(double assumed, std::size_t head) {
  const std::string root = "√" + std::to_string(head);
  return {plain_number(assumed) + "/√" + root,
          {"each-side-divided",
           "leave 1/√" + root + " out of cos and sin if the scores are divided by " + root},
          assumed / std::sqrt(std::sqrt(static_cast<double>(head)))};
}

NamedNumber of_powers_of_two(double assumed, std::size_t head) {
  const std::string root = "√" + std::to_string(head);
  return {(assumed == 1 ? std::string() : plain_number(assumed) + "·") + "log₂(e)/" + root,
          {"powers-of-two",
           "leave log₂(e)/" + root +
               " out, unless y is q for a base-2 softmax, where only q is multiplied by it and 1/" +
               root + " is missing from the scores"},
          assumed * std::numbers::log2e / std::sqrt(static_cast<double>(head))};
}

double yarn_factor(double s) { return 0.1 * std::log(s) + 1; }

/// YaRN's factor where none is meant.
NamedNumber of_yarn(double s) {
  return {"YaRN's 0.1·ln s + 1 for s = " + plain_number(s),
          {"yarn-factor", "leave YaRN's factor out"},
          yarn_factor(s)};
}

NamedNumber of_yarn_squared(double s) {
  const double yarn = yarn_factor(s);
  return {plain_number(yarn) + "², the square of " + of_yarn(s).meaning,
          {"yarn-factor-squared", "leave YaRN's factor out, or multiply cos and sin by " +
                                      all_digits(yarn) +
                                      " once: its square appears only in the scores"},
          yarn * yarn};
}

NamedNumber of_square(double assumed) {
  return {"the square of " + plain_number(assumed),
          {"factor-squared", "multiply cos and sin by " + all_digits(assumed) +
                                 " once: its square appears only in the scores"},
          assumed * assumed};
}

}  // namespace

std::string format_word(Format format) {
  if (format == Format::bfloat16) return "bfloat16";
  if (format == Format::float16) return "float16";
  return std::string(limits(format).name);
}

std::optional<NamedNumber> named_base(const Spectrum& spectrum, double usual,
                                      std::size_t head_dim) {
  const Interval base{spectrum.base_low, spectrum.base_high};
  if (!spectrum.embedding.geometric_base() || !spectrum.recognised || base.holds(usual))
    return std::nullopt;
  for (const Format format : {Format::bfloat16, Format::float16})
    if (const double rounded = round_to(format, usual);
        std::isfinite(rounded) && rounded != usual && base.holds(rounded))
      return NamedNumber{plain_number(usual) + " rounded to " + format_word(format),
                         {"base-in-16-bits", "keep rope_theta in float32 or wider"}};
  constexpr double kNarrow = 1e-4;  // less than lies between the roots of two numbers of heads
  if (!base.narrower_than(kNarrow)) return std::nullopt;
  for (const Power& each : exponents(static_cast<double>(spectrum.embedding.rotary_dim()),
                                     static_cast<double>(head_dim)))
    if (base.holds(std::pow(usual, each.power))) {
      const std::string power = each.power < 1 && 1 / each.power == std::round(1 / each.power)
                                    ? "1/" + plain_number(1 / each.power)
                                    : plain_number(each.power);
      return NamedNumber{plain_number(usual) + "^(" + power + "), " + each.meaning, each.mend};
    }
  return std::nullopt;
}

std::optional<NamedNumber> named_divisor(const Spectrum& spectrum) {
  const RotaryEmbedding& e = spectrum.embedding;
  if (!spectrum.recognised || e.scaling.rule != "linear") return std::nullopt;
  const double found = e.scaling.numbers.at("factor");
  // A factor that was fitted has an interval; one of few digits is given exactly.
  constexpr double kDigits = 1e-6;
  const Interval divisor{smaller(spectrum.divisor_low, found),
                         larger(spectrum.divisor_high, found)};
  const bool fitted = spectrum.divisor_low < spectrum.divisor_high;
  if (fitted && !divisor.narrower_than(kUnitWidth)) return std::nullopt;
  for (const Unit& unit : kUnits)
    if (std::abs(found / unit.divisor - 1) <= kDigits || (fitted && divisor.holds(unit.divisor)))
      return NamedNumber{unit.meaning, {unit.name, unit.mend}};
  return std::nullopt;
}

std::optional<NamedNumber> named_divisor(const Spectrum& spectrum, const RotaryEmbedding& meant) {
  const std::vector<double>& found = spectrum.embedding.frequencies.theta;
  const std::vector<double>& theta = meant.frequencies.theta;
  if (found.size() != theta.size() || found.size() < 2) return std::nullopt;
  Interval multiple{0, HUGE_VAL};
  for (std::size_t k = 0; k < found.size(); ++k) {
    if (!(theta[k] > 0)) continue;
    const double error = spectrum.error_of(k);
    multiple.low = larger(multiple.low, (found[k] - error) / theta[k]);
    multiple.high = smaller(multiple.high, (found[k] + error) / theta[k]);
  }
  if (!multiple.narrower_than(kUnitWidth)) return std::nullopt;
  for (const Unit& unit : kUnits)
    if (multiple.holds(1 / unit.divisor)) return NamedNumber{unit.meaning, {unit.name, unit.mend}};
  return std::nullopt;
}

namespace {

/// The factor of YaRN for so much stretch, or its square.
template <typename Is>
std::optional<NamedNumber> of_yarn_for(double stretch, Is is) {
  if (is(yarn_factor(stretch))) return of_yarn(stretch);
  if (is(std::pow(yarn_factor(stretch), 2))) return of_yarn_squared(stretch);
  return std::nullopt;
}

/// A factor that the scores want, of a head of one of these sizes.
template <typename Is>
std::optional<NamedNumber> of_heads(std::span<const std::size_t> heads, double assumed, Is is) {
  for (const std::size_t head : heads) {
    const double root = std::sqrt(static_cast<double>(head));
    if (is(assumed / root)) return of_scores(assumed, head);
    if (is(assumed / std::sqrt(root))) return of_each_side(assumed, head);
    if (is(assumed * std::numbers::log2e / root)) return of_powers_of_two(assumed, head);
  }
  return std::nullopt;
}

}  // namespace

std::optional<NamedNumber> named_factor(const Spectrum& spectrum, double assumed,
                                        std::size_t head_dim, std::optional<double> stretch) {
  constexpr double kDigits = 1e-6, kTooWide = 1e-3, kFewDigits = 1e-2;
  const double found = spectrum.embedding.attention_factor;
  const Interval measured{smaller(spectrum.factor_low, found), larger(spectrum.factor_high, found)};
  const double error = kDigits + spectrum.factor_error;
  const auto is = [&](double other) {
    return std::abs(found / other - 1) <= error ||
           (measured.low > 0 && measured.holds(other) && measured.narrower_than(kFewDigits));
  };
  // One number of one rule fits by chance once in a hundred times and less.
  if (stretch && error <= kFewDigits) {
    if (assumed != 1 && is(assumed * assumed)) return of_square(assumed);
    if (assumed == 1)
      if (auto named = of_yarn_for(*stretch, is)) return named;
  }
  if (!(error <= kTooWide)) return std::nullopt;  // of so many numbers one always fits
  std::vector<std::size_t> heads = {32, 64, 80, 96, 112, 128, 160, 192, 256, 512};
  if (head_dim > 0) heads.insert(heads.begin(), head_dim);
  if (auto named = of_heads(heads, assumed, is)) return named;
  if (assumed != 1 && is(assumed * assumed)) return of_square(assumed);
  if (assumed != 1) return std::nullopt;
  for (const double s : {2, 4, 8, 16, 32, 40, 64})
    if (auto named = of_yarn_for(s, is)) return named;
  return std::nullopt;
}

}  // namespace rope
