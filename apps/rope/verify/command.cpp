// `rope verify`: does ⟨R_m q, R_n k⟩ = qᵀR_{n−m}k hold, within the rounding error it must have?

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "named/model_variants.hpp"
#include "named/policy_option.hpp"
#include "named/positions.hpp"
#include "named/rotary_options.hpp"
#include "named/token_options.hpp"
#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "rope/precision/rounding.hpp"
#include "usage/command.hpp"
#include "usage/general_options.hpp"
#include "usage/numbers.hpp"
#include "usage/output.hpp"
#include "verify/bits.hpp"
#include "verify/output.hpp"
#include "verify/report.hpp"
#include "verify/verdict.hpp"

namespace rope::app {
namespace {

constexpr std::array kFormats = {Format::json, Format::csv};

constexpr std::array<std::string_view, 7> kExamples = {
    "rope verify",
    "rope verify --policy float32 --trials 10000 --max-position 4096",
    "rope verify --policy angle=f32,table=bf16,apply=bf16 --require 0.1",
    "rope verify --precision 200",
    "rope verify --frequencies 0.5 --query 1,2 --key 3,-1 --positions 5,2",
    "rope apply --golden g --positions 0:9; rope verify --input gx.npy -o gy.npy",
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
  options.add(
      "--policy", "NAME",
      "rounding policy of the pipeline: " + names_of(policies()) +
          "; or its stages as key=format,... with the keys frequency, position, angle, "
          "table, apply, store, accumulate and the formats f64, f32, tf32, f16, bf16, e4m3, "
          "also behind a name (default exact)");
  options.add("--precision", "BITS",
              "evaluate the identity in 24, 53, 113 and BITS bits instead: its error falls");
  options.add("--control", "NAME",
              "judge one wrong formula as if it were the implementation: " + names_of(controls()));
  options.add("--require", "TOL", "largest error/(|q||k|) that is good enough; more is exit 1");
  options.add("--libm-ulp", "X",
              "error of cos and sin that the bounds assume, in ulp (default 1; CUDA 2)");
  options.group("Cases");
  options.add("--trials", "N", "random cases (default 2000; with --precision 100)");
  options.add("--max-position", "N", "positions lie in -N ... N tokens (default 131072)");
  options.add("--seed", "N", "seed of the random numbers (default 42)");
  options.add("--case", "N", "replay case N of this seed alone");
  options.add("--query", "LIST", "your q, d numbers, instead of random ones");
  options.add("--key", "LIST", "your k, d numbers");
  options.add("--positions", "M,N", "positions of your q and k; with --input, of every token");
  options.group("Outputs of an implementation");
  options.add("--input", "X", "what it was given: " + std::string(kTensorHelp));
  options.add(
      "--result", "Y",
      "what it made of X: is each pair within what --policy allows? --output Y.npy says the "
      "same");
  options.add("--cos", "C", "its table of cosines, [tokens, r/2] or [tokens, r]; needs --sin");
  options.add("--sin", "S", "its table of sines");
  declare_token_options(options, false);
  declare_output_options(options, kFormats);
}

/// The entry of that name in a table, or an error that lists the names.
template <class Entry, class Entries>
Entry named(std::string_view option, const std::string& name, std::optional<Entry> found,
            const Entries& all) {
  if (!found) refuse(option, "one of " + names_of(all), io::in_quotes(name));
  return *found;
}

std::int64_t positive(const Arguments& arguments, std::string_view option, std::int64_t fallback,
                      std::int64_t low) {
  const std::optional<std::string> text = arguments.value(option);
  if (!text) return fallback;
  return integer_option(option, *text, fmt::format("an integer of at least {}", low), low);
}

/// How q or k of `size` numbers come to fit the embedding, which they do not.
std::string remedy_for_size(const Arguments& arguments, const RotaryEmbedding& embedding,
                            std::size_t size) {
  const bool fixed = model_given(arguments) || size > kMaxRotaryDim ||
                     ((arguments.given("--frequencies") || arguments.given("--rotary-dim")) &&
                      size < embedding.rotary_dim());
  if (fixed) return fmt::format("Give {} numbers, as many as the head has.", embedding.head_dim);
  if (size % 2 == 0) return fmt::format("Give --dim {} if that is the size of your vectors.", size);
  return fmt::format(
      "Dimensions are rotated in pairs, so q and k have an even number of them: give --dim {0} and "
      "{0} numbers each.",
      size + 1);
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
      refuse(option, fmt::format("{} numbers, one per dimension", d), io::in_quotes(*text),
             vector == &given.k ? "q and k are of one size: give as many as in --query."
                                : remedy_for_size(arguments, options.embedding, vector->size()));
    for (double& value : *vector) {
      const double stored = round_to(options.policy.input(), value);
      rounded = rounded || stored != value;
      value = stored;
    }
  }
  if (rounded)
    console.warn(fmt::format("q and k were rounded to {}, in which the policy takes them",
                             limits(options.policy.input()).name));
  const std::optional<std::string> text = arguments.value("--positions");
  const std::vector<std::int64_t> positions =
      text ? positions_option("--positions", *text).values : std::vector<std::int64_t>{};
  if (positions.size() != 2)
    refuse("--positions", "two integers M,N: the positions of q and k",
           text ? io::in_quotes(*text) : "none");
  given.m = positions[0];
  given.n = positions[1];
  given.shift = 1;
  return given;
}

/// Options that mean nothing together.
void refuse_combinations(const Arguments& arguments) {
  const auto exclude = [&](std::string_view option, std::initializer_list<std::string_view> others,
                           std::string_view why) {
    if (!arguments.given(option)) return;
    for (const std::string_view other : others)
      if (arguments.given(other))
        throw Error(ErrorKind::invalid_input,
                    fmt::format("{}: cannot stand beside {}: {}", other, option, why),
                    "Leave one of them out.");
  };
  exclude("--query", {"--trials", "--case", "--seed", "--max-position"},
          "your vectors are the only case");
  exclude("--case", {"--trials"}, "one case is replayed");
  exclude("--precision", {"--policy", "--require", "--libm-ulp"},
          "every stage is held in that many bits");
}

VerifyOptions read_options(const Arguments& arguments, const Console& console) {
  refuse_combinations(arguments);
  VerifyOptions options;
  options.embedding = rotary_variants(arguments, console).front().embedding;
  options.layouts = arguments.given("--layout")
                        ? std::vector{options.embedding.layout}
                        : std::vector{PairLayout::interleaved, PairLayout::half};
  options.policy = policy_option("--policy", arguments.value("--policy").value_or("exact"));
  if (const std::optional<std::string> name = arguments.value("--control"))
    options.control = named("--control", *name, find_control(*name), controls());
  if (const std::optional<std::string> text = arguments.value("--require")) {
    options.require = real_option("--require", *text, "a positive number");
    if (!(*options.require > 0)) refuse("--require", "a positive number", io::in_quotes(*text));
  }
  options.hypotheses = read_hypotheses(arguments);
  const std::int64_t trials = arguments.given("--precision") ? 100 : 2000;
  options.trials = static_cast<std::uint64_t>(positive(arguments, "--trials", trials, 1));
  options.cpu_level = cpu_level(arguments);
  options.seed = static_cast<std::uint64_t>(positive(arguments, "--seed", 42, 0));
  options.max_position = positive(arguments, "--max-position", 131072, 0);
  if (arguments.given("--case"))
    options.only_case = static_cast<std::uint64_t>(positive(arguments, "--case", 0, 0));
  if (arguments.given("--query") || arguments.given("--key") || arguments.given("--positions"))
    options.given = given_case(arguments, options, console);
  return options;
}

/// 24, 53 and 113 bits are those of float32, float64 and quadruple precision.
ExitCode run_in_bits(VerifyOptions& options, std::int64_t most, const OutputPlan& plan,
                     const Console& console) {
  std::vector<int> bits;
  for (const int each : {24, 53, 113})
    if (each < most) bits.push_back(each);
  bits.push_back(static_cast<int>(most));
  std::vector<MultiprecisionStep> steps;
  {
    const std::uint64_t cases = options.given || options.only_case ? 1 : options.trials;
    Progress progress(console, cases * bits.size(), "verifying");
    options.progress = [&progress](std::uint64_t) { progress.advance(1); };
    steps = verify_in_bits(options, bits);
  }
  if (plan.report()) print_bits_report(options, steps, console);
  Products products;
  products.json = [&] { return bits_json(options, steps, console.warnings()); };
  products.csv = [&] { return bits_csv(steps); };
  write_output(plan, products, console);
  return exit_code(verdict(options, steps));
}

ExitCode run(const Arguments& given, Console& console) {
  const Arguments arguments = with_output_tensors_as_results(given);
  if (judges_outputs(arguments)) return run_outputs(arguments, console);
  for (const char* option : {"--token-axis", "--start", "--lengths", "--bfloat16"})
    if (arguments.given(option)) refuse(option, "--input or --cos with it", "neither");
  VerifyOptions options = read_options(arguments, console);
  const OutputPlan plan = plan_output(arguments, kFormats);
  if (const std::optional<std::string> text = arguments.value("--precision"))
    return run_in_bits(
        options,
        integer_option("--precision", *text, fmt::format("{} to {} bits", kFewestBits, kMostBits),
                       kFewestBits, kMostBits),
        plan, console);
  VerifyReport report;
  {
    Progress progress(console, options.only_case ? 1 : options.trials, "verifying");
    options.progress = [&progress](std::uint64_t) { progress.advance(1); };
    report = verify(options);
  }
  if (plan.report()) print_verify_report(options, report, console);
  Products products;
  products.json = [&] { return verify_json(options, report, console.warnings()); };
  products.csv = [&] { return verify_csv(report); };
  write_output(plan, products, console);
  return exit_code(report.verdict);
}

}  // namespace

extern constinit const Command verify_command = {
    "verify", "Verify the relative-position identity against its rounding-error bounds.", kExamples,
    declare, run};

}  // namespace rope::app
