// `rope verify`: does ⟨R_m q, R_n k⟩ = qᵀR_{n−m}k hold, within the rounding error it must have?

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "named/capture.hpp"
#include "named/positions.hpp"
#include "named/rotary_options.hpp"
#include "named/token_options.hpp"
#include "named/vectors.hpp"
#include "rope/documents/bits.hpp"
#include "rope/documents/junit.hpp"
#include "rope/documents/outputs.hpp"
#include "rope/documents/verification.hpp"
#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "rope/parameters/suggest.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/studies/turning.hpp"
#include "shown/text.hpp"
#include "shown/verdict.hpp"
#include "usage/command.hpp"
#include "usage/output.hpp"
#include "verify/bits.hpp"
#include "verify/output.hpp"
#include "verify/report.hpp"

namespace rope::app {
namespace {

/// What the program ends with.
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

template <class Entries>
std::string names_of(const Entries& entries) {
  std::string names;
  for (const auto& entry : entries) names += (names.empty() ? "" : ", ") + std::string(entry.name);
  return names;
}

/// What is meant by a name of no control: a control that has it in its own name, or that rope
/// rotate
/// --break plants by it, or one that is near.
std::string remedy_for_control(const std::string& name) {
  const std::string word = plain_word(name);
  std::vector<std::string_view> meant;
  for (const Control& control : controls())
    if (!word.empty() && control.name.find(word) != std::string_view::npos)
      meant.push_back(control.name);
  for (const PortingMistake& mistake : porting_mistakes())
    if (mistake.name == word && !mistake.control.empty() &&
        std::ranges::count(meant, mistake.control) == 0)
      meant.push_back(mistake.control);
  if (!meant.empty()) return "Did you mean " + alternatives(meant) + "?";
  const std::string likely = likely_word(name, names_in(controls()));
  return likely.empty() ? "" : "Did you mean " + likely + "?";
}

/// The entry of that name in a table, or an error that lists the names.
Control read_control(const std::string& name) {
  const std::optional<Control> found = find_control(name);
  if (!found)
    refuse("--control", "one of " + names_of(controls()), io::in_quotes(name),
           remedy_for_control(name));
  return *found;
}

/// 24, 53 and 113 bits are those of float32, float64 and quadruple precision.
ExitCode run_in_bits(VerifyOptions& options, int most, const RotaryVariant& variant,
                     const OutputPlan& plan, const Console& console) {
  std::vector<int> bits;
  for (const int each : {24, 53, 113})
    if (each < most) bits.push_back(each);
  bits.push_back(most);
  std::vector<MultiprecisionStep> steps;
  {
    const std::uint64_t cases = options.given || options.only_case ? 1 : options.trials;
    Progress progress(console, cases * bits.size(), "verifying");
    options.progress = [&progress](std::uint64_t) { progress.advance(1); };
    steps = verify_in_bits(options, bits);
  }
  Products products;
  products.report = [&](const Console& out) { print_bits_report(options, steps, variant, out); };
  products.json = [&] { return bits_json(options, steps, console.warnings()); };
  products.csv = [&] { return bits_csv(steps); };
  products.xml = [&] {
    const JunitCase one =
        verdict_case("verdict", verdict(options, steps),
                     fmt::format("in {} bits: {:.3g} where {:.3g} is allowed", steps.back().bits,
                                 static_cast<double>(steps.back().max_error),
                                 static_cast<double>(steps.back().bound)));
    return junit_xml("rope verify", {&one, 1});
  };
  write_output(plan, products, console);
  return exit_code(verdict(options, steps));
}

constexpr std::string_view kJudgedByPolicy =
    "outputs are judged by what the pipeline of --policy allows";

struct Verify final : Invocation {
  static constexpr std::array kFormats = {Format::json, Format::csv, Format::xml};
  static constexpr std::array<std::string_view, 7> kExamples = {
      "rope verify",
      "rope verify --policy float32 --trials 10000 --max-position 4096",
      "rope verify --policy angle=f32,table=bf16,apply=bf16 --require 0.1",
      "rope verify --precision 200",
      "rope verify --frequencies 0.5 --query 1,2 --key 3,-1 --positions 5,2",
      "rope apply --golden g --positions 0:9; rope verify --input gx.npy -o gy.npy",
      "rope verify --control wrong-sign --trials 100; test $? = 1",
  };
  static constexpr auto kTerms = std::to_array<std::string_view>(
      {"relative-position identity", "verdict", "bound", "ratio", "cases", "certificate",
       "exact scores", "true angles", "lengths kept", "shift of both", "planted mistake", "defect",
       "below rounding", "vacuous", "policy", "unit roundoff"});

  OutputQuestion outputs;  ///< with the rotary options and the positions
  std::vector<std::string> files;
  std::optional<int> precision;
  std::optional<Control> control;
  std::optional<double> require;
  std::optional<std::uint64_t> trials;
  std::int64_t max_position = 131072;
  std::uint64_t seed = 42;
  std::optional<std::uint64_t> only_case;
  std::optional<NamedVector> query;
  std::optional<NamedVector> key;
  OutputOptions output{kFormats, "the language of the report"};

