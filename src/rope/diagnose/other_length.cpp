#include "rope/diagnose/other_length.hpp"

#include <cmath>

#include "rope/diagnose/frequencies/recognise.hpp"
#include "rope/diagnose/frequencies/round_numbers.hpp"
#include "rope/error.hpp"
#include "rope/precision/largest.hpp"
#include "rope/scaling/scaling.hpp"

namespace rope {
namespace {

constexpr double kLongestContext = 0x1p24;  // no context is longer

/// What the stated rule gives for a sequence of so many tokens; nothing if it cannot.
std::optional<RotaryEmbedding> for_length(const RotaryEmbedding& stated, std::int64_t length) {
  try {
    return scaled_embedding(stated.scaling, {*stated.base, stated.head_dim, stated.rotary_dim(),
                                             stated.max_positions, length});
  } catch (const Error&) {  // a preset may hold a rule that these numbers do not suffice for
    return std::nullopt;
  }
}

/// The integer with the fewest digits in an interval, or else the one nearest to it.
double roundest_integer(double low, double high) {
  return std::ceil(low) <= std::floor(high) ? simplest_number(std::ceil(low), std::floor(high))
                                            : std::round((low + high) / 2);
}

}  // namespace

std::optional<std::int64_t> trained_length(const RotaryEmbedding& stated) {
  const auto number = stated.scaling.numbers.find("original");
  if (number == stated.scaling.numbers.end()) return stated.max_positions;
  return std::llround(number->second);
}

std::optional<LengthInterval> length_of_dynamic(const Spectrum& found,
                                                const RotaryEmbedding& stated) {
  const std::optional<double> base = found.embedding.geometric_base();
  const std::optional<std::int64_t> original = trained_length(stated);
  if (stated.scaling.rule != "dynamic" || !stated.base || !original || !found.recognised || !base ||
      !(*base > *stated.base) || stated.pairs() < 2)
    return std::nullopt;
  // b' = b·(s·S/L − (s − 1))^(r/(r−2)), solved for S.
  const double factor = stated.scaling.numbers.at("factor");
  const auto trained = static_cast<double>(*original);
  const auto r = static_cast<double>(stated.rotary_dim());
  const auto length = [&](double of_base) {
    return trained * (std::pow(of_base / *stated.base, (r - 2) / r) + factor - 1) / factor;
  };
  const bool fitted = found.base_low > 0 && std::isfinite(found.base_high);
  const double low = length(fitted ? smaller(found.base_low, *base) : *base);
  const double high = length(fitted ? larger(found.base_high, *base) : *base);
  // Engines that raise the base once and for all do so for the longest sequence.
  constexpr double kSlack = 0.5;  // tokens
  const double longest = factor * trained;
  const bool of_longest = longest >= low - kSlack && longest <= high + kSlack;
  const double likely = of_longest ? longest : roundest_integer(low, high);
  // A base of two digits is chosen more often than some length happens to give it.
  if ((has_two_digits(*base) && !of_longest) || !(likely > trained) || likely > kLongestContext)
    return std::nullopt;
  const std::int64_t tokens = std::llround(likely);
  const std::optional<RotaryEmbedding> meant = for_length(stated, tokens);
  if (!meant || !same_frequencies(found, named(*meant))) return std::nullopt;
  return LengthInterval{tokens, std::ceil(low - kSlack) == std::floor(high + kSlack)};
}

std::optional<RotaryEmbedding> with_other_list(const RotaryEmbedding& stated) {
  const std::optional<std::int64_t> original = trained_length(stated);
  if (stated.scaling.rule != "longrope" || !stated.base || !original) return std::nullopt;
  const bool beyond = stated.seq_len && *stated.seq_len > *original;
  return for_length(stated, *original + (beyond ? 0 : 1));
}

}  // namespace rope
