// `rope precision`: how wrong are float32, bfloat16, float16 … pipelines, by position?

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "named/policy_option.hpp"
#include "named/rotary_options.hpp"
#include "precision/report.hpp"
#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "rope/precision/rounding.hpp"
#include "usage/command.hpp"
#include "usage/numbers.hpp"
#include "usage/output.hpp"

namespace rope::app {
namespace {

constexpr std::array kFormats = {Format::csv, Format::json, Format::png,
                                 Format::svg, Format::pdf,  Format::gp};
constexpr std::array<std::string_view, 3> kExamples = {
    "rope precision", "rope precision --policy float32 --policy ggml --max-position 1e6",
    "rope precision --policy bfloat16-table --view pairs -o pairs.png"};
constexpr std::array<std::string_view, 8> kDefaultPolicies = {"float64",
                                                              "float32",
                                                              "bfloat16-table",
                                                              "bfloat16-positions",
                                                              "float16-positions",
                                                              "bfloat16-frequencies",
                                                              "tf32",
                                                              "ggml"};
constexpr std::int64_t kMaxPosition = std::int64_t{1} << 53;
constexpr std::int64_t kMaxExhaustive = std::int64_t{1} << 22;
constexpr std::size_t kMaxPolicies = 32;

/// 1, 2, 3, 4, 6, 8, 11 … half an octave apart, and the last.
std::vector<std::int64_t> half_octaves(std::int64_t last) {
  std::vector<std::int64_t> positions;
  for (int j = 0; positions.empty() || positions.back() < last; ++j) {
    const auto position = std::min(static_cast<std::int64_t>(std::round(std::exp2(j / 2.0))), last);
    if (positions.empty() || position > positions.back()) positions.push_back(position);
  }
  return positions;
}

std::vector<Policy> read_policies(const Arguments& arguments) {
  std::vector<Policy> policies;
  for (const std::string& text : arguments.values("--policy"))
    policies.push_back(policy_option("--policy", text));
  if (policies.size() > kMaxPolicies)
    throw Error(ErrorKind::invalid_input,
                "--policy: expected at most " + std::to_string(kMaxPolicies) + ", got " +
                    std::to_string(policies.size()),
                "Compare fewer at a time.");
  if (policies.empty())
    for (const std::string_view name : kDefaultPolicies) policies.push_back(*find_policy(name));
  return policies;
}

std::vector<Against> read_against(const Arguments& arguments) {
  const std::string text = arguments.value("--against").value_or("both");
  if (text == "identity") return {Against::identity};
  if (text == "exact") return {Against::exact};
  if (text != "both") refuse("--against", "both, identity or exact", io::in_quotes(text));
  return {Against::identity, Against::exact};
}

bool read_by_pair(const Arguments& arguments) {
  const std::string text = arguments.value("--view").value_or("curves");
  if (text != "curves" && text != "pairs") refuse("--view", "curves or pairs", io::in_quotes(text));
  return text == "pairs";
}

/// The lengths up to which every m, n is looked at for the largest error: half as many as there are
/// positions, and those that reports show.
std::vector<std::int64_t> powers_of_two(const std::vector<std::int64_t>& positions) {
  std::vector<std::int64_t> powers;
  for (const std::int64_t position : positions)
    if ((position & (position - 1)) == 0) powers.push_back(position);
  return powers;
}

/// Whether the largest error found up to a position is the largest there is.
bool is_largest(const PositionError& error, const std::vector<LargestError>& searched) {
  if (error.bound <= error.worst.error * (1 + kLargestWithin)) return true;
  return std::ranges::any_of(searched, [&](const LargestError& largest) {
    return largest.length == error.position && largest.all;
  });
}

PolicyResult study_policy(const PrecisionStudy& study, const Policy& policy, Progress& progress) {
  PolicyResult result;
  result.policy = policy;
  const Pipeline pipeline(policy, study.embedding);
  const std::int64_t last = study.positions.back();
  result.last = last_finite_position(policy, last);
  result.distinct = distinct_integers(policy.position, last);
  SearchOptions options;
  options.exhaustive = study.exhaustive;
  options.last = last;
  options.progress = [&progress] { progress.advance(1); };
  std::vector<std::int64_t> positions = study.positions;
  std::erase_if(positions, [&](std::int64_t position) { return position > result.last; });
  for (const Against against : study.against) {
    SearchResult search =
        search_errors(pipeline, against, kTolerances, powers_of_two(positions), options);
    std::vector<FoundError> known;
    for (const LargestError& largest : search.largest) known.push_back(largest.found);
    for (const FirstPosition& first : search.first)
      if (first.found) known.push_back(*first.found);
    PolicyErrors errors{sample_errors(pipeline, against, positions, known),
                        std::move(search.first)};
    for (PositionError& error : errors.errors) error.largest = is_largest(error, search.largest);
    result.against.push_back(std::move(errors));
  }
  return result;
}

void declare(OptionSet& options) {
  options.group("What is compared");
  options.add("--policy", "NAME",
              "a rounding policy, as in rope verify: a name or key=format,... (default: " +
                  std::string("float64, float32, bfloat16-table, bfloat16-positions, "
                              "float16-positions, bfloat16-frequencies, tf32, ggml)"),
              Times::many);
  options.add(
      "--against", "WHAT",
      "identity: the two sides of it, wherever they are wrong together; exact: the exact score; "
      "both (default: both)");
  options.add("--max-position", "N", "last position in tokens, at most 2^53 (default: 1048576)");
  options.add("--exhaustive", "N",
              "look at every 0 <= m <= n up to N: first positions and largest errors are exact up "
              "to there (default: 131072)");
  options.add("--view", "VIEW",
              "curves, or pairs: the error of every pair as a heat map (default: curves)");
  declare_rotary_options(options, Times::once);
  declare_output_options(options, kFormats);
}

ExitCode run(const Arguments& arguments, Console& console) {
  PrecisionStudy study;
  study.embedding = rotary_variants(arguments, console).front().embedding;
  study.against = read_against(arguments);
  study.by_pair = read_by_pair(arguments);
  const std::vector<Policy> policies = read_policies(arguments);
  const std::int64_t last =
      integer_option("--max-position", arguments.value("--max-position").value_or("1048576"),
                     "an integer from 1 to 2^53", 1, kMaxPosition);
  study.exhaustive =
      integer_option("--exhaustive", arguments.value("--exhaustive").value_or("131072"),
                     "an integer from 0 to 2^22", 0, kMaxExhaustive);
  study.exhaustive = std::min(study.exhaustive, last);
  study.positions = half_octaves(last);
  const OutputPlan plan = plan_output(arguments, kFormats, "precision");
  {
    Progress progress(console, policies.size() * study.against.size() * study.embedding.pairs(),
                      "rope precision");
    for (const Policy& policy : policies)
      study.results.push_back(study_policy(study, policy, progress));
  }
  if (plan.report()) console.print(precision_report(study, console));
  Products products;
  products.csv = [&] { return precision_csv(study); };
  products.json = [&] { return precision_json(study); };
  products.figure = [&] { return precision_figure(study); };
  write_output(plan, products, console);
  return ExitCode::done;
}

}  // namespace

extern constinit const Command precision_command = {
    "precision", "Show how wrong rounded pipelines are, by position, and from where on.", kExamples,
    declare, run};

}  // namespace rope::app
