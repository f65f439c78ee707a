// `rope compare`: position encodings side by side, measured.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "compare/report.hpp"
#include "named/encoding_option.hpp"
#include "named/positions.hpp"
#include "named/rotary_options.hpp"
#include "rope/documents/comparison.hpp"
#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "rope/pictures/comparison.hpp"
#include "rope/studies/comparison.hpp"
#include "usage/command.hpp"
#include "usage/output.hpp"
#include "usage/parse.hpp"

namespace rope::app {
namespace {

constexpr std::int64_t kMaxHeads = 65536;
constexpr std::int64_t kLeastTrained = 16;
constexpr std::int64_t kMaxTokens = 256;
constexpr std::int64_t kMaxNumbers = std::int64_t{1} << 22;

/// A,B: every integer between them.
std::vector<std::int64_t> read_range(const std::string& given) {
  constexpr std::string_view kExpected = "two integers A,B, the smaller first";
  const std::string_view text = given;
  const std::size_t comma = std::min(text.find(','), text.size());
  const IntegerText from = read_integer(text.substr(0, comma), Thousand::of_tokens);
  const IntegerText to =
      read_integer(text.substr(std::min(comma + 1, text.size())), Thousand::of_tokens);
  if (!from.value || !to.value || *from.value > *to.value)
    refuse("--range", kExpected, io::in_quotes(text), "For example --range=-200,200.");
  // As unsigned numbers: the width of the whole range of integers does not overflow.
  const auto width =
      static_cast<std::uint64_t>(*to.value) - static_cast<std::uint64_t>(*from.value);
  if (width >= static_cast<std::uint64_t>(kMaxNumbers))
    refuse("--range", fmt::format("at most {} integers", kMaxNumbers), io::in_quotes(text),
           "Ask for a smaller range, or list individual integers with --positions.");
  std::vector<std::int64_t> values;
  for (std::int64_t value = *from.value; value < *to.value; ++value) values.push_back(value);
  values.push_back(*to.value);
  return values;
}

/// Whether the document that holds the raw numbers is made.
bool makes_document(const OutputPlan& plan) {
  return plan.json_document || std::ranges::any_of(plan.files, [](const OutputFile& file) {
           return file.format == Format::json;
         });
}

struct Compare final : Invocation {
  static constexpr std::size_t kMaxEncodings = 64;
  static constexpr std::int64_t kMaxLayers = 65536;
  static constexpr std::int64_t kMaxLength = std::int64_t{1} << 20;
  static constexpr std::array kFormats = {Format::csv, Format::json, Format::png,
                                          Format::svg, Format::pdf,  Format::gp};
  static constexpr std::array<std::string_view, 3> kExamples = {
      "rope compare alibi rope", "rope compare --encoding alibi:head=0 --heads 12 --json",
      "rope compare --encoding t5:buckets=8 --encoding t5 --encoding rope"};
  static constexpr auto kColumns =
      std::to_array<std::string_view>({"distance", "added", "added_shifted"});
  static constexpr auto kTerms = std::to_array<std::string_view>(
      {"relative", "sign of Δ", "decay", "unseen share", "share of projections", "ALiBi", "T5 bias",
       "xPos", "ReRoPE", "p-RoPE", "RoPE"});

  std::vector<std::string> names;
  std::vector<EncodingSpec> specs;
  EncodingContext context;
  std::optional<std::int64_t> to;
  std::size_t layers = 32;
  std::optional<std::int64_t> tokens;
  Mask mask = Mask::none;
  std::optional<std::vector<std::int64_t>> range;
  std::optional<PositionList> positions;
  RotaryOptions rotary;
  OutputOptions output{kFormats};

  void declare(OptionSet& options) override {
    options.operands("[NAME]...", "encodings, as in --encoding", kMaxEncodings, names);
    options.group("Encodings");
    declare_encodings(options, specs, "all");
    options.integer("--from T", "trained length in tokens, at least 16", context.trained,
                    {.low = kLeastTrained, .high = kMaxLength, .tokens = true});
    options.integer("--to T", "target length in tokens, at most 2^20", to,
                    {.low = 1, .high = kMaxLength, .tokens = true}, "four times --from");
    options.integer("--heads N", "number of heads in the model, for costs and ALiBi slopes",
                    context.heads, {1, kMaxHeads});
    options.integer("--layers N", "number of layers in the model", layers, {1, kMaxLayers});
    options.integer("--seed N", "random seed for q, k and untrained weights", context.seed, {0})
        .as_seed();
    options.group("Maps and numbers");
    options.integer("--tokens N", "tokens along each side of the maps, at most 256", tokens,
                    {2, kMaxTokens}, std::to_string(ComparisonSettings().tokens));
    options.choice("--mask MASK", "with causal, cells whose key follows the query are empty", mask,
                   kMasks);
    options.bound(
        "--range A,B",
        "positions, or distances (key minus query), at which --json lists the raw numbers "
        "of one encoding",
        range, read_range);
    options.bound("--positions LIST",
                  "the same positions or distances: " + std::string(kPositionsHelp), positions,
                  read_positions);
    rotary.odd_dims = true;
    rotary.declare(options);
    output.declare(options);
    output.declare_tidy(options);
    output.declare_details(options);
    options.often_used({"--encoding", "--from", "--to"});
    options.operands_take([] { return names_in(encodings()); });
    options.exclude("--range", {"--positions"}, "both choose the raw numbers");
  }

