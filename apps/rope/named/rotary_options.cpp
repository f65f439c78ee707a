#include "named/rotary_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "named/model_variants.hpp"
#include "named/rotary_values.hpp"
#include "named/scaling_option.hpp"
#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "usage/numbers.hpp"

namespace rope::app {
namespace {

constexpr double kDefaultBase = 10000;
constexpr std::string_view kDefaultDim = "128";

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
  if (arguments.given("--scaling"))
    refuse("--frequencies", "either frequencies or a scaling rule", "both",
           "A rule starts from a base: leave --frequencies out.");
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
           io::in_quotes(*arguments.value("--rotary-dim")), "Leave --rotary-dim out.");
  return variant;
}

std::vector<double> read_bases(const Arguments& arguments, const Console& console, Family family) {
  if (family != Family::geometric && arguments.given("--base"))
    refuse("--base", "no base with this family", io::in_quotes(*arguments.value("--base")),
           "Only --family geometric has one.");
  std::vector<double> bases;
  for (const std::string& text : arguments.values("--base"))
    bases.push_back(read_base(text, console));
  if (bases.empty()) bases.push_back(kDefaultBase);
  refuse_repetition("--base", bases);
  return bases;
}

/// "base=10000", "dim=64", "base=10000 dim=64" or "yarn:factor=4,original=4096 base=10000".
std::string label(const RotaryEmbedding& embedding, bool with_scaling, bool with_base,
                  bool with_dim) {
  std::vector<std::string> parts;
  if (with_scaling) parts.push_back(short_text(embedding.scaling));
  if (with_base) parts.push_back(fmt::format("base={}", *embedding.base));
  if (with_dim) parts.push_back(fmt::format("dim={}", embedding.head_dim));
  return fmt::format("{}", fmt::join(parts, " "));
}

}  // namespace

std::string describe_scaling(const RotaryEmbedding& embedding) {
  if (embedding.scaling.rule == "default") return {};
  std::vector<std::string> parts;
  for (const auto& [key, value] : embedding.scaling.numbers)
    parts.push_back(fmt::format("{} {}", key, value));
  for (const auto& [key, values] : embedding.scaling.lists)
    parts.push_back(fmt::format("{} {} numbers", key, values.size()));
  if (embedding.max_positions)
    parts.push_back(fmt::format("max_positions {}", *embedding.max_positions));
  if (embedding.seq_len) parts.push_back(fmt::format("seq_len {}", *embedding.seq_len));
  std::string text = fmt::format("scaling {}", embedding.scaling.rule);
  if (!parts.empty()) text += fmt::format(" ({})", fmt::join(parts, ", "));
  if (embedding.attention_factor != 1)
    text += fmt::format(", attention factor {:.6g}", embedding.attention_factor);
  return text;
}

namespace {

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
using Parts = std::array<std::string, 5>;
Parts parts(const RotaryVariant& variant) {
  const RotaryEmbedding& embedding = variant.embedding;
  const bool partial = embedding.rotary_dim() != embedding.head_dim;
  return {fmt::format("head_dim {}", embedding.head_dim),
          partial ? fmt::format("rotary_dim {}", embedding.rotary_dim()) : std::string(),
          origin(variant), fmt::format("layout {}", name(embedding.layout)),
          describe_scaling(embedding)};
}

std::vector<std::size_t> read_dims(const Arguments& arguments) {
  std::vector<std::string> texts = arguments.values("--dim");
  if (texts.empty()) texts.emplace_back(kDefaultDim);
  std::vector<std::size_t> dims;
  dims.reserve(texts.size());
  for (const std::string& text : texts) dims.push_back(read_even("--dim", text, kMaxRotaryDim));
  refuse_repetition("--dim", dims);
  return dims;
}

/// Every size with every base and every scaling rule.
std::vector<RotaryVariant> combinations(const Arguments& arguments, const Console& console,
                                        Family family) {
  const std::vector<std::size_t> dims = read_dims(arguments);
  const std::vector<double> bases = read_bases(arguments, console, family);
  const std::vector<ScalingSpec> scalings = scaling_options(arguments);
  const bool geometric = family == Family::geometric;
  if (!geometric && arguments.given("--scaling"))
    refuse("--scaling", "no scaling rule with this family", short_text(scalings.front()),
           "Only --family geometric has a base to start from.");
  std::vector<RotaryVariant> variants;
  for (const std::size_t dim : dims) {
    for (const double base : bases) {
      for (const ScalingSpec& scaling : scalings) {
        const ScalingContext context = {base, dim, read_rotary_dim(arguments, dim), {}, {}};
        RotaryVariant variant;
        variant.family = family;
        RotaryEmbedding& embedding = variant.embedding;
        if (geometric) {
          embedding =
              scaled_by_options(arguments, scaling, context, read_layout(arguments), console);
        } else {
          embedding.head_dim = dim;
          embedding.layout = read_layout(arguments);
          embedding.frequencies =
              power_frequencies(family == Family::linear ? 1 : 2, context.rotary_dim);
        }
        const bool only = dims.size() == 1 && scalings.size() == 1;
        variant.label =
            label(embedding, scalings.size() > 1, geometric && (bases.size() > 1 || only),
                  dims.size() > 1 || !geometric);
        variants.push_back(std::move(variant));
      }
    }
  }
  return variants;
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
  declare_scaling_options(options, times);
  declare_model_options(options, times);
}

std::vector<RotaryVariant> rotary_variants(const Arguments& arguments, const Console& console,
                                           Family family) {
  for (const char* option : {"--model", "--config", "--frequencies"})
    if (family != Family::geometric && arguments.given(option))
      refuse(option, "no family beside it", "--family", "Leave one of them out.");
  if (model_given(arguments)) return model_variants(arguments, console);
  if (arguments.given("--frequencies")) return {given_variant(arguments)};
  return combinations(arguments, console, family);
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
