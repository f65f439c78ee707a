// `rope verify`: does ⟨R_m q, R_n k⟩ = qᵀR_{n−m}k hold, within the rounding error it must have?

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "commands.hpp"
#include "general_options.hpp"
#include "numbers.hpp"
#include "output.hpp"
#include "positions.hpp"
#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "rotary_options.hpp"
#include "verify_report.hpp"

namespace rope::app {
namespace {

constexpr std::array kFormats = {Format::json, Format::csv};

constexpr std::array<std::string_view, 4> kExamples = {
    "rope verify",
    "rope verify --policy float32 --trials 10000 --max-position 4096",
    "rope verify --frequencies 0.5 --query 1,2 --key 3,-1 --positions 5,2",
    "rope verify --control wrong-sign --trials 100; test $? = 1",
};

template <class Entries>
std::string names_of(const Entries& entries) {
  std::string names;
  for (const auto& entry : entries) names += (names.empty() ? "" : ", ") + std::string(entry.name);
  return names;
}

void declare(OptionSet& options) {
  declare_rotary_options(options, Times::once);
  options.group("What is judged");
  options.add("--policy", "NAME",
              "rounding policy of the pipeline: " + names_of(policies()) + " (default exact)");
  options.add("--control", "NAME",
              "judge one wrong formula as if it were the implementation: " + names_of(controls()));
  options.add("--require", "TOL", "largest error/(|q||k|) that is good enough; more is exit 1");
  options.group("Cases");
  options.add("--trials", "N", "random cases (default 2000)");
  options.add("--max-position", "N", "positions lie in -N ... N tokens (default 131072)");
  options.add("--seed", "N", "seed of the random numbers (default 42)");
  options.add("--case", "N", "replay case N of this seed alone");
  options.add("--query", "LIST", "your q, d numbers, instead of random ones");
  options.add("--key", "LIST", "your k, d numbers");
  options.add("--positions", "M,N", "positions of your q and k");
  declare_output_options(options, kFormats);
}

/// The entry of that name in a table, or an error that lists the names.
template <class Entry, class Entries>
Entry named(std::string_view option, const std::string& name, std::optional<Entry> found,
            const Entries& all) {
  if (!found) refuse(option, "one of " + names_of(all), io::quoted(name));
  return *found;
}

std::int64_t positive(const Arguments& arguments, std::string_view option, std::int64_t fallback,
                      std::int64_t low) {
  const std::optional<std::string> text = arguments.value(option);
  if (!text) return fallback;
  return integer_option(option, *text, fmt::format("an integer of at least {}", low), low);
}

/// The vectors of --query and --key at --positions, rounded to the format they are stored in.
VerifyCase given_case(const Arguments& arguments, const VerifyOptions& options,
                      const Console& console) {
  VerifyCase given;
  const std::size_t d = options.embedding.head_dim;
  bool rounded = false;
  for (const auto& [option, vector] : {std::pair{"--query", &given.q}, {"--key", &given.k}}) {
    const std::optional<std::string> text = arguments.value(option);
    if (!text)
      throw Error(ErrorKind::invalid_input, fmt::format("{}: expected a vector, got none", option),
                  "Give --query, --key and --positions together.");
    *vector = real_list_option(option, *text);
    if (vector->size() != d)
      refuse(option, fmt::format("{} numbers, one per dimension", d), io::quoted(*text),
             fmt::format("Add --dim {} if that is the size of your vectors.", vector->size()));
    for (double& value : *vector) {
      const double stored = round_to(options.policy.store, value);
      rounded = rounded || stored != value;
      value = stored;
    }
  }
  if (rounded)
    console.warn(fmt::format("q and k were rounded to {}, in which the policy stores them",
                             limits(options.policy.store).name));
  const std::optional<std::string> text = arguments.value("--positions");
  const std::vector<std::int64_t> positions =
      text ? positions_option("--positions", *text).values : std::vector<std::int64_t>{};
  if (positions.size() != 2)
    refuse("--positions", "two integers M,N: the positions of q and k",
           text ? io::quoted(*text) : "none");
  given.m = positions[0];
  given.n = positions[1];
  given.shift = 1;
  return given;
}

VerifyOptions read_options(const Arguments& arguments, const Console& console) {
  VerifyOptions options;
  options.embedding = rotary_variants(arguments, console).front().embedding;
  options.layouts = arguments.given("--layout")
                        ? std::vector{options.embedding.layout}
                        : std::vector{PairLayout::interleaved, PairLayout::half};
  const std::string policy = arguments.value("--policy").value_or("exact");
  options.policy = named("--policy", policy, find_policy(policy), policies());
  if (const std::optional<std::string> name = arguments.value("--control"))
    options.control = named("--control", *name, find_control(*name), controls());
  if (const std::optional<std::string> text = arguments.value("--require")) {
    options.require = real_option("--require", *text, "a positive number");
    if (!(*options.require > 0)) refuse("--require", "a positive number", io::quoted(*text));
  }
  options.trials = static_cast<std::uint64_t>(positive(arguments, "--trials", 2000, 1));
  options.cpu_level = cpu_level(arguments);
  options.seed = static_cast<std::uint64_t>(positive(arguments, "--seed", 42, 0));
  options.max_position = positive(arguments, "--max-position", 131072, 0);
  if (arguments.given("--case"))
    options.only_case = static_cast<std::uint64_t>(positive(arguments, "--case", 0, 0));
  if (arguments.given("--query") || arguments.given("--key") || arguments.given("--positions"))
    options.given = given_case(arguments, options, console);
  return options;
}

ExitCode exit_code(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return ExitCode::done;
    case Verdict::fail:
      return ExitCode::check_failed;
    case Verdict::inconclusive:
      return ExitCode::inconclusive;
    case Verdict::self_test_failed:
      break;
  }
  return ExitCode::self_test_failed;
}

ExitCode run(const Arguments& arguments, Console& console) {
  VerifyOptions options = read_options(arguments, console);
  const OutputPlan plan = plan_output(arguments, kFormats);
  VerifyReport report;
  {
    Progress progress(console, options.only_case ? 1 : options.trials, "verifying");
    options.progress = [&progress](std::uint64_t) { progress.advance(1); };
    report = verify(options);
  }
  if (plan.report()) print_verify_report(options, report, console);
  Products products;
  products.json = [&] { return verify_json(options, report); };
  products.csv = [&] { return verify_csv(report); };
  write_output(plan, products, console);
  return exit_code(report.verdict);
}

}  // namespace

constinit const Command verify_command = {
    "verify", "Verify the relative-position identity against its rounding-error bounds.", kExamples,
    declare, run};

}  // namespace rope::app
