// `rope precision`: how wrong are float32, bfloat16, float16 … pipelines, by position?

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "named/rotary_options.hpp"
#include "precision/report.hpp"
#include "rope/documents/policy.hpp"
#include "rope/documents/precision.hpp"
#include "rope/pictures/precision.hpp"
#include "rope/precision/rounding.hpp"
#include "shown/table.hpp"
#include "usage/command.hpp"
#include "usage/output.hpp"

namespace rope::app {
namespace {

constexpr std::array<std::string_view, 4> kDefaultPolicies = {"float32", "bfloat16-table",
                                                              "bfloat16-positions", "tf32"};
constexpr std::string_view kAllPolicies = "all";
constexpr std::size_t kMaxPolicies = 32;
constexpr std::array<Choice<std::optional<Against>>, 3> kAgainst = {
    {{"both", std::nullopt}, {"identity", Against::identity}, {"exact", Against::exact}}};

std::vector<Policy> default_policies() {
  std::vector<Policy> policies;
  policies.reserve(kDefaultPolicies.size());
  for (const std::string_view name : kDefaultPolicies) policies.push_back(*find_policy(name));
  return policies;
}

Table policy_list() {
  Table table({{"policy", Table::Align::left}, {"what it is", Table::Align::left}});
  for (const Policy& policy : policies()) table.add_row({policy.name, policy.summary});
  return table;
}

/// Adds the policy that the text names, or every one.
void add_policy(const std::string& text, std::vector<Policy>& chosen) {
  if (text == kAllPolicies)
    chosen.insert(chosen.end(), policies().begin(), policies().end());
  else
    chosen.push_back(parse_policy(text));
}

PrecisionStudy study_of(const PrecisionRequest& request, const Console& console) {
  Progress progress(console,
                    request.policies.size() * request.against.size() * request.embedding.pairs(),
                    "rope precision", Steps::uneven);
  return precision_study(request, [&progress] { progress.advance(1); });
}

struct Precision final : Invocation {
  static constexpr std::array<Choice<bool>, 2> kViews = {{{"curves", false}, {"pairs", true}}};
  static constexpr std::array kFormats = {Format::csv, Format::json, Format::png,
                                          Format::svg, Format::pdf,  Format::gp};
  static constexpr std::array<std::string_view, 3> kExamples = {
      "rope precision", "rope precision --policy float32,ggml --max-position 1e6",
      "rope precision --policy bfloat16-table --view pairs -o pairs.png"};
  static constexpr auto kColumns =
      std::to_array<std::string_view>({"position", "worst", "bound", "random_rms", "worst_exact",
                                       "bound_exact", "random_rms_exact"});
  static constexpr auto kTerms = std::to_array<std::string_view>(
      {"policy", "relative-position identity", "exact scores", "first position", "positions left",
       "bound", "random pairs", "unit roundoff"});

  std::vector<Policy> policies;
  std::optional<Against> against;  ///< both where it is empty
  std::int64_t max_position = 131072;
  std::int64_t exhaustive = 131072;
  bool by_pair = false;
  bool list = false;
  RotaryOptions rotary;
  OutputOptions output{kFormats};

  void declare(OptionSet& options) override {
    options.group("What is compared");
    options
        .add(
            "--policy NAME",
            "a rounding policy, as in rope verify: a name or key=format,...; all means all named "
            "policies",
            [this](const Option&, const std::string& text) { add_policy(text, policies); },
            fmt::format("{}", fmt::join(kDefaultPolicies, ", ")))
        .as_list()
        .times = Times::many;
    options.choice("--against WHAT",
                   "identity compares its two sides, so an error common to both goes unnoticed; "
                   "exact compares with the exact score",
                   against, kAgainst);
    options.integer("--max-position N", "last position in tokens, at most 2^53", max_position,
                    {.low = 1, .high = std::int64_t{1} << 53, .tokens = true});
    options.integer("--exhaustive N",
                    "check all m and n with 0 <= m <= n <= N: up to N, first positions and largest "
                    "errors are exact",
                    exhaustive, {.low = 0, .high = std::int64_t{1} << 22, .tokens = true});
    options.choice("--view VIEW", "pairs shows the error of every pair as a heat map", by_pair,
                   kViews);
    options.flag("--list", "list the policies, one per line", list);
    rotary.other_length = kLastPosition;
    rotary.declare(options);
    output.declare(options);
    output.declare_tidy(options);
    output.declare_details(options);
    options.often_used({"--policy", "--against", "--max-position", "--view", "--list"});
    options.take_words("--policy", names_in(rope::policies()));
  }

  PrecisionRequest request(const RotaryEmbedding& embedding) const {
    for (std::size_t i = 1; i < policies.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (policies[i].name == policies[j].name)
          refuse("--policy", "different policies", policies[i].name + " twice",
                 "Leave one of them out.");
    if (policies.size() > kMaxPolicies)
      refuse("--policy", "at most " + std::to_string(kMaxPolicies), std::to_string(policies.size()),
             "Compare fewer at a time.");
    PrecisionRequest request;
    request.embedding = embedding;
    request.against =
        against ? std::vector{*against} : std::vector{Against::identity, Against::exact};
    request.policies = policies.empty() ? default_policies() : policies;
    request.last = max_position;
    request.exhaustive = exhaustive;
    return request;
  }

  ExitCode list_policies(const Console& console) const {
    Products products;
    products.report = [](const Console& out) { out.print(policy_list(), "Rounding policies"); };
    products.json = [] { return policies_json().document(); };
    write_output(plan_output(output.report_alone()), products, console);
    return ExitCode::done;
  }

  ExitCode run(Console& console) override {
    if (list) return list_policies(console);
    const RotaryVariant variant = rotary_variant(rotary, console);
    const PrecisionRequest request = this->request(variant.embedding);
    const OutputPlan plan = plan_output(output, {"precision", kColumns});
    const PrecisionStudy study = study_of(request, console);
    Products products;
    products.report = [&](const Console& out) {
      print_precision(study, describe(variant), output.details, out);
    };
    products.csv = [&] { return precision_csv(study, output.csv_form()); };
    products.json = [&] { return precision_json(study); };
    products.figure = [&] {
      return by_pair ? precision_pairs(study, describe(variant))
                     : precision_figure(study, describe(variant));
    };
    write_output(plan, products, console);
    return ExitCode::done;
  }
};

}  // namespace

extern constinit const Command precision_command =
    command_of<Precision>("precision", kStudy, "Show where each number format becomes too coarse.");

}  // namespace rope::app
