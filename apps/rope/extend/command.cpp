// `rope extend`: what each rule of context extension does, side by side.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "extend/report.hpp"
#include "named/rotary_options.hpp"
#include "rope/attention/base_bounds.hpp"
#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "rope/scaling/scaling.hpp"
#include "usage/command.hpp"
#include "usage/general_options.hpp"
#include "usage/numbers.hpp"
#include "usage/output.hpp"

namespace rope::app {
namespace {

constexpr std::array kFormats = {Format::csv, Format::json, Format::png,
                                 Format::svg, Format::pdf,  Format::gp};
constexpr std::array<std::string_view, 3> kExamples = {
    "rope extend --from 2048 --to 8192 --dim 128",
    "rope extend --from 8192 --to 131072 --base 500000 --rule yarn --rule linear",
    "rope extend --from 4096 --to 8192 --search-base -o extend.json"};
constexpr std::int64_t kMaxLength = std::int64_t{1} << 24;
constexpr std::size_t kDistances = 1600;

/// Rules that need nothing but the two lengths. llama3 takes the bands of Llama 3.1.
constexpr std::array<std::string_view, 6> kDefaultRules = {
    "linear", "ntk", "ntk-mixed", "dynamic", "yarn", "llama3:low=1,high=4"};

/// Fills in what the two lengths say, if the rule takes it and it was not given: the factor T*/T
/// and the original length T. The factor of dynamic is applied to T*/T by the rule itself.
ScalingSpec complete(ScalingSpec spec, const ExtensionStudy& study) {
  const ScalingRule* const rule = find_scaling_rule(spec.rule);
  if (rule == nullptr) return spec;
  const auto takes = [&](std::string_view name) {
    return std::ranges::any_of(rule->parameters, [&](const auto& p) { return p.name == name; });
  };
  const double factor =
      static_cast<double>(study.length) / static_cast<double>(study.trained_length);
  if (takes("factor")) spec.numbers.try_emplace("factor", spec.rule == "dynamic" ? 1 : factor);
  if (takes("original"))
    spec.numbers.try_emplace("original", static_cast<double>(study.trained_length));
  return spec;
}

/// 1 … T*, evenly on a logarithmic axis.
std::vector<std::int64_t> log_distances(std::int64_t length) {
  std::vector<std::int64_t> distances;
  for (std::size_t i = 0; i < kDistances; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(kDistances - 1);
    const auto distance =
        static_cast<std::int64_t>(std::round(std::pow(static_cast<double>(length), share)));
    if (distances.empty() || distance > distances.back()) distances.push_back(distance);
  }
  return distances;
}

void add(ExtensionStudy& study, std::string label, std::string short_label,
         RotaryEmbedding embedding) {
  ExtensionResult result;
  result.label = std::move(label);
  result.short_label = std::move(short_label);
  result.coverage = angle_coverage(study.trained.frequencies, embedding.frequencies,
                                   study.trained_length, study.length);
  const std::array<std::int64_t, 1> neighbour = {1};
  result.adjacent_gap = 1 - decay_curve(embedding.frequencies, neighbour).mean_cosine[0];
  result.negative =
      first_negative(embedding.frequencies, std::max<std::int64_t>(study.length - 1, 1));
  result.decay = decay_curve(embedding.frequencies, study.distances);
  result.embedding = std::move(embedding);
  study.results.push_back(std::move(result));
}

std::int64_t length_option(const Arguments& arguments, std::string_view option,
                           std::int64_t fallback, std::int64_t low) {
  const std::optional<std::string> text = arguments.value(option);
  if (!text) return fallback;
  return integer_option(option, *text, fmt::format("an integer from {} to 2^24", low), low,
                        kMaxLength);
}

void read_window(const Arguments& arguments, ExtensionStudy& study) {
  std::int64_t window = study.trained_length / 2;
  if (const auto text = arguments.value("--window"))
    window = integer_option("--window", *text,
                            fmt::format("an integer from 0 to {}", study.trained_length - 1), 0,
                            study.trained_length - 1);
  study.rerope = {window, DistanceMap::fitting_leak(window, study.trained_length, study.length)};
}

void add_rules(const Arguments& arguments, ExtensionStudy& study, const Console& console) {
  std::vector<std::string> texts = arguments.values("--rule");
  if (texts.empty()) texts.assign(kDefaultRules.begin(), kDefaultRules.end());
  ScalingContext context;
  context.base = *study.trained.base;
  context.head_dim = study.trained.head_dim;
  context.rotary_dim = study.trained.rotary_dim();
  context.max_positions = study.trained_length;
  context.seq_len = study.length;
  Progress progress(console, texts.size() + 1, "rope extend");
  add(study, "none", "none", study.trained);
  // A base s times as large: what NTK-aware scaling is without its exponent r/(r − 2).
  const double larger = *study.trained.base * static_cast<double>(study.length) /
                        static_cast<double>(study.trained_length);
  RotaryEmbedding with_larger = study.trained;
  with_larger.base = larger;
  with_larger.frequencies = geometric_frequencies(larger, study.trained.rotary_dim());
  if (arguments.values("--rule").empty() && larger != *study.trained.base)
    add(study, fmt::format("base {:.6g}", larger), "larger base", std::move(with_larger));
  progress.advance(1);
  for (const std::string& text : texts) {
    const ScalingSpec spec = complete(parse_scaling(text), study);
    RotaryEmbedding embedding;
    try {
      embedding = scaled_embedding(spec, context, study.trained.layout);
    } catch (const Error& error) {
      if (arguments.given("--rule")) throw;
      console.warn(fmt::format("{} is left out: {}", spec.rule, error.what()));
      continue;
    }
    const auto same = std::ranges::count(study.results, spec.rule, [](const ExtensionResult& r) {
      return r.embedding.scaling.rule;
    });
    add(study, scaling_text(spec), same > 0 ? scaling_text(spec) : spec.rule, std::move(embedding));
    progress.advance(1);
  }
}

void add_base_bounds(const Arguments& arguments, ExtensionStudy& study, const Console& console) {
  const double base = *study.trained.base;
  const std::size_t dim = study.trained.rotary_dim();
  const double ratio =
      static_cast<double>(study.length) / static_cast<double>(study.trained_length);
  if (dim > 2) {
    study.ntk_factor = std::pow(ratio, static_cast<double>(dim) / static_cast<double>(dim - 2));
    study.covering_factor = covering_factor(base, dim, study.trained_length, study.length);
  }
  if (base > 1 && study.trained_length > 6)
    study.critical_base = critical_base(base, study.trained_length, study.length);
  if (!arguments.given("--search-base")) return;
  Progress progress(console, 150000, "searching");
  study.smallest_base = smallest_base(study.length, dim, [&progress] { progress.advance(1); });
  if (!study.smallest_base)
    refuse("--search-base", "at least two rotated pairs", std::to_string(dim / 2),
           "With one pair no base serves: θ is 1 whatever the base, and cos 2 is negative.");
}

void refuse_long_search(const Arguments& arguments, const ExtensionStudy& study) {
  if (arguments.given("--search-base") && study.length > kLongestBaseSearch)
    refuse("--search-base", fmt::format("--to up to {}", kLongestBaseSearch),
           std::to_string(study.length), "The search takes longer the longer the context is.");
}

void declare(OptionSet& options) {
  options.group("Lengths");
  options.add("--from", "T", "tokens in training (default: 4096)");
  options.add("--to", "T", "tokens wanted, at most 2^24 (default: four times as many)");
  options.group("Rules");
  options.add("--rule", "RULE",
              "a scaling rule, as --scaling takes it; the factor and the original length follow "
              "from the lengths (default: linear, ntk, ntk-mixed, dynamic, yarn, llama3)",
              Times::many);
  options.add("--window", "W", "window of ReRoPE and Leaky ReRoPE (default: half of --from)");
  options.add_flag("--search-base",
                   "find the smallest base whose mean cosine is nowhere negative up to --to");
  options.add("--view", "VIEW",
              "curves, or fans: which angles of every pair training saw (default: curves)");
  declare_rotary_options(options, Times::once);
  declare_output_options(options, kFormats);
}

ExitCode run(const Arguments& arguments, Console& console) {
  ExtensionStudy study;
  study.trained = rotary_variants(arguments, console).front().embedding;
  if (!study.trained.base)
    throw Error(ErrorKind::invalid_input, "--frequencies: expected a base, got frequencies",
                "The rules make their frequencies from a base: give --base.");
  if (study.trained.scaling.rule != "default") {
    console.warn(fmt::format("the rule {} is left out of training: every rule starts from base {}",
                             study.trained.scaling.rule, *study.trained.base));
    study.trained.scaling = {};
    study.trained.bands.clear();
    study.trained.attention_factor = 1;
    study.trained.frequencies =
        geometric_frequencies(*study.trained.base, study.trained.rotary_dim());
  }
  study.trained_length = length_option(arguments, "--from", 4096, 1);
  study.length = length_option(arguments, "--to", std::min(4 * study.trained_length, kMaxLength),
                               study.trained_length);
  const std::string view = arguments.value("--view").value_or("curves");
  if (view != "curves" && view != "fans") refuse("--view", "curves or fans", io::in_quotes(view));
  study.fans = view == "fans";
  read_window(arguments, study);
  study.distances = log_distances(study.length);
  const OutputPlan plan = plan_output(arguments, kFormats, "extend");
  refuse_long_search(arguments, study);  // before anything takes long
  add_rules(arguments, study, console);
  add_base_bounds(arguments, study, console);
  if (plan.report()) console.print(extend_report(study, console));
  Products products;
  products.csv = [&] { return extend_csv(study); };
  products.json = [&] { return extend_json(study); };
  products.figure = [&] { return extend_figure(study); };
  write_output(plan, products, console);
  return ExitCode::done;
}

}  // namespace

extern constinit const Command extend_command = {
    "extend", "Compare the rules that stretch a model to longer contexts.", kExamples, declare,
    run};

}  // namespace rope::app
