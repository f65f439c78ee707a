#include "rotary_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "numbers.hpp"
#include "rope/error.hpp"
#include "rope/io/quote.hpp"

namespace rope::app {
namespace {

constexpr double kDefaultBase = 10000;
constexpr std::array<std::string_view, 2> kLayouts = {"interleaved", "half"};
constexpr std::string_view kDefaultDim = "128";

PairLayout read_layout(const Arguments& arguments) {
  const std::string given = arguments.value("--layout").value_or("interleaved");
  const std::optional<PairLayout> layout = pair_layout(given);
  if (!layout)
    refuse_choice("--layout", kLayouts, given,
                  "interleaved pairs dimensions (2k, 2k+1), half pairs (k, k + r/2).");
  return *layout;
}

std::size_t read_even(std::string_view option, std::string_view text, std::size_t high) {
  const std::string expected =
      high == kMaxRotaryDim ? fmt::format("an even integer from 2 to {}", high)
                            : fmt::format("an even integer from 2 to the head size {}", high);
  const std::int64_t value =
      integer_option(option, text, expected, 2, static_cast<std::int64_t>(high));
  if (value % 2 != 0)
    refuse(option, expected, io::quoted(text), "Dimensions are rotated in pairs.");
  return static_cast<std::size_t>(value);
}

double read_base(std::string_view text, const Console& console) {
  constexpr std::string_view kExpected = "a finite number above 0";
  const double base = real_option("--base", text, kExpected);
  if (!(base > 0))
    refuse("--base", kExpected, io::quoted(text), "Most models use 10000 or 500000.");
  if (base == 1) console.warn("--base: with base 1 every θ_k is 1, so all pairs turn alike");
  if (base < 1)
    console.warn("--base: below 1 the frequencies grow with k, so pair 0 is the slowest");
  return base;
}

template <typename Value>
void refuse_repetition(std::string_view option, const std::vector<Value>& values) {
  for (std::size_t i = 1; i < values.size(); ++i)
    if (std::find(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(i), values[i]) !=
        values.begin() + static_cast<std::ptrdiff_t>(i))
      refuse(option, "different values", fmt::format("{} twice", values[i]), "Leave one of them.");
}

std::size_t read_rotary_dim(const Arguments& arguments, std::size_t head_dim) {
  const std::optional<std::string> given = arguments.value("--rotary-dim");
  return given ? read_even("--rotary-dim", *given, head_dim) : head_dim;
}

/// --frequencies: they fix the rotated size, and the head size if nothing else does.
RotaryVariant given_variant(const Arguments& arguments) {
  if (arguments.given("--base"))
    refuse("--frequencies", "either frequencies or a base", "both",
           "--frequencies are the θ_k themselves: leave --base out.");
  if (arguments.values("--dim").size() > 1)
    refuse("--frequencies", "at most one --dim with it",
           std::to_string(arguments.values("--dim").size()));
  RotaryVariant variant{"frequencies", {}, Family::geometric};
  RotaryEmbedding& embedding = variant.embedding;
  const std::vector<double> theta =
      real_list_option("--frequencies", *arguments.value("--frequencies"));
  for (const double value : theta)
    if (value < 0)
      refuse("--frequencies", "numbers of at least 0, in radians per token",
             fmt::format("{}", value));
  embedding.frequencies = given_frequencies(theta);
  embedding.layout = read_layout(arguments);
  const std::size_t rotary_dim = embedding.rotary_dim();
  embedding.head_dim = rotary_dim;
  if (const std::optional<std::string> dim = arguments.value("--dim"))
    embedding.head_dim = read_even("--dim", *dim, kMaxRotaryDim);
  if (embedding.head_dim < rotary_dim)
    refuse("--dim", fmt::format("at least {}, twice the number of frequencies", rotary_dim),
           std::to_string(embedding.head_dim));
  if (arguments.given("--rotary-dim") &&
      read_rotary_dim(arguments, embedding.head_dim) != rotary_dim)
    refuse("--rotary-dim", fmt::format("{}, twice the number of frequencies", rotary_dim),
           io::quoted(*arguments.value("--rotary-dim")), "Leave --rotary-dim out.");
  return variant;
}

Frequencies family_frequencies(Family family, double base, std::size_t rotary_dim) {
  switch (family) {
    case Family::linear:
      return power_frequencies(1, rotary_dim);
    case Family::quadratic:
      return power_frequencies(2, rotary_dim);
    case Family::geometric:
      break;
  }
  return geometric_frequencies(base, rotary_dim);
}

std::vector<double> read_bases(const Arguments& arguments, const Console& console, Family family) {
  if (family != Family::geometric && arguments.given("--base"))
    refuse("--base", "no base with this family", io::quoted(*arguments.value("--base")),
           "Only --family geometric has one.");
  std::vector<double> bases;
  for (const std::string& text : arguments.values("--base"))
    bases.push_back(read_base(text, console));
  if (bases.empty()) bases.push_back(kDefaultBase);
  refuse_repetition("--base", bases);
  return bases;
}

/// "base=10000", "dim=64" or "base=10000 dim=64".
std::string label(bool with_base, double base, bool with_dim, std::size_t dim) {
  std::string text;
  if (with_base) text = fmt::format("base={}", base);
  if (with_base && with_dim) text += " ";
  if (with_dim) text += fmt::format("dim={}", dim);
  return text;
}

/// Where the frequencies come from.
std::string origin(const RotaryVariant& variant) {
  const RotaryEmbedding& embedding = variant.embedding;
  if (variant.family == Family::linear) return "linear family";
  if (variant.family == Family::quadratic) return "quadratic family";
  if (embedding.base) return fmt::format("base {}", *embedding.base);
  constexpr std::size_t kMostPrinted = 4;
  if (embedding.pairs() > kMostPrinted)
    return fmt::format("{} given frequencies", embedding.pairs());
  return fmt::format("frequencies {}", fmt::join(embedding.frequencies.theta, ", "));
}

/// What describes an embedding, each in its place; empty where there is nothing to say.
using Parts = std::array<std::string, 4>;
Parts parts(const RotaryVariant& variant) {
  const RotaryEmbedding& embedding = variant.embedding;
  const bool partial = embedding.rotary_dim() != embedding.head_dim;
  return {fmt::format("head_dim {}", embedding.head_dim),
          partial ? fmt::format("rotary_dim {}", embedding.rotary_dim()) : std::string(),
          origin(variant), fmt::format("layout {}", name(embedding.layout))};
}

}  // namespace

void declare_rotary_options(OptionSet& options, Times times) {
  const std::string again = times == Times::many ? "; may be repeated" : "";
  options.group("Rotary embedding");
  options.add("--dim", "N", "head size d, even (default: 128" + again + ")", times);
  options.add("--base", "B", "base b of theta_k = b^(-2k/r), above 0 (default: 10000" + again + ")",
              times);
  options.add("--frequencies", "T,...",
              "the theta_k themselves, in radians per token, instead of a base");
  options.add("--rotary-dim", "N",
              "rotated dimensions r, even; the rest pass through (default: the head size)");
  options.add("--layout", "LAYOUT",
              "interleaved pairs (2k, 2k+1) or half pairs (k, k + r/2) (default: interleaved)");
}

std::vector<RotaryVariant> rotary_variants(const Arguments& arguments, const Console& console,
                                           Family family) {
  if (arguments.given("--frequencies")) {
    if (family != Family::geometric)
      refuse("--frequencies", "either frequencies or a family", "both", "Leave one of them out.");
    return {given_variant(arguments)};
  }
  std::vector<std::string> dim_texts = arguments.values("--dim");
  if (dim_texts.empty()) dim_texts.emplace_back(kDefaultDim);
  std::vector<std::size_t> dims;
  dims.reserve(dim_texts.size());
  for (const std::string& text : dim_texts) dims.push_back(read_even("--dim", text, kMaxRotaryDim));
  refuse_repetition("--dim", dims);
  const std::vector<double> bases = read_bases(arguments, console, family);
  std::vector<RotaryVariant> variants;
  for (const std::size_t dim : dims) {
    for (const double base : bases) {
      RotaryVariant variant;
      variant.family = family;
      variant.label = label(family == Family::geometric && (bases.size() > 1 || dims.size() == 1),
                            base, dims.size() > 1 || family != Family::geometric, dim);
      RotaryEmbedding& embedding = variant.embedding;
      embedding.head_dim = dim;
      embedding.layout = read_layout(arguments);
      embedding.frequencies = family_frequencies(family, base, read_rotary_dim(arguments, dim));
      if (family == Family::geometric) embedding.base = base;
      variants.push_back(std::move(variant));
    }
  }
  return variants;
}

std::string describe(const RotaryVariant& variant) { return describe(std::span(&variant, 1)); }

std::string describe(const RotaryEmbedding& embedding) {
  return describe(RotaryVariant{{}, embedding, Family::geometric});
}

std::string describe(std::span<const RotaryVariant> variants) {
  const Parts first = parts(variants.front());
  std::string text;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const bool shared = std::ranges::all_of(variants, [&](const RotaryVariant& variant) {
      return parts(variant).at(i) == first.at(i);
    });
    if (!shared || first.at(i).empty()) continue;
    text += (text.empty() ? "" : ", ") + first.at(i);
  }
  return text;
}

}  // namespace rope::app