  void declare(OptionSet& options) override {
    options.operands(
        "[X Y]", "an implementation's input and output vectors: the same as --input X --result Y",
        2, files);
    outputs.rotary.other_length = kLastPosition;
    outputs.rotary.declare(options);
    declare_judgement(options);
    declare_cases(options);
    declare_outputs(options);
    output.declare(options);
    output.declare_details(options);
    options.often_used(
        {"--policy", "--control", "--query", "--key", "--positions", "--input", "--result"});
    options.take_files({"--input", "--result", "--cos", "--sin", "--query", "--key"});
    options.operands_take_files();
    options.take_words("--policy", names_in(policies()));
    options.take_words("--control", names_in(controls()));
    exclude(options);
  }

  void declare_judgement(OptionSet& options) {
    options.group("What is judged");
    options.bound("--policy NAME",
                  "rounding policy of the pipeline: " + names_of(policies()) +
                      "; or its stages as key=format,... (also after a name), where the keys are "
                      "frequency, position, angle, table, apply, store and accumulate, and the "
                      "formats f64, f32, tf32, f16, bf16 and e4m3",
                  outputs.policy, parse_policy, "exact; for outputs, a policy that fits them");
    options.integer("--precision BITS",
                    "evaluate at 24, 53, 113 and BITS bits to show how the error shrinks",
                    precision, {kFewestBits, kMostBits});
    options.bound("--control NAME",
                  "judge a wrong formula in place of the implementation: " + names_of(controls()),
                  control, read_control);
    options.real("--require TOL", "largest acceptable error/(|q||k|); exit with 1 if exceeded",
                 require, kAboveZero);
    options.real("--libm-ulp X",
                 "error of cos and sin that the bounds assume, in ulp; CUDA needs 2",
                 outputs.hypotheses.libm_ulp, {.least = 0.5, .most = 1024}, "1");
  }

  void declare_cases(OptionSet& options) {
    options.group("Cases");
    options.integer("--trials N", "random cases", trials, {1}, "2000; 100 with --precision");
    options.integer("--max-position N", "positions range from -N to N tokens", max_position,
                    {.low = 0, .tokens = true});
    options.integer("--seed N", "seed of the random numbers", seed, {0}).as_seed();
    options.integer("--case N", "replay only case N of this seed", only_case, {0});
    options.bound("--query VECTOR",
                  "your q, instead of a random one: numbers (1,2,...); a file (.npy, .npz, "
                  ".safetensors or .csv); or ones",
                  query, read_query);
    options.bound("--key VECTOR",
                  "your k: given like q, or same (q itself), opposite (-q) or turned:N (R_N q)",
                  key, read_vector);
    options.bound("--positions M,N", "positions of your q and k; with --input, those of all tokens",
                  outputs.tokens.positions, read_positions);
  }

  void declare_outputs(OptionSet& options) {
    options.group("Outputs of an implementation");
    options.text("--input X", "the implementation's input: " + std::string(kTensorHelp),
                 outputs.input);
    options
        .text("--result Y",
              "the implementation's output for X, checked against --policy; --output Y.npy means "
              "the same",
              outputs.results)
        .times = Times::once;
    options.text("--cos C",
                 "the implementation's table of cosines, [tokens, r/2] or [tokens, r]; needs --sin",
                 outputs.cos);
    options.text("--sin S", "the implementation's table of sines", outputs.sin);
    outputs.tokens.declare_without_positions(options);
    outputs.tokens.declare_axis_positions(options);
  }

  /// Options that mean nothing together.
  static void exclude(OptionSet& options) {
    options.exclude("--query", {"--trials", "--case", "--seed", "--max-position"},
                    "your vectors are the only case");
    options.exclude("--case", {"--trials"}, "one case is replayed");
    options.exclude("--precision", {"--policy", "--require", "--libm-ulp"},
                    "every stage uses that many bits");
    for (const char* tensor : {"--input", "--result", "--cos", "--sin"}) {
      options.exclude(tensor,
                      {"--query", "--key", "--trials", "--max-position", "--seed", "--case",
                       "--control", "--precision"},
                      "the outputs of an implementation are judged");
      options.exclude(tensor, {"--require"}, kJudgedByPolicy);
    }
  }

  ExitCode run(Console& console) override {
    take_files();
    if (outputs.input) take_results(output.files, outputs.results);
    if (outputs.asked()) return run_outputs(console);
    if (const std::string_view given = outputs.tokens.given_beside_positions(); !given.empty())
      refuse(given, "--input or --cos with it", "neither");
    if (query && key) take_size(std::array{*query, *key}, outputs.rotary);
    const RotaryVariant variant = rotary_variant(outputs.rotary, console);
    VerifyOptions options = this->options(variant, console);
    const OutputPlan plan = plan_output(output);
    if (precision) return run_in_bits(options, *precision, variant, plan, console);
    VerifyReport report;
    {
      Progress progress(console, options.only_case ? 1 : options.trials, "verifying");
      options.progress = [&progress](std::uint64_t) { progress.advance(1); };
      report = verify(options);
    }
    Products products;
    products.report = [&](const Console& out) {
      print_verify_report(options, report, variant, output.details, out);
    };
    products.json = [&] { return verification_json(options, report, console.warnings()); };
    products.csv = [&] { return verification_csv(report); };
    products.xml = [&] { return verification_junit(report); };
    write_output(plan, products, console);
    return exit_code(report.verdict);
  }

