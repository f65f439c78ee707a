// `rope compare`: position encodings side by side, measured.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "compare/report.hpp"
#include "compare/study.hpp"
#include "named/model_variants.hpp"
#include "named/positions.hpp"
#include "named/rotary_options.hpp"
#include "named/rotary_values.hpp"
#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "usage/command.hpp"
#include "usage/general_options.hpp"
#include "usage/numbers.hpp"
#include "usage/output.hpp"

namespace rope::app {
namespace {

constexpr std::array kFormats = {Format::csv, Format::json, Format::png,
                                 Format::svg, Format::pdf,  Format::gp};
constexpr std::array<std::string_view, 3> kExamples = {
    "rope compare --sources", "rope compare --encoding alibi --heads 12 --json",
    "rope compare --encoding t5 --buckets 32 --range=-200,200 --json"};
constexpr std::array<std::string_view, 3> kForms = {"interleaved", "blocks", "blocks-to-end"};
constexpr std::array<std::string_view, 3> kBiases = {"distance", "key", "key-from-last"};
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

double share_option(const Arguments& arguments, double otherwise) {
  const auto text = arguments.value("--share");
  if (!text) return otherwise;
  constexpr std::string_view kExpected = "a number from 0 to 1";
  const double share = real_option("--share", *text, kExpected);
  if (!(share >= 0 && share <= 1)) refuse("--share", kExpected, io::in_quotes(*text));
  return share;
}

std::vector<const EncodingEntry*> read_entries(const Arguments& arguments) {
  std::vector<const EncodingEntry*> entries;
  std::vector<std::string_view> names;
  for (const EncodingEntry& entry : encodings()) names.push_back(entry.name);
  for (const std::string& text : arguments.values("--encoding")) {
    const EncodingEntry* const entry = find_encoding(text);
    if (entry == nullptr) refuse_choice("--encoding", names, text);
    if (std::ranges::find(entries, entry) != entries.end())
      refuse("--encoding", "different encodings", text + " twice", "Leave one of them out.");
    entries.push_back(entry);
  }
  if (entries.empty())
    for (const EncodingEntry& entry : encodings()) entries.push_back(&entry);
  return entries;
}

/// An odd head is legal where nothing is rotated in pairs.
bool odd_dim(const Arguments& arguments, const ComparisonStudy& study) {
  if (!arguments.given("--dim") || model_given(arguments) ||
      std::ranges::any_of(study.entries, [](const EncodingEntry* entry) { return entry->pairs; }))
    return false;
  const IntegerText dim = read_integer(*arguments.value("--dim"));
  return dim.value && *dim.value % 2 != 0;
}

void read_rotary(const Arguments& arguments, const Console& console, ComparisonStudy& study) {
  EncodingSettings& settings = study.settings;
  if (odd_dim(arguments, study)) {
    settings.rotary.head_dim = static_cast<std::size_t>(
        count_option(arguments, "--dim", 0, 1, static_cast<std::int64_t>(kMaxRotaryDim)));
    if (const auto base = arguments.value("--base")) settings.base = read_base(*base, console);
    for (const char* option : {"--frequencies", "--rotary-dim", "--scaling"})
      if (arguments.given(option))
        refuse(option, "an even --dim beside it", *arguments.value("--dim"));
    return;
  }
  settings.rotary = rotary_variants(arguments, console).front().embedding;
  if (settings.rotary.base) settings.base = *settings.rotary.base;
}

void read_lengths(const Arguments& arguments, ComparisonStudy& study) {
  constexpr std::int64_t kLeast = 16;
  EncodingSettings& settings = study.settings;
  settings.trained = count_option(arguments, "--from", settings.trained, kLeast, kMaxLength);
  study.length = count_option(arguments, "--to", std::min(4 * settings.trained, kMaxLength),
                              settings.trained, kMaxLength);
  study.shape.context = settings.trained;
  study.tokens =
      count_option(arguments, "--tokens", std::min<std::int64_t>(study.tokens, settings.trained), 2,
                   std::min(kMaxTokens, settings.trained));
  study.window_given = arguments.given("--window");
  settings.window = count_option(arguments, "--window", settings.trained / 2, 0, kMaxLength);
  settings.leak = DistanceMap::fitting_leak(settings.window, settings.trained, study.length);
  if (const auto leak = arguments.value("--leak")) {
    constexpr std::string_view kExpected = "a number of at least 1";
    settings.leak = real_option("--leak", *leak, kExpected);
    if (!(settings.leak >= 1)) refuse("--leak", kExpected, io::in_quotes(*leak));
  }
  settings.log_n = arguments.given("--log-n");
}

void read_buckets(const Arguments& arguments, EncodingSettings& settings) {
  settings.bidirectional = arguments.given("--bidirectional");
  settings.buckets =
      count_option(arguments, "--buckets", settings.buckets, settings.bidirectional ? 4 : 2, 32768);
  const std::int64_t alone = (settings.bidirectional ? settings.buckets / 2 : settings.buckets) / 2;
  settings.max_distance = std::max(settings.max_distance, alone + 1);
  if (const auto text = arguments.value("--max-distance"))
    settings.max_distance = integer_option(
        "--max-distance", *text,
        fmt::format("an integer above {}, the distances with a bucket of their own, up to 2^40",
                    alone),
        alone + 1, std::int64_t{1} << 40);
}

void read_model(const Arguments& arguments, ComparisonStudy& study) {
  EncodingSettings& settings = study.settings;
  settings.heads = count_option(arguments, "--heads", settings.heads, 1, kMaxHeads);
  settings.head = count_option(arguments, "--head", settings.heads / 2, 0, settings.heads - 1);
  const std::string bias = arguments.value("--alibi-bias").value_or("distance");
  const auto known_bias = alibi_bias(bias);
  if (!known_bias) refuse_choice("--alibi-bias", kBiases, bias);
  settings.alibi_bias = *known_bias;
  study.shape.heads = static_cast<std::size_t>(settings.heads);
  study.shape.layers =
      static_cast<std::size_t>(count_option(arguments, "--layers", 32, 1, kMaxLayers));
  settings.clip = count_option(arguments, "--clip", settings.clip, 0, std::int64_t{1} << 24);
  settings.share = share_option(arguments, settings.share);
  const std::string form = arguments.value("--form").value_or("interleaved");
  const auto known = sinusoidal_form(form);
  if (!known) refuse_choice("--form", kForms, form);
  settings.form = *known;
  if (const auto seed = arguments.value("--seed"))
    settings.seed =
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

/// Where raw numbers are asked for; by default the tokens of a map, or distances about 0.
void read_places(const Arguments& arguments, const OutputPlan& plan, ComparisonStudy& study) {
  const bool range = arguments.given("--range"), positions = arguments.given("--positions");
  const std::string_view option = range ? "--range" : "--positions";
  if (range && positions) refuse(option, "either --range or --positions", "both");
  if ((range || positions) && study.entries.size() != 1)
    refuse(option, "one --encoding beside it", fmt::format("{} of them", study.entries.size()),
           "It chooses the raw numbers of one encoding's --json document.");
  const std::string_view name = study.entries.front()->name;
  if (range) study.at = read_range(*arguments.value("--range"));
  if (positions) study.at = positions_option(option, *arguments.value("--positions")).values;
  if (!range && !positions) {
    const bool distances = study.settings.alibi_bias == AlibiBias::distance;
    const bool both_ways = name == "t5" || name == "shaw" || (name == "alibi" && distances);
    for (std::int64_t at = both_ways ? 1 - study.tokens : 0; at < study.tokens; ++at)
      study.at.push_back(at);
  }
  const bool rows = name == "sinusoidal" || name == "learned" || name == "transformer-xl";
  const std::size_t each = rows ? study.settings.rotary.head_dim : 1;
  const auto most = static_cast<std::size_t>(kMaxNumbers) / each;
  if (study.entries.size() == 1 && study.at.size() > most)
    refuse(option, fmt::format("at most {} of them, {} numbers each", most, each),
           std::to_string(study.at.size()), "Ask for a smaller part.");
  if ((range || positions) && !makes_document(plan))
    refuse(option, "--json, or --output FILE.json, beside it", "neither",
           "It chooses the raw numbers in that document; nothing else shows them.");
}

Mask read_mask(const Arguments& arguments) {
  const std::string mask = arguments.value("--mask").value_or("none");
  if (mask != "none" && mask != "causal") refuse_choice("--mask", kMasks, mask);
  return mask == "causal" ? Mask::causal : Mask::none;
}

void declare(OptionSet& options) {
  options.group("Encodings");
  std::string names;
  for (const EncodingEntry& entry : encodings())
    names += (names.empty() ? "" : ", ") + std::string(entry.name);
  options.add("--encoding", "NAME", names + "; may be repeated (default: all)", Times::many);
  options.add_flag("--sources",
                   "mark where the source documents' table says otherwise, and list its cells");
  options.add("--from", "T", "tokens in training, at least 16 (default: 2048)");
  options.add("--to", "T", "tokens wanted, at most 2^20 (default: four times as many)");
  options.add("--heads", "N", "heads of the model: its costs, ALiBi's slopes (default: 32)");
  options.add("--head", "H", "which one ALiBi's slope is of, from 0 (default: half of --heads)");
  options.add("--alibi-bias", "BIAS",
              "-slope by distance (the paper), or slope by key (BLOOM) or key-from-last (MPT) "
              "(default: distance)");
  options.add("--layers", "N", "layers of the model (default: 32)");
  options.add("--form", "FORM",
              "of the sinusoidal table: interleaved, blocks or blocks-to-end, the last with "
              "wavelengths up to 2 pi b (default: interleaved)");
  options.add("--clip", "C", "largest distance of Shaw's keys (default: 16)");
  options.add("--buckets", "N", "of T5 (default: 32)");
  options.add("--max-distance", "N", "from which on T5 has one bucket (default: 128)");
  options.add_flag("--bidirectional", "T5 tells keys after the query apart");
  options.add(
      "--window", "W",
      "of ReRoPE and Leaky ReRoPE (default: half of --from; in maps a quarter of --tokens)");
  options.add("--leak", "K",
              "Leaky ReRoPE counts distances beyond the window 1/K (default: what --to needs)");
  options.add_flag("--log-n", "ReRoPE multiplies q by max(1, ln(m+1)/ln T), as published");
  options.add("--share", "P", "of the pairs that p-RoPE turns, the fastest (default: 0.25)");
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
  ComparisonStudy study;
  study.entries = read_entries(arguments);
  study.chosen = arguments.given("--encoding");
  study.sources = arguments.given("--sources");
  read_rotary(arguments, console, study);
  read_model(arguments, study);
  read_lengths(arguments, study);
  read_buckets(arguments, study.settings);
  study.mask = read_mask(arguments);
  const OutputPlan plan = plan_output(arguments, kFormats, "compare");
  read_places(arguments, plan, study);
  measure(study, console);
  if (plan.report()) console.print(compare_report(study, console));
  Products products;
  products.csv = [&] { return compare_csv(study); };
  products.json = [&] { return compare_json(study); };
  products.figure = [&] { return compare_figure(study); };
  write_output(plan, products, console);
  return ExitCode::done;
}

}  // namespace

extern constinit const Command compare_command = {
    "compare", "Compare position encodings: maps of attention scores, and what each can do.",
    kExamples, declare, run};

}  // namespace rope::app
