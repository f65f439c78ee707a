// `rope precision`: how wrong are float32, bfloat16, float16 … pipelines, by position?

#include <array>
#include <string>

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

PrecisionRequest read_request(const Arguments& arguments, const Console& console) {
  PrecisionRequest request;
  request.embedding = rotary_variants(arguments, console).front().embedding;
  request.against = read_against(arguments);
  request.policies = read_policies(arguments);
  request.last =
      integer_option("--max-position", arguments.value("--max-position").value_or("1048576"),
                     "an integer from 1 to 2^53", 1, kMaxPosition);
  request.exhaustive =
      integer_option("--exhaustive", arguments.value("--exhaustive").value_or("131072"),
                     "an integer from 0 to 2^22", 0, kMaxExhaustive);
  return request;
}

PrecisionStudy study_of(const PrecisionRequest& request, const Console& console) {
  Progress progress(console,
                    request.policies.size() * request.against.size() * request.embedding.pairs(),
                    "rope precision");
  return precision_study(request, [&progress] { progress.advance(1); });
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
  const bool by_pair = read_by_pair(arguments);
  const PrecisionRequest request = read_request(arguments, console);
  const OutputPlan plan = plan_output(arguments, kFormats, "precision");
  const PrecisionStudy study = study_of(request, console);
  if (plan.report()) console.print(precision_report(study, console));
  Products products;
  products.csv = [&] { return precision_csv(study); };
  products.json = [&] { return precision_json(study); };
  products.figure = [&] { return by_pair ? precision_pairs(study) : precision_figure(study); };
  write_output(plan, products, console);
  return ExitCode::done;
}

}  // namespace

extern constinit const Command precision_command = {
    "precision", "Show how wrong rounded pipelines are, by position, and from where on.", kExamples,
    declare, run};

}  // namespace rope::app
