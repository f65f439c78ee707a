#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "decay/report.hpp"
#include "named/positions.hpp"
#include "rope/documents/decay.hpp"
#include "rope/documents/decay_map.hpp"
#include "rope/pictures/decay.hpp"
#include "usage/command.hpp"
#include "usage/output.hpp"

namespace rope::app {
namespace {

constexpr std::array<Choice<Spacing>, 3> kFamilies = {{{"geometric", Spacing::geometric},
                                                       {"linear", Spacing::linear},
                                                       {"quadratic", Spacing::quadratic}}};
constexpr std::array<Choice<bool>, 2> kAxisScales = {{{"linear", false}, {"log", true}}};
constexpr std::size_t kDefaultRandomPairs = 256;
constexpr Range kRandomPairs = {0, 1'000'000, "0 or an integer from 2 to 1000000"};

void compute(DecayStudy& study, CpuLevel level, const Console& console) {
  DecayRequest request{{}, study.distances, study.random_pairs, study.seed, level, study.parts};
  for (const VariantDecay& curve : study.curves)
    request.embeddings.push_back(curve.variant.embedding);
  Progress progress(console, study.distances.size() * study.curves.size(), "rope decay");
  std::vector<DecayResult> results =
      decay_study(request, [&](std::size_t count) { progress.advance(count); });
  for (std::size_t i = 0; i < results.size(); ++i)
    static_cast<DecayResult&>(study.curves[i]) = std::move(results[i]);
}

struct Decay final : Invocation {
  static constexpr std::array kFormats = {Format::csv, Format::json, Format::png,
                                          Format::svg, Format::pdf,  Format::gp};
  static constexpr std::array<std::string_view, 2> kExamples = {
      "rope decay --base 10000 --dim 128",
      "rope decay --base 10000 --base 500000 --distances 1:131072:log400 -o bases.svg"};
  static constexpr auto kColumns =
      std::to_array<std::string_view>({"distance", "bound", "mean_cosine", "log_law", "random_mean",
                                       "random_deviation", "time", "height", "width"});
  static constexpr auto kTerms =
      std::to_array<std::string_view>({"Δ", "bound f(Δ)", "mean cosine", "log law", "random pairs",
                                       "first negative distance", "base", "axes of positions"});

  std::optional<DistanceList> distances;
  std::optional<std::size_t> random_pairs;
  std::uint64_t seed = 42;
  std::optional<bool> log_axis;
  bool relative = false;
  bool map = false;
  RotaryOptions rotary{Times::many};
  OutputOptions output{kFormats, kReportAndPicture};

  void declare(OptionSet& options) override {
    options.group("Curves");
    options.bound("--distances LIST",
                  "distances in tokens: " + std::string(kPositionsHelp) +
                      "; or A:B:linN for N evenly spaced real distances, as in numpy.linspace",
                  distances, read_distances,
                  "0:256; for a model, its context, spaced logarithmically");
    options.choice("--family FAMILY", "how theta_i falls with i", rotary.family, kFamilies);
    options.integer("--random-pairs N", "number of random q and k to measure; 0 for none",
                    random_pairs, kRandomPairs, "256; 0 with more than 4096 distances");
    options.integer("--seed N", "random seed for the random pairs", seed, {0}).as_seed();
    options.flag("--relative",
                 "draw the bound as f(Delta)/f(0); this is the default if the curves differ in "
                 "their number of pairs",
                 relative);
    options.flag("--map",
                 "for an embedding with several axes: map the mean cosine over distances on two "
                 "axes, from -32 to 32 unless --distances sets others",
                 map);
    options.exclude("--map",
                    {"--family", "--random-pairs", "--seed", "--relative", "--axis", "--tidy"},
                    "a map has no curves");
    options.choice("--axis SCALE", "the distance axis of the picture", log_axis, kAxisScales,
                   "linear, or log for logarithmic distances");
    rotary.declare(options);
    output.declare(options);
    output.declare_tidy(options);
    output.declare_details(options);
    options.often_used({"--distances", "--random-pairs"});
  }