 private:
  /// X and Y, the short form of --input X --result Y.
  void take_files() {
    if (files.empty()) return;
    if (files.size() == 1 && !outputs.asked() && io::names_archive(files[0])) take_capture();
    if (files.size() != 2 || outputs.asked())
      refuse("X Y", "two files, or --input and --result",
             files.size() != 2 ? "one file" : "both forms", "For example rope verify x.npy y.npy.");
    for (const char* option : {"--query", "--key", "--trials", "--max-position", "--seed", "--case",
                               "--control", "--require", "--precision"})
      if (std::ranges::find(given_options, option, &Option::name) != given_options.end())
        refuse(option, "no files with it", "X and Y",
               option == std::string_view("--require")
                   ? sentence(std::string(kJudgedByPolicy))
                   : "The outputs of an implementation are judged.");
    outputs.input = files[0];
    outputs.results = {files[1]};
  }

  /// One file whose tensors say which is before and which after.
  void take_capture() {
    const Capture capture = capture_in(files[0]);
    if (capture.inputs.size() > 1)
      refuse("X Y", "two tensors",
             fmt::format("{} pairs of them in {}", capture.inputs.size(), io::in_quotes(files[0])),
             "Name one pair: rope verify " + capture.inputs[0] + " " + capture.results[0] + ".");
    files = {capture.inputs[0], capture.results[0]};
    if (!capture.positions || outputs.tokens.says_positions()) return;
    outputs.tokens.positions = read_positions("--positions", *capture.positions);
    outputs.positions = capture.positions;
  }

  ExitCode run_outputs(const Console& console) const {
    outputs.check();
    const OutputPlan plan = plan_output(output);
    console.speak(plan.language);  // what is judged, and what assumed, is told in words
    const OutputStudy study = judge(outputs, console);
    Products products;
    products.report = [&](const Console& out) {
      print_output_report(study, diagnose_line(outputs, given_options), output.details, out);
    };
    products.json = [&] { return outputs_json(study, console.warnings()); };
    products.csv = [&] { return outputs_csv(study); };
    products.xml = [&] {
      const JunitCase one = verdict_case(study.vectors ? *outputs.input : *outputs.cos,
                                         study.verdict(), verdict_text(study));
      return junit_xml("rope verify", {&one, 1});
    };
    write_output(plan, products, console);
    return exit_code(study.verdict());
  }

  VerifyOptions options(const RotaryVariant& variant, const Console& console) const {
    VerifyOptions options;
    options.embedding = variant.embedding;
    options.layouts = outputs.rotary.layout
                          ? std::vector{options.embedding.layout}
                          : std::vector{PairLayout::interleaved, PairLayout::half};
    options.policy = outputs.policy.value_or(*find_policy("exact"));
    options.hypotheses = outputs.hypotheses;
    options.control = control;
    options.require = require;
    options.trials = trials.value_or(precision ? 100 : 2000);
    options.cpu_level = general.cpu_level;
    options.seed = seed;
    options.max_position = max_position;
    options.only_case = only_case;
    if (query || key || outputs.tokens.positions) options.given = given_case(options, console);
    return options;
  }

  /// The vectors of --query and --key at --positions, rounded to the format they are stored in.
  VerifyCase given_case(const VerifyOptions& options, const Console& console) const {
    if (!query || !key)
      throw Error(ErrorKind::invalid_input,
                  fmt::format("{}: expected a vector, got none", query ? "--key" : "--query"),
                  "Give --query, --key and --positions together.");
    for (const NamedVector& vector : {*query, *key})
      if (vector.kind == NamedVector::Kind::random)
        refuse(vector.option,
               vector.option == "--key" ? "numbers, a file, ones, same, opposite or turned:N"
                                        : "numbers, a file or ones",
               "'random'",
               "Without vectors of your own, q and k are random: leave out --query and --key.");
    const VectorSetting setting{outputs.rotary, options.embedding};
    VerifyCase given;
    given.q = query_numbers(*query, setting);
    given.k = key_numbers(*key, *query, given.q, setting);
    bool rounded = false;
    for (std::vector<double>* vector : {&given.q, &given.k})
      for (double& value : *vector) {
        const double stored = round_to(options.policy.input(), value);
        rounded = rounded || stored != value;
        value = stored;
      }
    if (rounded)
      console.warn(fmt::format("q and k were rounded to {}, the policy's input format",
                               limits(options.policy.input()).name));
    std::tie(given.m, given.n) = two_positions("--positions", outputs.tokens.positions);
    given.shift = 1;
    return given;
  }
};

}  // namespace

extern constinit const Command verify_command = command_of<Verify>(
    "verify", kCheck, "Check the identity or your own output against error bounds.");

}  // namespace rope::app
