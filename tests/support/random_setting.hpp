#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rope/precision/policy.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/random/random.hpp"
#include "rope/rotary/embedding.hpp"
#include "rope/verify/random_case.hpp"

// Any rounding policy that the grammar of stage lists allows, on any embedding, with vectors of any
// size: what bounds have to hold for, not the list of those that have a name.
namespace rope::test {

/// Random choices that are the same on every machine.
class Draw {
 public:
  Draw(std::uint64_t seed, std::uint64_t stream) : random_(seed, stream) {}

  std::int64_t integer(std::int64_t low, std::int64_t high) { return random_.integer(low, high); }
  bool chance(int percent) { return integer(0, 99) < percent; }
  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(random_.bits() >> 11) * 0x1p-53);
  }
  /// 10 to the power of a uniform number.
  double decade(double low, double high) { return std::pow(10.0, uniform(low, high)); }
  template <class Choices>
  const auto& one_of(const Choices& choices) {
    return choices[static_cast<std::size_t>(
        integer(0, static_cast<std::int64_t>(std::size(choices)) - 1))];
  }

 private:
  RandomStream random_;
};

inline constexpr std::array<std::string_view, 7> kStageKeys = {
    "frequency", "position", "angle", "table", "apply", "store", "accumulate"};

/// A stage list: half of them name every stage, in any of the six formats or in those that machines
/// compute with; the others change one or two stages of a known policy.
inline Policy draw_policy(Draw& draw) {
  static constexpr std::array<std::string_view, 6> kAny = {"f64", "f32",  "tf32",
                                                           "f16", "bf16", "e4m3"};
  static constexpr std::array<std::string_view, 6> kUsual = {"f64", "f64",  "f32",
                                                             "f32", "bf16", "f16"};
  if (draw.chance(50)) {
    const Policy& known = policies()[static_cast<std::size_t>(
        draw.integer(1, static_cast<std::int64_t>(policies().size()) - 1))];
    const bool by_scale = known.angle_rule != AngleRule::product;
    const std::int64_t first =
        draw.integer(by_scale || known.reduced ? 3 : 0, static_cast<std::int64_t>(6));
    std::string text = known.name + "," + std::string(kStageKeys[static_cast<std::size_t>(first)]) +
                       "=" + std::string(draw.one_of(kAny));
    if (first < 6 && draw.chance(40))
      text += "," + std::string(kStageKeys[static_cast<std::size_t>(first + 1)]) + "=" +
              std::string(draw.one_of(kAny));
    const bool angle_changed = text.find("angle=") != std::string::npos;
    if (!(known.reduced && angle_changed)) return parse_policy(text);
  }
  const auto& formats = draw.chance(50) ? kAny : kUsual;
  const bool by_scale = draw.chance(25);
  std::string text;
  std::string_view angle = draw.one_of(formats);
  if (by_scale && angle == "f64") angle = "f32";
  for (const std::string_view key : kStageKeys) {
    const bool of_angle = key == "frequency" || key == "position" || key == "angle";
    const std::string_view format =
        key == "angle" || (by_scale && of_angle) ? angle : draw.one_of(formats);
    text += (text.empty() ? "" : ",") + std::string(key) + "=" + std::string(format);
  }
  if (by_scale) text += draw.chance(50) ? ",rule=recurrence" : ",rule=scale-power";
  if (angle == "f64" && draw.chance(30)) text += ",reduced=yes";
  if (draw.chance(30)) text += ",sum=pairwise";
  return parse_policy(text);
}