  /// The distances that were asked for, or those within the longest context of the models.
  DistanceList distances_of(const std::vector<VariantDecay>& curves) const {
    if (distances) return *distances;
    std::int64_t longest = 0;
    for (const VariantDecay& curve : curves)
      longest = std::max(longest, curve.variant.reach.value_or(0));
    constexpr std::int64_t kLeast = 256;
    return read_distances("--distances", longest <= kLeast
                                             ? std::string("0:256")
                                             : fmt::format("0,1:{}:log400", longest - 1));
  }

  DecayStudy study(const Console& console) const {
    DecayStudy study;
    study.family = std::ranges::find(kFamilies, rotary.family, &Choice<Spacing>::value)->word;
    for (RotaryVariant& variant : rotary_variants(rotary, console))
      study.curves.push_back({{}, std::move(variant)});
    const DistanceList list = distances_of(study.curves);
    study.distances = list.values;
    study.parts = list.parts;
    study.log_axis = log_axis.value_or(list.logarithmic);
    if (study.log_axis && std::ranges::none_of(study.distances, [](auto d) { return d > 0; }))
      refuse("--axis", "a positive distance for a logarithmic axis", "none");
    if (random_pairs == 1)
      refuse("--random-pairs", kRandomPairs.text(), "'1'",
             "A single pair has no standard deviation.");
    study.too_many_for_random =
        !random_pairs && study.distances.size() > kMostDistancesForRandomPairs;
    study.random_pairs = study.too_many_for_random ? 0 : random_pairs.value_or(kDefaultRandomPairs);
    study.seed = seed;
    if (relative) study.relative = true;
    return study;
  }

  /// Of one embedding: --map.
  ExitCode run_map(Console& console) const {
    std::vector<RotaryVariant> variants = rotary_variants(rotary, console);
    if (variants.size() != 1)
      refuse("--map", "one embedding", std::to_string(variants.size()), "Name a single one.");
    if (!variants.front().embedding.axes.several())
      refuse("--map", "an embedding with several axes", "one with a single axis",
             "For example --axes 32,32, --sections 16,24,24, or the config of a vision model.");
    const DistanceList list = distances ? *distances : read_distances("--distances", "-32:32");
    if (list.parts != 1)
      refuse("--distances", "integer distances with --map", "A:B:linN", "Use A:B:STEP.");
    constexpr std::size_t kMost = 2048;
    if (list.values.size() > kMost)
      refuse("--distances", fmt::format("at most {} distances with --map", kMost),
             std::to_string(list.values.size()), "Use a STEP: -512:512:8.");
    MapStudy study{variants.front(), decay_map(variants.front().embedding, list.values)};
    const OutputPlan plan = plan_output(output, {"decay", kColumns});
    Products products;
    products.report = [&](const Console& out) { print_decay_map(study, out); };
    products.csv = [&] { return decay_map_csv(study); };
    products.json = [&] { return decay_map_json(study); };
    products.figure = [&] {
      return decay_map_figure(study.map, study.variant.embedding, describe(study.variant));
    };
    write_output(plan, products, console);
    return ExitCode::done;
  }

  ExitCode run(Console& console) override {
    if (map) return run_map(console);
    DecayStudy study = this->study(console);
    const OutputPlan plan = plan_output(output, {"decay", kColumns});
    const std::uint64_t curves = study.curves.size();
    check_memory(plan, "--distances", study.distances.size(),
                 {32 + 110 * curves, 64 + 220 * curves, 64 + 280 * curves});
    compute(study, general.cpu_level, console);
    const bool kinds = rotary.models.size() + rotary.configs.size() == 1 && study.curves.size() > 1;
    Products products;
    products.report = [&](const Console& out) { print_decay(study, kinds, output.details, out); };
    products.csv = [&] { return decay_csv(study, output.csv_form()); };
    products.json = [&] { return decay_json(study); };
    products.figure = [&] { return decay_figure(study); };
    write_output(plan, products, console);
    return ExitCode::done;
  }
};

}  // namespace

extern constinit const Command decay_command =
    command_of<Decay>("decay", kStudy, "Show how the mean score and the bound fall with distance.");

}  // namespace rope::app
