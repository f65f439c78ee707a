// `rope extend`: what each rule of context extension does, side by side.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>

#include "extend/report.hpp"
#include "named/rotary_options.hpp"
#include "named/scaling_option.hpp"
#include "rope/attention/base_bounds.hpp"
#include "rope/documents/extension.hpp"
#include "rope/error.hpp"
#include "rope/pictures/extension.hpp"
#include "rope/scaling/scaling.hpp"
#include "usage/command.hpp"
#include "usage/output.hpp"

namespace rope::app {
namespace {

constexpr std::int64_t kTrained = 4096;
constexpr std::int64_t kMaxLength = std::int64_t{1} << 24;
constexpr Range kLengths = {.low = 1, .high = kMaxLength, .tokens = true};

/// A longer context takes too long to be studied without being asked for.
constexpr std::int64_t kLongestUnasked = std::int64_t{1} << 20;

/// What is studied: tokens in training and tokens wanted.
struct ExtensionLengths {
  std::int64_t from = 0;
  std::int64_t to = 0;
  bool of_model = false;  ///< whether `to` is the model's context
};

void check_search(const ExtensionRequest& request) {
  if (request.trained.pairs() < 2)
    refuse("--search-base", "at least two rotated pairs", std::to_string(request.trained.pairs()),
           "With one pair, no base works: θ is 1 whatever the base, and cos 2 is negative.");
}

/// Runs `action`: what the library says of a scaling is of --rule here.
template <class Action>
auto about_rule(Action action) {
  try {
    return action();
  } catch (const Error& error) {
    if (error.subject() != "scaling") throw;
    throw Error(error.kind(), "--rule" + std::string(error.what()).substr(error.subject().size()),
                error.remedy());
  }
}

ScalingSpec read_rule(const std::string& text) {
  return about_rule([&] { return scaling_with_files(text); });
}

ExtensionStudy study_of(const ExtensionRequest& request, const Console& console) {
  constexpr std::uint64_t kRules = 8;  // about as many
  // Counted from 2^10 to 2^15 tokens, within a tenth.
  const double searched = 0.65 * std::pow(static_cast<double>(request.length), 0.855);
  Progress progress(console,
                    request.search_base ? kRules + static_cast<std::uint64_t>(searched) : kRules,
                    "rope extend", request.search_base ? Steps::uneven : Steps::equal);
  return about_rule([&] { return extension_study(request, [&progress] { progress.advance(1); }); });
}

struct Extend final : Invocation {
  static constexpr std::array<Choice<bool>, 2> kViews = {{{"curves", false}, {"fans", true}}};
  static constexpr std::array kFormats = {Format::csv, Format::json, Format::png,
                                          Format::svg, Format::pdf,  Format::gp};
  static constexpr std::array<std::string_view, 3> kExamples = {
      "rope extend --from 2048 --to 8192 --dim 128",
      "rope extend --from 8192 --to 128k --base 500000 --rule yarn,linear",
      "rope extend --from 4096 --to 8192 --search-base -o extend.json"};
  static constexpr auto kColumns =
      std::to_array<std::string_view>({"pair", "theta", "reach", "unseen"});
  static constexpr auto kTerms = std::to_array<std::string_view>(
      {"scaling rule", "trained length", "factor", "reach", "unseen share",
       "gap between neighbours", "first negative distance", "band", "critical base",
       "smallest base", "ReRoPE"});

  std::optional<std::int64_t> from;
  std::optional<std::int64_t> to;
  std::vector<ScalingSpec> rules;
  std::optional<std::int64_t> window;
  bool search_base = false;
  bool fans = false;
  RotaryOptions rotary;
  OutputOptions output{kFormats};

  void declare(OptionSet& options) override {
    options.group("Lengths");
    options.integer("--from T", "trained length in tokens", from, kLengths, "4096, or the model's");
    options.integer("--to T", "target length in tokens, at most 2^24", to, kLengths,
                    "the model's context, or four times --from");
    options.group("Rules");
    options
        .bound("--rule RULE",
               "a scaling rule, as in --scaling; its factor and original length follow from --from "
               "and --to",
               rules, read_rule, "linear, ntk, ntk-mixed, dynamic, yarn, llama3")
        .as_list();
    options.integer("--window W", "window of ReRoPE and Leaky ReRoPE", window,
                    {.low = 1, .high = kMaxLength - 1, .tokens = true}, "half of --from");
    options.flag(
        "--search-base",
        "find the smallest base, and the smallest round one with a margin, whose mean cosine is "
        "never negative up to --to; 128k takes seconds, and 1M half a minute",
        search_base);
    options.choice("--view VIEW", "fans shows, for each pair, the angles seen in training", fans,
                   kViews);
    rotary.declare(options);
    output.declare(options);
    output.declare_tidy(options);
    output.declare_details(options);
    options.often_used({"--from", "--to", "--rule", "--search-base", "--view"});
    options.take_words("--rule", names_in(scaling_rules()));
  }

