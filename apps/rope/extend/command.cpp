// `rope extend`: what each rule of context extension does, side by side.

#include <fmt/format.h>

#include <algorithm>
#include <array>
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

std::int64_t length_option(const Arguments& arguments, std::string_view option,
                           std::int64_t fallback, std::int64_t low) {
  const std::optional<std::string> text = arguments.value(option);
  if (!text) return fallback;
  return integer_option(option, *text, fmt::format("an integer from {} to 2^24", low), low,
                        kMaxLength);
}

bool read_fans(const Arguments& arguments) {
  const std::string view = arguments.value("--view").value_or("curves");
  if (view != "curves" && view != "fans") refuse("--view", "curves or fans", io::in_quotes(view));
  return view == "fans";
}

/// The search for a base takes long, and longer the longer the context is.
bool read_search(const Arguments& arguments, const ExtensionRequest& request) {
  if (!arguments.given("--search-base")) return false;
  if (request.length > kLongestBaseSearch)
    refuse("--search-base", fmt::format("--to up to {}", kLongestBaseSearch),
           std::to_string(request.length), "The search takes longer the longer the context is.");
  if (request.trained.pairs() < 2)
    refuse("--search-base", "at least two rotated pairs", std::to_string(request.trained.pairs()),
           "With one pair no base serves: θ is 1 whatever the base, and cos 2 is negative.");
  return true;
}

ExtensionRequest read_request(const Arguments& arguments, const Console& console) {
  ExtensionRequest request;
  request.trained = rotary_variants(arguments, console).front().embedding;
  if (!request.trained.base)
    throw Error(ErrorKind::invalid_input, "--frequencies: expected a base, got frequencies",
                "The rules make their frequencies from a base: give --base.");
  request.trained_length = length_option(arguments, "--from", 4096, 1);
  request.length = length_option(
      arguments, "--to", std::min(4 * request.trained_length, kMaxLength), request.trained_length);
  if (const auto text = arguments.value("--window"))
    request.window = integer_option(
        "--window", *text, fmt::format("an integer from 0 to {}", request.trained_length - 1), 0,
        request.trained_length - 1);
  for (const std::string& rule : arguments.values("--rule"))
    request.rules.push_back(parse_scaling(rule));
  request.search_base = read_search(arguments, request);
  return request;
}

ExtensionStudy study_of(const ExtensionRequest& request, const Console& console) {
  constexpr std::uint64_t kRules = 8, kSearchSteps = 150000;  // about as many
  Progress progress(console, request.search_base ? kSearchSteps : kRules, "rope extend");
  return extension_study(request, [&progress] { progress.advance(1); });
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
  const ExtensionRequest request = read_request(arguments, console);
  const bool fans = read_fans(arguments);
  const OutputPlan plan = plan_output(arguments, kFormats, "extend");
  const ExtensionStudy study = study_of(request, console);
  for (const std::string& note : study.notes) console.warn(note);
  if (plan.report()) console.print(extend_report(study, console));
  Products products;
  products.csv = [&] { return extend_csv(study); };
  products.json = [&] { return extend_json(study); };
  products.figure = [&] { return fans ? extend_fans(study) : extend_figure(study); };
  write_output(plan, products, console);
  return ExitCode::done;
}

}  // namespace

extern constinit const Command extend_command = {
    "extend", "Compare the rules that stretch a model to longer contexts.", kExamples, declare,
    run};

}  // namespace rope::app
