#include "named/rotary_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "named/model_variants.hpp"
#include "named/scaling_option.hpp"
#include "rope/io/quote.hpp"
#include "rope/model/presets.hpp"
#include "rope/rotary/frequencies.hpp"
#include "rope/scaling/scaling.hpp"

namespace rope::app {
namespace {

constexpr double kDefaultBase = 10000;
constexpr std::size_t kDefaultDim = 128;
constexpr Range kTokens = {.low = 1, .high = std::int64_t{1} << 53, .tokens = true};

template <typename Value>
void refuse_repetition(std::string_view option, const std::vector<Value>& values) {
  for (std::size_t i = 1; i < values.size(); ++i)
    if (std::find(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(i), values[i]) !=
        values.begin() + static_cast<std::ptrdiff_t>(i))
      refuse(option, "different values", fmt::format("{} twice", values[i]), "Keep one of them.");
}

[[noreturn]] void refuse_odd(std::string_view option, const std::string& found) {
  refuse(option, fmt::format("an even integer from 2 to {}", kMaxRotaryDim), found,
         "Dimensions are rotated in pairs.");
}

std::size_t read_size(std::string_view option, const std::string& text, bool odd = false) {
  const std::string expected = fmt::format("an even integer from 2 to {}", kMaxRotaryDim);
  const std::int64_t size = integer_option(
      option, text,
      {odd ? 1 : 2, static_cast<std::int64_t>(kMaxRotaryDim), odd ? std::string_view() : expected});
  if (!odd && size % 2 != 0) refuse_odd(option, io::in_quotes(text));
  return static_cast<std::size_t>(size);
}

/// --frequencies: they fix the rotated size, and the head size if nothing else does.
RotaryVariant given_variant(const RotaryOptions& options) {
  if (options.dims.size() > 1)
    refuse("--frequencies", "at most one --dim with it", std::to_string(options.dims.size()));
  RotaryVariant variant{"frequencies", {}, Spacing::geometric};
  RotaryEmbedding& embedding = variant.embedding;
  embedding.frequencies = given_frequencies(options.frequencies);
  embedding.layout = options.layout.value_or(PairLayout::interleaved);
  const std::size_t rotary_dim = embedding.rotary_dim();
  embedding.head_dim = options.dims.empty() ? rotary_dim : options.dims.front();
  if (embedding.head_dim < rotary_dim)
    refuse("--dim", fmt::format("at least {}, twice the number of frequencies", rotary_dim),
           std::to_string(embedding.head_dim));
  if (options.rotary_dim.value_or(rotary_dim) != rotary_dim)
    refuse("--rotary-dim", fmt::format("{}, twice the number of frequencies", rotary_dim),
           std::to_string(*options.rotary_dim), "Leave --rotary-dim out.");
  return variant;
}

/// "base=10000", "dim=64", "base=10000 dim=64" or "yarn:factor=4,original=4096 base=10000".
std::string label(const RotaryEmbedding& embedding, bool with_scaling, bool with_base,
                  bool with_dim) {
  std::vector<std::string> parts;
  if (with_scaling) parts.push_back(brief_scaling_text(embedding.scaling));
  if (with_base) parts.push_back(fmt::format("base={}", *embedding.base));
  if (with_dim) parts.push_back(fmt::format("dim={}", embedding.head_dim));
  return fmt::format("{}", fmt::join(parts, " "));
}

template <class Value>
std::vector<Value> or_default(std::vector<Value> values, Value otherwise) {
  if (values.empty()) values.push_back(std::move(otherwise));
  return values;
}

/// Every size with every base and every scaling rule.
std::vector<RotaryVariant> combinations(const RotaryOptions& options, const Console& console) {
  const bool geometric = options.family == Spacing::geometric;
  const std::vector<std::size_t> dims =
      or_default(options.dims, options.axes.dims ? options.axes.dims->sum() : kDefaultDim);
  const std::vector<double> bases = or_default(options.bases, kDefaultBase);
  const std::vector<ScalingSpec> scalings = or_default(options.scalings, ScalingSpec());
  const PairLayout layout = options.layout.value_or(PairLayout::interleaved);
  for (const double base : bases) warn_of_base(base, console);
  std::vector<RotaryVariant> variants;
  for (const std::size_t dim : dims) {
    for (const double base : bases) {
      for (const ScalingSpec& scaling : scalings) {
        const ScalingContext context = {base, dim, rotary_dim_within(options, dim),
                                        options.max_positions, options.seq_len};
        RotaryVariant variant;
        variant.spacing = options.family;
        RotaryEmbedding& embedding = variant.embedding;
        if (options.axes.dims) {
          embedding = options.axes.embedding(dim, base, layout);
        } else if (geometric) {
          embedding = scaled_with_warnings(scaling, context, layout, console);
        } else {
          embedding.head_dim = dim;
          embedding.layout = layout;
          embedding.frequencies =
              power_frequencies(options.family == Spacing::linear ? 1 : 2, context.rotary_dim);
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

/// Refuses what means nothing together.
void check_combination(const RotaryOptions& options) {
  const auto refuse_both = [](std::string_view one, bool given, std::string_view expected,
                              std::string_view why) {
    if (given) refuse(one, expected, "both", std::string(why));
  };
  const bool lengths = options.max_positions || options.seq_len;
  const std::string_view length = options.max_positions ? "--max-positions" : "--seq-len";
  if (options.family != Spacing::geometric) {
    const std::string_view
        without = "no --family with it",
        why = "Families other than geometric have neither a base nor a rule: leave --family out.";
    refuse_both("--model", !options.models.empty(), without, why);
    refuse_both("--config", !options.configs.empty(), without, why);
    refuse_both("--frequencies", !options.frequencies.empty(), without, why);
    refuse_both("--base", !options.bases.empty(), without, why);
    refuse_both("--scaling", !options.scalings.empty(), without, why);
    refuse_both(length, lengths, without, why);
  }
  if (!options.frequencies.empty()) {
    refuse_both("--frequencies", options.names_model(), "either frequencies or a model",
                "Leave one of them out.");
    refuse_both("--frequencies", !options.bases.empty(), "either frequencies or a base",
                "--frequencies are the θ_i themselves: leave --base out.");
    refuse_both("--frequencies", !options.scalings.empty(), "either frequencies or a scaling rule",
                "A rule starts from a base: leave --frequencies out.");
    refuse_both(length, lengths, "no --frequencies with it",
                "--frequencies are the θ_i themselves: no length changes them.");
  }
  if (options.axes.dims) {
    refuse_both("--axes", options.names_model(), "either axes or a model",
                "A model has axes of its own: leave --axes out.");
    refuse_both("--axes", !options.frequencies.empty(), "either axes or frequencies",
                "Use --sections to divide the pairs of given frequencies among axes.");
    refuse_both("--axes", !options.scalings.empty(), "either axes or a scaling rule",
                "A rule changes one series of frequencies over all pairs: use --sections.");
    refuse_both("--axes", options.rotary_dim.has_value(), "no --rotary-dim with it",
                "The rotated size is the sum of the axis sizes.");
  }
  if (options.axes.given() && options.family != Spacing::geometric)
    refuse_both(options.axes.dims ? "--axes" : "--sections", true, "no --family with it",
                "Families other than geometric have one axis: leave --family out.");
  if (lengths && options.scalings.empty() && !options.names_model())
    refuse(length, "--scaling or a model with it", "none",
           std::string("Only scaling rules depend on lengths: leave it out") +
               (options.max_positions ? std::string(options.other_length) : std::string()) + ".");
  for (const std::size_t dim : options.dims)
    if (dim % 2 != 0) refuse_odd("--dim", quoted(static_cast<std::int64_t>(dim)));
  refuse_repetition("--dim", options.dims);
  refuse_repetition("--base", options.bases);
  for (std::size_t i = 1; i < options.scalings.size(); ++i)
    if (std::ranges::find(std::span(options.scalings).first(i), options.scalings[i]) !=
        std::span(options.scalings).first(i).end())
      refuse("--scaling", "different rules", brief_scaling_text(options.scalings[i]) + " twice",
             "Keep one of them.");
}

}  // namespace

void RotaryOptions::declare(OptionSet& options) {
  options.group("Rotary embedding");
  const auto size = [odd = odd_dims](std::string_view option, const std::string& text) {
    return read_size(option, text, odd);
  };
  options
      .bound("--dim N",
             odd_dims ? "head size d; must be even if pairs are rotated" : "head size d, even",
             dims, size, std::to_string(kDefaultDim))
      .as_list()
      .times = times;
  options
      .real("--base B", "base b of theta_i = b^(-2i/r), above 0", bases,
            {.least = 0, .above = true, .remedy = "Most models use 10000 or 500000."},
            fmt::format("{}", kDefaultBase))
      .as_list()
      .times = times;
  options.reals("--frequencies T,...",
                "the theta_i themselves, in radians per token, instead of a base", frequencies,
                {.least = 0});
  options.bound(
      "--rotary-dim N", "rotated dimensions r, even; the rest pass through", rotary_dim,
      [](std::string_view option, const std::string& text) { return read_size(option, text); },
      "the head size");
  options.choice("--layout LAYOUT", "pairs (2i, 2i+1) or (i, i + r/2)", layout, kLayouts,
                 "interleaved");
  declare_scaling(options, scalings).as_list().times = times;
  axes.declare(options);
  options.integer("--max-positions N",
                  "the model's max_position_embeddings, for rules that need it", max_positions,
                  kTokens, "none");
  options.integer("--seq-len N", "length of the sequence, for dynamic and longrope", seq_len,
                  kTokens, "within the original context");
  options
      .text("--model NAME",
            "a preset, which sets all of these; rope inspect --list shows the presets", models)
      .as_list()
      .times = times;
  options
      .text("--config FILE", "a config.json, params.json or GGUF key dump, which sets all of these",
            configs)
      .times = times;
  options.often_used({"--dim", "--base", "--layout", "--scaling", "--model"});
  options.take_words("--model", preset_names());
  options.take_words("--scaling", names_in(scaling_rules()));
}

std::size_t rotary_dim_within(const RotaryOptions& options, std::size_t head_dim) {
  const std::size_t rotary_dim = options.rotary_dim.value_or(head_dim);
  if (rotary_dim > head_dim)
    refuse("--rotary-dim", fmt::format("an even integer from 2 to the head size {}", head_dim),
           quoted(static_cast<std::int64_t>(rotary_dim)));
  return rotary_dim;
}

void warn_of_base(double base, const Console& console) {
  if (base == 1) console.warn("--base: with base 1, every θ_i is 1, so all pairs turn alike");
  if (base < 1)
    console.warn(
        "--base: with a base below 1, the frequencies grow with i, so pair 0 is the slowest");
}

std::vector<RotaryVariant> rotary_variants(const RotaryOptions& options, const Console& console) {
  check_combination(options);
  std::vector<RotaryVariant> variants;
  if (options.names_model())
    variants = model_variants(options, console);
  else if (!options.frequencies.empty())
    variants = {given_variant(options)};
  else
    variants = combinations(options, console);
  if (!options.axes.sections) return variants;
  for (RotaryVariant& variant : variants) {
    const Axes before = variant.embedding.axes;
    options.axes.apply_sections(variant.embedding);
    if (options.names_model() && variant.embedding.axes.of_pair != before.of_pair)
      console.warn(fmt::format("--sections replaces the {} of {}",
                               before.several() ? "sections" : "single axis", variant.label));
  }
  return variants;
}

RotaryVariant rotary_variant(const RotaryOptions& options, const Console& console) {
  return rotary_variants(options, console).front();
}

}  // namespace rope::app
