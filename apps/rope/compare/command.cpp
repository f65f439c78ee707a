// `rope compare`: position encodings side by side, measured.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "compare/report.hpp"
#include "named/model_variants.hpp"
#include "named/positions.hpp"
#include "named/rotary_options.hpp"
#include "named/rotary_values.hpp"
#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "rope/studies/comparison.hpp"
#include "usage/command.hpp"
#include "usage/general_options.hpp"
#include "usage/numbers.hpp"
#include "usage/output.hpp"

namespace rope::app {
namespace {

constexpr std::array kFormats = {Format::csv, Format::json, Format::png,
                                 Format::svg, Format::pdf,  Format::gp};
constexpr std::array<std::string_view, 3> kExamples = {
    "rope compare --sources", "rope compare --encoding alibi:head=0 --heads 12 --json",
    "rope compare --encoding t5:buckets=8 --encoding t5 --encoding rope"};
constexpr std::array<std::string_view, 2> kMasks = {"none", "causal"};

constexpr std::int64_t kMaxHeads = 65536;
constexpr std::int64_t kMaxLayers = 65536;
constexpr std::int64_t kMaxLength = std::int64_t{1} << 20;
constexpr std::int64_t kMaxTokens = 256;
constexpr std::int64_t kMaxNumbers = std::int64_t{1} << 22;

std::int64_t count_option(const Arguments& arguments, std::string_view option,
                          std::int64_t otherwise, std::int64_t low, std::int64_t high) {
  const auto text = arguments.value(option);
  if (!text) return otherwise;
  return integer_option(option, *text, fmt::format("an integer from {} to {}", low, high), low,
                        high);
}

std::vector<EncodingSpec> read_encodings(const Arguments& arguments) {
  std::vector<EncodingSpec> specs;
  for (const std::string& text : arguments.values("--encoding"))
    specs.push_back(as_option("encoding", [&] { return parse_encoding(text); }));
  return specs.empty() ? all_encodings() : specs;
}

/// Refuses one that is there twice: the same encoding with the same values, given or not.
void check_different(const ComparisonSettings& settings) {
  std::vector<std::pair<const EncodingEntry*, ParameterValues>> seen;
  for (const EncodingSpec& spec : settings.encodings) {
    std::pair found(spec.entry, encoding_values(spec, settings.context));
    if (std::ranges::find(seen, found) != seen.end())
      refuse("--encoding", "different encodings", encoding_text(spec) + " twice",
             "Leave one of them out.");
    seen.push_back(std::move(found));
  }
}

/// An odd head is legal where nothing is rotated in pairs.
bool odd_dim(const Arguments& arguments, const std::vector<EncodingSpec>& encodings) {
  const auto in_pairs = [](const EncodingSpec& spec) { return spec.entry->pairs; };
  if (!arguments.given("--dim") || model_given(arguments) ||
      std::ranges::any_of(encodings, in_pairs))
    return false;
  const IntegerText dim = read_integer(*arguments.value("--dim"));
  return dim.value && *dim.value % 2 != 0;
}

void read_rotary(const Arguments& arguments, const Console& console, ComparisonSettings& settings) {
  EncodingContext& context = settings.context;
  if (odd_dim(arguments, settings.encodings)) {
    context.rotary.head_dim = static_cast<std::size_t>(
        count_option(arguments, "--dim", 0, 1, static_cast<std::int64_t>(kMaxRotaryDim)));
    if (const auto base = arguments.value("--base")) context.base = read_base(*base, console);
    for (const char* option : {"--frequencies", "--rotary-dim", "--scaling"})
      if (arguments.given(option))
        refuse(option, "an even --dim beside it", *arguments.value("--dim"));
    return;
  }
  context.rotary = rotary_variants(arguments, console).front().embedding;
  if (context.rotary.base) context.base = *context.rotary.base;
}

void read_lengths(const Arguments& arguments, ComparisonSettings& settings) {
  constexpr std::int64_t kLeast = 16;
  EncodingContext& context = settings.context;
  context.trained = count_option(arguments, "--from", context.trained, kLeast, kMaxLength);
  context.length = count_option(arguments, "--to", std::min(4 * context.trained, kMaxLength),
                                context.trained, kMaxLength);
  settings.tokens =
      count_option(arguments, "--tokens", std::min<std::int64_t>(settings.tokens, context.trained),
                   2, std::min(kMaxTokens, context.trained));
}

void read_model(const Arguments& arguments, ComparisonSettings& settings) {
  EncodingContext& context = settings.context;
  context.heads = count_option(arguments, "--heads", context.heads, 1, kMaxHeads);
  settings.layers =
      static_cast<std::size_t>(count_option(arguments, "--layers", 32, 1, kMaxLayers));
  if (const auto seed = arguments.value("--seed"))
    context.seed =
        static_cast<std::uint64_t>(integer_option("--seed", *seed, "an integer of at least 0", 0));
}

/// A,B: every integer between them.
std::vector<std::int64_t> read_range(std::string_view text) {
  constexpr std::string_view kExpected = "two integers A,B, the smaller first";
  const std::size_t comma = std::min(text.find(','), text.size());
  const IntegerText from = read_integer(text.substr(0, comma));
  const IntegerText to = read_integer(text.substr(std::min(comma + 1, text.size())));
  if (!from.value || !to.value || *from.value > *to.value)
    refuse("--range", kExpected, io::in_quotes(text), "For example --range=-200,200.");
  // As unsigned numbers: the width of the whole range of integers does not overflow.
  const auto width =
      static_cast<std::uint64_t>(*to.value) - static_cast<std::uint64_t>(*from.value);
  if (width >= static_cast<std::uint64_t>(kMaxNumbers))
    refuse("--range", fmt::format("at most {} integers", kMaxNumbers), io::in_quotes(text),
           "Ask for a smaller part, or for single ones with --positions.");
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

/// Where the raw numbers of one encoding are asked for; by default the tokens of a map, or
/// distances about 0.
std::vector<std::int64_t> read_places(const Arguments& arguments, const OutputPlan& plan,
                                      const ComparisonSettings& settings) {
  const bool range = arguments.given("--range"), positions = arguments.given("--positions");
  const std::string_view option = range ? "--range" : "--positions";
  if (range && positions) refuse(option, "either --range or --positions", "both");
  if (settings.encodings.size() != 1) {
    if (range || positions)
      refuse(option, "one --encoding beside it",
             fmt::format("{} of them", settings.encodings.size()),
             "It chooses the raw numbers of one encoding's --json document.");
    return {};
  }
  std::vector<std::int64_t> at;
  if (range) at = read_range(*arguments.value("--range"));
  if (positions) at = positions_option(option, *arguments.value("--positions")).values;
  const NumberPlaces places =
      make_encoding(settings.encodings.front(), settings.context)->number_places();
  if (!range && !positions)
    for (std::int64_t place = places.both_ways ? 1 - settings.tokens : 0; place < settings.tokens;
         ++place)
      at.push_back(place);
  const std::size_t most = static_cast<std::size_t>(kMaxNumbers) / places.each;
  if (at.size() > most)
    refuse(option, fmt::format("at most {} of them, {} numbers each", most, places.each),
           std::to_string(at.size()), "Ask for a smaller part.");
  if ((range || positions) && !makes_document(plan))
    refuse(option, "--json, or --output FILE.json, beside it", "neither",
           "It chooses the raw numbers in that document; nothing else shows them.");
  return at;
}

Mask read_mask(const Arguments& arguments) {
  const std::string mask = arguments.value("--mask").value_or("none");
  if (mask != "none" && mask != "causal") refuse_choice("--mask", kMasks, mask);
  return mask == "causal" ? Mask::causal : Mask::none;
}

/// --encoding, with the parameters that each declares.
void declare_encodings(OptionSet& options) {
  std::string names;
  for (const EncodingEntry& entry : encodings())
    names += (names.empty() ? "" : ", ") + std::string(entry.name);
  options.add("--encoding", "NAME:K=V,...",
              names +
                  "; parameters below, for example t5:buckets=32,max_distance=128; may be "
                  "repeated (default: all)",
              Times::many);
  for (const EncodingEntry& entry : encodings())
    for (const Parameter& parameter : entry.parameters)
      options.add_parameter("--encoding", entry.name, parameter);
}

void declare(OptionSet& options) {
  options.group("Encodings");
  declare_encodings(options);
  options.add_flag("--sources",
                   "mark where the source documents' table says otherwise, and list its cells");
  options.add("--from", "T", "tokens in training, at least 16 (default: 2048)");
  options.add("--to", "T", "tokens wanted, at most 2^20 (default: four times as many)");
  options.add("--heads", "N", "heads of the model: its costs, ALiBi's slopes (default: 32)");
  options.add("--layers", "N", "layers of the model (default: 32)");
  options.add("--seed", "N", "of q, k and all that a model would learn (default: 42)");
  options.group("Maps and numbers");
  options.add("--tokens", "N", "of the maps, at most 256 (default: 32)");
  options.add("--mask", "MASK", "none, or causal: keys after the query stay empty (default: none)");
  options.add("--range", "A,B",
              "of one encoding's --json: positions, or distances key - query, of its raw numbers");
  options.add("--positions", "LIST", "the same as a list: " + std::string(kPositionsHelp));
  declare_rotary_options(options, Times::once);
  declare_output_options(options, kFormats);
}

ExitCode run(const Arguments& arguments, Console& console) {
  ComparisonSettings settings;
  settings.encodings = read_encodings(arguments);
  const bool chosen = arguments.given("--encoding"), sources = arguments.given("--sources");
  settings.leave_out = !chosen;
  read_rotary(arguments, console, settings);
  read_model(arguments, settings);
  read_lengths(arguments, settings);
  check_different(settings);
  settings.mask = read_mask(arguments);
  const OutputPlan plan = plan_output(arguments, kFormats, "compare");
  std::vector<std::int64_t> at;
  const EncodingComparison comparison = as_option("encoding", [&] {
    // What is asked for in vain is refused before the work.
    at = read_places(arguments, plan, settings);
    Progress progress(console, settings.encodings.size(), "rope compare");
    return compare_encodings(settings, [&] { progress.advance(1); });
  });
  for (const std::string& note : comparison.notes) console.warn(note);
  if (plan.report()) console.print(compare_report(comparison, sources, console));
  Products products;
  products.csv = [&] { return compare_csv(comparison); };
  products.json = [&] { return compare_json(comparison, sources, at); };
  products.figure = [&] { return compare_figure(comparison, chosen); };
  write_output(plan, products, console);
  return ExitCode::done;
}

}  // namespace

extern constinit const Command compare_command = {
    "compare", "Compare position encodings: maps of attention scores, and what each can do.",
    kExamples, declare, run};

}  // namespace rope::app