  /// The embedding; of a model's rule that depends on the length, that of the wanted length.
  RotaryVariant variant(const Console& console) const {
    RotaryOptions at_length = rotary;
    if (rotary.names_model() && !rotary.seq_len) {
      const Console silent = Console::silent();
      const RotaryVariant variant = rotary_variant(rotary, silent);
      if (depends_on_length(variant.embedding.scaling)) at_length.seq_len = lengths(variant).to;
    }
    return rotary_variant(at_length, console);
  }

  /// From what the model was trained on to what it is sold for, unless the user says otherwise;
  /// four times as far where that is no way.
  ExtensionLengths lengths(const RotaryVariant& variant) const {
    ExtensionLengths lengths;
    lengths.from = from.value_or(std::min(variant.trained.value_or(kTrained), kMaxLength));
    const std::int64_t context = std::min(variant.context.value_or(0), kLongestUnasked);
    lengths.of_model = !to && context > lengths.from;
    lengths.to = to.value_or(lengths.of_model ? context : std::min(4 * lengths.from, kMaxLength));
    return lengths;
  }

  ExtensionRequest request(const RotaryVariant& variant) const {
    ExtensionRequest request;
    request.trained = variant.embedding;
    if (!request.trained.base)
      throw Error(ErrorKind::invalid_input, "--frequencies: expected a base, got frequencies",
                  "The rules derive their frequencies from a base: give --base.");
    if (request.trained.axes.own_series)
      throw Error(
          ErrorKind::invalid_input,
          fmt::format("{}: expected one series of frequencies over all pairs, got one for "
                      "each of {} axes",
                      rotary.axes.dims ? "--axes" : "--config", request.trained.axes.count()),
          "The rules change one series: --sections divides it among axes.");
    const auto [trained, length, of_model] = lengths(variant);
    request.trained_length = trained;
    request.length = length;
    if (length < trained)
      refuse("--to", fmt::format("an integer from {} to 2^24", trained), quoted(*to),
             "It must be at least --from.");
    if (window.value_or(0) >= trained)
      refuse("--window", fmt::format("an integer from 1 to {}", trained - 1), quoted(*window),
             "It must be less than --from.");
    request.window = window;
    for (std::size_t i = 1; i < rules.size(); ++i)
      if (std::find(rules.begin(), rules.begin() + static_cast<std::ptrdiff_t>(i), rules[i]) !=
          rules.begin() + static_cast<std::ptrdiff_t>(i))
        refuse("--rule", "different rules", scaling_text(rules[i]) + " twice",
               "Leave one of them out.");
    request.rules = rules;
    request.search_base = search_base;
    if (search_base) check_search(request);
    return request;
  }

  /// The embedding in one line; where a model names no longer context, what was taken instead.
  std::string setting(const RotaryVariant& variant) const {
    std::string text = describe(variant);
    if (rotary.names_model() && !to && !lengths(variant).of_model)
      text +=
          fmt::format("; the model states no context beyond {} tokens, so --to is four times that",
                      lengths(variant).from);
    if (!to && variant.context.value_or(0) > kLongestUnasked)
      text += fmt::format("; to study its full context of {} tokens, use --to", *variant.context);
    return text;
  }

  ExitCode run(Console& console) override {
    const RotaryVariant variant = this->variant(console);
    const ExtensionRequest request = this->request(variant);
    const OutputPlan plan = plan_output(output, {"extend", kColumns});
    const ExtensionStudy study = study_of(request, console);
    for (const std::string& note : study.notes) console.warn(note);
    if (variant.reach != variant.context)
      console.warn(
          fmt::format("the layers of {} see {} tokens, so a longer context brings them no new "
                      "distances: this shows what would happen without the window",
                      variant.model, *variant.reach));
    Products products;
    products.report = [&](const Console& out) {
      print_extension(study, setting(variant), output.details, out);
    };
    products.csv = [&] { return extension_csv(study, output.csv_form()); };
    products.json = [&] { return extension_json(study); };
    products.figure = [&] {
      RotaryVariant before = variant;  // the rules are named beside their curves
      before.embedding = study.trained;
      return fans ? extension_fans(study, describe(before))
                  : extension_figure(study, describe(before));
    };
    write_output(plan, products, console);
    return ExitCode::done;
  }
};

}  // namespace

extern constinit const Command extend_command = command_of<Extend>(
    "extend", kStudy, "Compare the rules that stretch a model to longer contexts.");

}  // namespace rope::app