/// Head sizes 2 … 4096, most of them small, some rotated in part; bases 1.0001 … 1e300 or given
/// frequencies; an attention factor now and then.
inline RotaryEmbedding draw_embedding(Draw& draw, std::size_t largest_dim = 4096) {
  const std::int64_t kind = draw.integer(0, 199);
  const auto even = [&](std::int64_t low, std::int64_t high) {
    return 2 * draw.integer(low, high);
  };
  std::int64_t dim = kind < 110   ? even(1, 8)
                     : kind < 160 ? even(9, 32)
                     : kind < 190 ? even(33, 64)
                     : kind < 198 ? even(65, 256)
                                  : (draw.chance(25) ? 4096 : even(257, 2048));
  dim = std::min(dim, static_cast<std::int64_t>(largest_dim));
  double base = draw.one_of(std::array{1e4, 5e5, 1e6, 1e7});
  if (draw.chance(70)) base = draw.decade(0, 8);
  if (draw.chance(20)) base = draw.decade(8, 300);
  if (draw.chance(10)) base = 1 + draw.decade(-4, 0);
  const PairLayout layout = draw.chance(50) ? PairLayout::half : PairLayout::interleaved;
  RotaryEmbedding embedding =
      default_embedding(static_cast<std::size_t>(dim), std::max(base, 1.0001), layout);
  if (draw.chance(30)) {
    const auto rotated = static_cast<std::size_t>(even(1, dim / 2));
    embedding.frequencies = geometric_frequencies(*embedding.base, rotated);
  }
  if (draw.chance(10)) {
    std::vector<double> theta(embedding.pairs());
    for (double& each : theta)
      each = draw.chance(30)   ? std::ldexp(1.0, static_cast<int>(draw.integer(-160, 8)))
             : draw.chance(10) ? 0
                               : draw.decade(-60, 2);
    embedding.frequencies = given_frequencies(theta);
    embedding.base.reset();
  }
  if (draw.chance(30)) embedding.attention_factor = draw.uniform(0.1, 2);
  if (draw.chance(10)) embedding.attention_factor = draw.decade(-3, 3);
  return embedding;
}

/// Everything that cases are drawn from.
struct Setting {
  Policy policy;
  RotaryEmbedding embedding;
  std::int64_t range = 0;        ///< positions lie in [−range, range]
  int q_scale = 0, k_scale = 0;  ///< powers of two that the vectors are multiplied by

  std::string text() const {
    std::string text = policy.name + ", d " + std::to_string(embedding.head_dim) + ", r " +
                       std::to_string(embedding.rotary_dim());
    if (embedding.base) {
      std::array<char, 40> base{};
      std::snprintf(base.data(), base.size(), ", base %.17g", *embedding.base);
      text += base.data();
    }
    std::array<char, 40> factor{};
    std::snprintf(factor.data(), factor.size(), ", A %.17g", embedding.attention_factor);
    return text + factor.data() + ", range " + std::to_string(range) + ", scales 2^" +
           std::to_string(q_scale) + " 2^" + std::to_string(k_scale);
  }
};

/// One setting of a seed: positions to 2^53, vectors from 1e-300 to 1e150.
inline Setting draw_setting(std::uint64_t seed, std::uint64_t number,
                            std::size_t largest_dim = 4096) {
  Draw draw(seed, number);
  Setting setting{draw_policy(draw), draw_embedding(draw, largest_dim)};
  const int bits = static_cast<int>(draw.chance(50) ? draw.integer(1, 17) : draw.integer(1, 53));
  setting.range = std::int64_t{1} << bits;
  // Nine of ten stay where the format of the positions holds m, n and n − m.
  const double largest = limits(setting.policy.position).largest;
  if (static_cast<double>(setting.range) > largest / 2 && draw.chance(90))
    setting.range = static_cast<std::int64_t>(largest / 2) - 4;
  if (draw.chance(20)) {
    const auto scale = [&] { return static_cast<int>(draw.integer(-996, 498)); };
    setting.q_scale = scale();
    setting.k_scale = draw.chance(50) ? scale() : setting.q_scale;
  } else if (draw.chance(15)) {
    setting.q_scale = static_cast<int>(draw.integer(-149, 60));
    setting.k_scale = static_cast<int>(draw.integer(-149, 60));
  }
  return setting;
}

/// Brings a case of a CaseMaker to the sizes of the setting: rounded to the input format, and no
/// number larger than it has. Some vectors have a single pair, zeros or numbers of every size.
inline void resize_vectors(const Setting& setting, VerifyCase& given) {
  const Format input = setting.policy.input();
  const auto resize = [&](std::vector<double>& x, int scale, std::uint64_t kind) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      int power = scale;
      if (kind % 5 == 3) power += static_cast<int>((given.number * 31 + i * 17) % 160) - 120;
      if (kind % 5 == 4 && i % 7 != given.number % 7) x[i] = 0;
      const double value = round_to(input, std::ldexp(x[i], power));
      x[i] = std::isfinite(value) ? value : round_to(input, x[i]);
    }
  };
  resize(given.q, setting.q_scale, given.number / 3);
  resize(given.k, setting.k_scale, given.number / 4);
}

}  // namespace rope::test