  ExitCode run(Console& console) override {
    for (const std::string& word : names)
      for (const std::string& name : items_of(word)) specs.push_back(parse_encoding(name));
    const ComparisonSettings settings = this->settings(console);
    const OutputPlan plan = plan_output(output, {"compare", kColumns});
    const std::vector<std::int64_t> at = places(plan, settings);  // refused before the work
    const EncodingComparison comparison = [&] {
      Progress progress(console, settings.encodings.size(), "rope compare");
      return compare_encodings(settings, [&] { progress.advance(1); });
    }();
    for (const std::string& note : comparison.notes) console.warn(note);
    Products products;
    products.report = [&](const Console& out) {
      print_comparison(comparison, output.details, out);
    };
    products.csv = [&] { return comparison_csv(comparison, output.csv_form()); };
    products.json = [&] { return comparison_json(comparison, at); };
    products.figure = [&] { return comparison_figure(comparison, !specs.empty()); };
    write_output(plan, products, console);
    return ExitCode::done;
  }

 private:
  /// An odd head is legal where nothing is rotated in pairs.
  bool odd_dim(const std::vector<EncodingSpec>& encodings) const {
    const auto in_pairs = [](const EncodingSpec& spec) { return spec.entry->pairs; };
    return !rotary.names_model() && std::ranges::none_of(encodings, in_pairs) &&
           std::ranges::any_of(rotary.dims, [](std::size_t dim) { return dim % 2 != 0; });
  }

  void set_rotary(ComparisonSettings& settings, const Console& console) const {
    EncodingContext& model = settings.context;
    if (!odd_dim(settings.encodings)) {
      model.rotary = rotary_variant(rotary, console).embedding;
      if (model.rotary.base) model.base = *model.rotary.base;
      return;
    }
    model.rotary.head_dim = rotary.dims.front();
    for (const double base : rotary.bases) {
      warn_of_base(base, console);
      model.base = base;
    }
    const auto needs_pairs = [&](std::string_view option, bool given) {
      if (given) refuse(option, "an even --dim with it", std::to_string(rotary.dims.front()));
    };
    needs_pairs("--frequencies", !rotary.frequencies.empty());
    needs_pairs("--rotary-dim", rotary.rotary_dim.has_value());
    needs_pairs("--scaling", !rotary.scalings.empty());
  }

  ComparisonSettings settings(const Console& console) const {
    ComparisonSettings settings;
    settings.context = context;
    settings.encodings = specs.empty() ? all_encodings() : specs;
    settings.leave_out = specs.empty();
    set_rotary(settings, console);
    settings.layers = layers;
    settings.mask = mask;
    settings.context.length = to.value_or(std::min(4 * context.trained, kMaxLength));
    if (settings.context.length < context.trained)
      refuse("--to", fmt::format("an integer from {} to 2^20", context.trained), quoted(*to),
             "It must be at least --from.");
    settings.tokens = tokens.value_or(std::min<std::int64_t>(settings.tokens, context.trained));
    if (settings.tokens > context.trained)
      refuse("--tokens", fmt::format("an integer from 2 to {}", context.trained),
             std::to_string(settings.tokens), "It must be at most --from.");
    check_different(settings.encodings, settings.context);
    return settings;
  }

  /// Where the raw numbers of one encoding are asked for; by default the tokens of a map, or
  /// distances about 0.
  std::vector<std::int64_t> places(const OutputPlan& plan,
                                   const ComparisonSettings& settings) const {
    const bool stated = range || positions;
    const std::string_view option = range ? "--range" : "--positions";
    if (settings.encodings.size() != 1) {
      if (stated)
        refuse(option, "one --encoding with it",
               fmt::format("{} of them", settings.encodings.size()),
               "This option selects the raw numbers that --json lists for one encoding.");
      return {};
    }
    std::vector<std::int64_t> at;
    if (range) at = *range;
    if (positions) at = positions->values;
    const NumberPlaces numbers =
        make_encoding(settings.encodings.front(), settings.context)->number_places();
    if (!stated)
      for (std::int64_t place = numbers.both_ways ? 1 - settings.tokens : 0;
           place < settings.tokens; ++place)
        at.push_back(place);
    const std::size_t most = static_cast<std::size_t>(kMaxNumbers) / numbers.each;
    if (at.size() > most)
      refuse(option,
             fmt::format("at most {} values, with {} raw numbers for each", most, numbers.each),
             std::to_string(at.size()), "Give fewer values.");
    if (stated && !makes_document(plan))
      refuse(option, "--json, or --output FILE.json, with it", "neither",
             "This option selects the raw numbers in that document; nothing else shows them.");
    return at;
  }
};

}  // namespace

extern constinit const Command compare_command = command_of<Compare>(
    "compare", kStudy, "Compare position encodings by their scores and properties.");

}  // namespace rope::app
