#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "decay/report.hpp"
#include "named/positions.hpp"
#include "rope/error.hpp"
#include "usage/command.hpp"
#include "usage/general_options.hpp"
#include "usage/numbers.hpp"
#include "usage/output.hpp"

namespace rope::app {
namespace {

constexpr std::array kFormats = {Format::csv, Format::json, Format::png,
                                 Format::svg, Format::pdf,  Format::gp};
constexpr std::array<std::string_view, 2> kExamples = {
    "rope decay --base 10000 --dim 128",
    "rope decay --base 10000 --base 500000 --distances 1:131072:log400 -o bases.svg"};
constexpr std::array<std::string_view, 3> kFamilies = {"geometric", "linear", "quadratic"};
constexpr std::array<std::string_view, 2> kAxes = {"linear", "log"};
constexpr std::size_t kDefaultRandomPairs = 256;
constexpr std::int64_t kMaxRandomPairs = 1'000'000;

Family read_family(const Arguments& arguments) {
  const std::string family = arguments.value("--family").value_or("geometric");
  if (family == "linear") return Family::linear;
  if (family == "quadratic") return Family::quadratic;
  if (family != "geometric") refuse_choice("--family", kFamilies, family);
  return Family::geometric;
}

bool read_log_axis(const Arguments& arguments, const PositionList& distances) {
  const std::string axis =
      arguments.value("--axis").value_or(distances.logarithmic ? "log" : "linear");
  if (axis != "log" && axis != "linear") refuse_choice("--axis", kAxes, axis);
  if (axis == "log" && std::ranges::none_of(distances.values, [](auto d) { return d > 0; }))
    refuse("--axis", "a positive distance for a logarithmic axis", "none");
  return axis == "log";
}

DecayStudy read_study(const Arguments& arguments, const Console& console) {
  DecayStudy study;
  study.family = arguments.value("--family").value_or("geometric");
  for (RotaryVariant& variant : rotary_variants(arguments, console, read_family(arguments)))
    study.curves.push_back({{}, std::move(variant)});
  PositionList distances =
      positions_option("--distances", arguments.value("--distances").value_or("0:256"));
  study.log_axis = read_log_axis(arguments, distances);
  study.distances = std::move(distances.values);
  study.too_many_for_random = study.distances.size() > kMostDistancesForRandomPairs;
  study.random_pairs = study.too_many_for_random ? 0 : kDefaultRandomPairs;
  if (const auto text = arguments.value("--random-pairs")) {
    constexpr std::string_view kExpected = "0 or an integer from 2 to 1000000";
    const std::int64_t pairs =
        integer_option("--random-pairs", *text, kExpected, 0, kMaxRandomPairs);
    if (pairs == 1) refuse("--random-pairs", kExpected, "'1'", "One pair has no deviation.");
    study.random_pairs = static_cast<std::size_t>(pairs);
    study.too_many_for_random = false;
  }
  if (const auto text = arguments.value("--seed"))
    study.seed =
        static_cast<std::uint64_t>(integer_option("--seed", *text, "an integer of at least 0", 0));
  return study;
}

void compute(DecayStudy& study, CpuLevel level, const Console& console) {
  DecayRequest request{{}, study.distances, study.random_pairs, study.seed, level};
  for (const VariantDecay& curve : study.curves)
    request.embeddings.push_back(curve.variant.embedding);
  Progress progress(console, study.distances.size() * study.curves.size(), "rope decay");
  std::vector<DecayResult> results =
      decay_study(request, [&](std::size_t count) { progress.advance(count); });
  for (std::size_t i = 0; i < results.size(); ++i)
    static_cast<DecayResult&>(study.curves[i]) = std::move(results[i]);
}

void declare(OptionSet& options) {
  options.group("Curves");
  options.add(
      "--distances", "LIST",
      std::string("distances in tokens: ") + std::string(kPositionsHelp) + " (default: 0:256)");
  options.add("--family", "FAMILY",
              "geometric, linear or quadratic: how theta_k falls with k (default: geometric)");
  options.add("--random-pairs", "N",
              "random q, k whose scores are measured, 0 for none (default: 256; 0 beyond 4096 "
              "distances)");
  options.add("--seed", "N", "of the random pairs (default: 42)");
  options.add("--axis", "SCALE",
              "linear or log: the distance axis of the picture (default: log after logN)");
  declare_rotary_options(options, Times::many);
  declare_output_options(options, kFormats);
}

ExitCode run(const Arguments& arguments, Console& console) {
  DecayStudy study = read_study(arguments, console);
  const OutputPlan plan = plan_output(arguments, kFormats, "decay");
  compute(study, cpu_level(arguments), console);
  if (plan.report()) console.print(decay_report(study, console));
  Products products;
  products.csv = [&] { return decay_csv(study); };
  products.json = [&] { return decay_json(study); };
  products.figure = [&] { return decay_figure(study); };
  write_output(plan, products, console);
  return ExitCode::done;
}

}  // namespace

extern constinit const Command decay_command = {
    "decay", "Show how scores fall with distance: the bound, the mean cosine, random pairs.",
    kExamples, declare, run};

}  // namespace rope::app
